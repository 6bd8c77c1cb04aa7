/** Random numbers that are the same in every run (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What a node counted in the ten seconds before a tick. */
export interface Report {
  readonly tick: number;
  /** The tick before whose evaluation it arrives. */
  readonly arrives: number;
  readonly requests: number;
  readonly errors: number;
}

/** Reports of one proxy, with gaps, late ones, and some in two parts, as a node that restarts sends them. */
export function reportsOf(random: () => number, ticks: number): readonly Report[] {
  const reports: Report[] = [];
  let isFailing = random() < 0.3;
  let gapUntil = 0;
  for (let tick = 0; tick < ticks; tick++) {
    if (random() < 0.12) isFailing = !isFailing;
    if (tick >= gapUntil && random() < 0.03) gapUntil = tick + 1 + Math.floor(random() * 45);
    if (tick < gapUntil) continue;
    const requests = 10 + Math.floor(random() * 90);
    const errors = Math.floor(requests * (isFailing ? 0.4 + random() * 0.6 : random() * 0.6));
    const delay = random() < 0.08 ? 1 + Math.floor(random() * 6) : 0;
    const parts = random() < 0.05 ? 2 : 1;
    const [firstRequests, firstErrors] =
      parts === 1 ? [requests, errors] : [Math.ceil(requests / 2), Math.ceil(errors / 2)];
    reports.push({ tick, arrives: tick + delay, requests: firstRequests, errors: firstErrors });
    if (parts === 2) {
      const rest = { requests: requests - firstRequests, errors: errors - firstErrors };
      reports.push({ tick, arrives: tick + delay, ...rest });
    }
  }
  return reports;
}

/** Slots of five minutes. */
const widestTicks = 30;

/**
 * The value that an evaluation sees: of the newest slot with requests, at most five minutes old, of what has arrived.
 *
 * @param seenAt the tick in which the evaluation really ran, later than its own where it was missed
 */
export function visibleValue(reports: readonly Report[], tick: number, seenAt: number): number | null {
  for (let slot = tick; slot > tick - widestTicks; slot--) {
    const arrived = reports.filter((report) => report.tick === slot && report.arrives <= seenAt);
    const requests = arrived.reduce((sum, report) => sum + report.requests, 0);
    if (requests === 0) continue;
    return (100 * arrived.reduce((sum, report) => sum + report.errors, 0)) / requests;
  }
  return null;
}
