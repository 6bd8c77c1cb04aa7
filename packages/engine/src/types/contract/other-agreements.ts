import type { PlacedCandidate } from '../../candidates/placed.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import type { ScoredField } from '../../score/score.ts';
import { withoutOthers } from '../../score/sift.ts';

/** Another agreement has a day of its own: `to that certain Services Agreement dated March 3, 2021`. */
const ofOtherAgreement =
  /(?<!\p{L})(?:that certain|pursuant to (?:the|an?) (?:\p{L}+ ){0,4}agreement|(?:original|existing|prior|underlying|aforementioned) (?:\p{L}+ ){0,4}agreement)(?!\p{L})(?:(?!(?:is|are|was) (?:made|entered|effective|dated))[^.;])*$/iu;

/** Whether a text that goes up to a day speaks of another agreement's. */
export function isDayOfOtherAgreement(text: string): boolean {
  return ofOtherAgreement.test(text);
}

/** The scored fields of a contract whose first day is no other agreement's. */
export function withoutOtherAgreements(scored: readonly ScoredField[]): readonly ScoredField[] {
  return withoutOthers(scored, { effective_date: ({ candidates }) => candidates.every(isOfOtherAgreement) });
}

function isOfOtherAgreement({ layout, lines: [line], end }: PlacedCandidate): boolean {
  if (!line) return false;
  const { above } = neighboursOf(layout, line);
  return isDayOfOtherAgreement(`${above?.text ?? ''} ${line.text.slice(0, end)}`);
}
