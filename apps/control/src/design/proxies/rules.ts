/** `v1` in `/v1/orders` or `/public/v1.2/orders`: the first segment that is a version; null if there is none. */
export function versionSegment(basePath: string): string | null {
  return basePath.split('/').find((segment) => /^v\d+(?:\.\d+)*$/i.test(segment)) ?? null;
}

/** Why a proxy may not move to another base path, as a sentence for the user, or null if it may. */
export function checkBasePathChange(before: string, after: string): string | null {
  const version = versionSegment(before);
  if (version === null || version === versionSegment(after)) return null;
  return `The version segment ${version} can't be changed. Clone the proxy to serve another version next to it.`;
}
