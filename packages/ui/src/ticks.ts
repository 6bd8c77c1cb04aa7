const daySeconds = 86_400;

/** From one position to the next; a day where there is only one. */
export function stepOf(positions: readonly number[]): number {
  return positions.length > 1 ? positions[1]! - positions[0]! : daySeconds;
}

/** Lengths of time between labels of an axis, in seconds. */
const roundSteps = [10, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800];

/**
 * The positions that have a label below the plot: at round times of day where there are enough of them, otherwise in even
 * steps.
 */
export function ticksOf(positions: readonly number[], offsetSeconds: number | null, most: number): readonly number[] {
  const even = Math.max(1, Math.ceil(positions.length / Math.max(2, most)));
  const inEvenSteps = positions.filter((_position, index) => index % even === 0);
  if (offsetSeconds === null) return inEvenSteps;
  const round = roundSteps
    .map((step) => positions.filter((position) => (position + offsetSeconds) % step === 0))
    .find((some) => some.length <= Math.max(2, most));
  return round !== undefined && round.length > 1 ? round : inEvenSteps;
}
