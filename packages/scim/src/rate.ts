/** Per token and process. */
export const mostRequestsPerMinute = 1_200;
/** Beyond this many tokens in one minute, the counts start again. */
const mostKnownTokens = 10_000;

/**
 * Whether a token has requests left in this minute.
 *
 * @param nowMs of a clock that doesn't go back
 */
export function createRate(nowMs: () => number = () => performance.now()): (tokenId: string) => boolean {
  let minute = 0;
  let counts = new Map<string, number>();
  return (tokenId) => {
    const now = Math.floor(nowMs() / 60_000);
    if (now !== minute || counts.size >= mostKnownTokens) {
      minute = now;
      counts = new Map();
    }
    const count = (counts.get(tokenId) ?? 0) + 1;
    counts.set(tokenId, count);
    return count <= mostRequestsPerMinute;
  };
}
