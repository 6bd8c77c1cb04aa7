/** A base path with a version segment, which governance rule VER-001 expects; null if it has one already. */
export function withVersionSegment(basePath: string): string | null {
  const segments = basePath.split('/').filter((segment) => segment !== '');
  if (segments.length === 0 || segments.some((segment) => /^v\d+(?:\.\d+)*$/i.test(segment))) return null;
  return `/v1/${segments.join('/')}`;
}
