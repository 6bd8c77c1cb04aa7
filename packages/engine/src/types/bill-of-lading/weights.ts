import type { PlacedCandidate } from '../../candidates/placed.ts';
import type { ScoredField } from '../../score/score.ts';

const otherWeight = /(?<!\p{L})(?:net|tare|netto|neto|chargeable)(?: (?:weight|wt)\.?)?\s*[:.]?\s*$/iu;

/** The scored fields of a bill of lading whose gross weight is none that the words before it call net or tare. */
export function withoutNetWeights(scored: readonly ScoredField[]): readonly ScoredField[] {
  return scored.map((entry) =>
    entry.field.name === 'gross_weight'
      ? { ...entry, ranked: entry.ranked.filter(({ candidates }) => !candidates.every(isOtherWeight)) }
      : entry,
  );
}

function isOtherWeight({ lines: [line, ...more], start }: PlacedCandidate): boolean {
  return line !== undefined && more.length === 0 && otherWeight.test(line.text.slice(0, start));
}
