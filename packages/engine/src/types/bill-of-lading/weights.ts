import type { PlacedCandidate } from '../../candidates/placed.ts';
import type { ScoredField } from '../../score/score.ts';
import { withoutOthers } from '../../score/sift.ts';

const otherWeight = /(?<!\p{L})(?:net|tare|netto|neto|chargeable)(?: (?:weight|wt)\.?)?\s*[:.]?\s*$/iu;

/** The scored fields of a bill of lading whose gross weight is none that the words before it call net or tare. */
export function withoutNetWeights(scored: readonly ScoredField[]): readonly ScoredField[] {
  return withoutOthers(scored, { gross_weight: ({ candidates }) => candidates.every(isOtherWeight) });
}

function isOtherWeight({ lines: [line, ...more], start }: PlacedCandidate): boolean {
  return line !== undefined && more.length === 0 && otherWeight.test(line.text.slice(0, start));
}
