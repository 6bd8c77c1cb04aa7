/** After this long, other calls have their turn. */
const longestTurnMs = 5;

/** A function to be awaited between pieces of work: every few milliseconds it lets other calls run. */
export function takeTurns(): () => Promise<void> {
  let begunMs = performance.now();
  return async () => {
    if (performance.now() - begunMs < longestTurnMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    begunMs = performance.now();
  };
}
