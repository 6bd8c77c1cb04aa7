import type { TextLine } from '@millrace/document-model';
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
 * The standing of each of the candidates of one kind.
 *
 * @param candidates all of the kind.
 * @param readings how many readings of the document the candidates come from.
 */
export function standingOf(candidates: readonly PlacedCandidate[], readings: number): readonly Standing[] {
  const byPlace = candidates.toSorted((a, b) => a.page - b.page || a.box.y0 - b.box.y0 || a.box.x0 - b.box.x0);
  const ranks = new Map(byPlace.map((candidate, rank) => [candidate, rank]));
  const sizes = [...new Set(candidates.map(sizeOf))].sort((a, b) => b - a);
  const sizeRanks = new Map(sizes.map((size, rank) => [size, rank]));
  const byValue = Map.groupBy(candidates, ({ value }) => value);
  const inLine = new Map<TextLine, number>();
  for (const { lines } of candidates) inLine.set(lines[0]!, (inLine.get(lines[0]!) ?? 0) + 1);
  return candidates.map((candidate) => {
    const same = byValue.get(candidate.value)!;
    const size = sizeOf(candidate);
    return {
      rank: ranks.get(candidate)!,
      count: candidates.length,
      sizeRank: sizeRanks.get(size)!,
      ofLargest: sizes[0]! > 0 ? size / sizes[0]! : 0,
      larger: sizes.length - sizeRanks.get(size)!,
      occurrences: same.length,
      sameInRow: inLine.get(candidate.lines[0]!)!,
      agreement: readings === 1 ? 1 : new Set(same.map(({ layout }) => layout)).size / readings,
    };
  });
}

function sizeOf(candidate: PlacedCandidate): number {
  return typeof candidate.value === 'number' ? Math.abs(candidate.value) : 0;
}
