/** What to write in place of a base path without a version segment, which governance asks for (VER-001); null where it has one. */
export function withVersionSegment(basePath: string): string | null {
  const segments = basePath.split('/').filter((segment) => segment !== '');
  if (segments.length === 0 || segments.some((segment) => /^v\d+(?:\.\d+)*$/i.test(segment))) return null;
  return `/v1/${segments.join('/')}`;
}
