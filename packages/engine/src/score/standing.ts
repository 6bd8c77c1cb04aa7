import type { PlacedCandidate } from '../candidates/placed.ts';

/** A candidate's place among those of its kind. */
export interface Standing {
  /** From the top of the document, from 0. */
  readonly rank: number;
  readonly count: number;
  /** By size, the largest first, from 0; values of one size share it. */
  readonly sizeRank: number;
  /** Its size as a share of the largest. */
  readonly ofLargest: number;
  /** Different sizes from its own down to the smallest. */
  readonly larger: number;
  /** Candidates with the same value. */
  readonly occurrences: number;
  /** Candidates that begin in the same line. */
  readonly sameInRow: number;
  /** The share of the document's readings that have the value. */
  readonly agreement: number;
}

/**
 * The standing of the candidates of some indexes, which hold either all of a kind or none.
 *
 * @param readings how many readings of the document the candidates come from.
 */
export function standingOf(
  candidates: readonly PlacedCandidate[],
  indexes: readonly number[],
  readings: number,
): readonly Standing[] {
  const standing: Standing[] = new Array(candidates.length);
  for (const [, group] of Map.groupBy(indexes, (index) => candidates[index]!.kind)) {
    const byPlace = group.toSorted((a, b) => {
      const one = candidates[a]!;
      const two = candidates[b]!;
      return one.page - two.page || one.box.y0 - two.box.y0 || one.box.x0 - two.box.x0;
    });
    const sizes = [...new Set(group.map((index) => sizeOf(candidates[index]!)))].sort((a, b) => b - a);
    const sizeRanks = new Map(sizes.map((size, rank) => [size, rank]));
    const byValue = Map.groupBy(group, (index) => String(candidates[index]!.value));
    const byLine = Map.groupBy(group, (index) => candidates[index]!.lines[0]!);
    byPlace.forEach((index, rank) => {
      const candidate = candidates[index]!;
      const same = byValue.get(String(candidate.value))!;
      const size = sizeOf(candidate);
      standing[index] = {
        rank,
        count: group.length,
        sizeRank: sizeRanks.get(size)!,
        ofLargest: sizes[0]! > 0 ? size / sizes[0]! : 0,
        larger: sizes.length - sizeRanks.get(size)!,
        occurrences: same.length,
        sameInRow: byLine.get(candidate.lines[0]!)!.length,
        agreement: readings === 1 ? 1 : new Set(same.map((other) => candidates[other]!.layout)).size / readings,
      };
    });
  }
  return standing;
}

function sizeOf(candidate: PlacedCandidate): number {
  return typeof candidate.value === 'number' ? Math.abs(candidate.value) : 0;
}
