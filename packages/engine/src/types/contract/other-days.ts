import type { PlacedCandidate } from '../../candidates/placed.ts';
import { unmarked } from '../../candidates/unmarked.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import type { ScoredField } from '../../score/score.ts';
import { withoutOthers } from '../../score/sift.ts';

/** Another agreement has a day of its own: `to that certain Services Agreement dated March 3, 2021`. */
const ofOtherAgreement =
  /(?<!\p{L})(?:that certain|pursuant to (?:the|an?) (?:\p{L}+ ){0,4}agreement|(?:original|existing|prior|underlying|aforementioned) (?:\p{L}+ ){0,4}agreement|(?:amendment|addendum|supplement|extension)(?: \([^)]{1,40}\))? (?:no\.? ?\d{1,2} )?to (?:the|that|an?) (?:\p{L}+ ){0,6}(?:agreement|lease|contract|licen[cs]e|deed))(?!\p{L})(?:(?!(?:is|are|was) (?:made|entered|effective|dated))[^.;])*$/iu;

/** Whether a text that goes up to a day speaks of another agreement's. */
export function isDayOfOtherAgreement(text: string): boolean {
  return ofOtherAgreement.test(text);
}

/** What a contract says of a person or of what is sold: since when there is either, or papers of it. */
const ofPersonOrThing = unmarked(
  /(?<!\p{L})(?:born|birth|geb(?:oren|\.)|geburt\p{L}*|née?|naissance|nacid[oa]|nacimiento|nascid[oa]|nascimento|nat[oa]|nascita|geboorte\p{L}*|circulation|erstzulassung|registered|immatricul\p{L}*|matriculación|expedid[oa]|emitid[oa]|délivrée?|rilasciat[oa])(?!\p{L})[^.;]{0,30}$/iu,
);

/** The scored fields of a contract whose days are no other agreement's, and of nobody's birth. */
export function withoutOtherDays(scored: readonly ScoredField[]): readonly ScoredField[] {
  return withoutOthers(scored, {
    effective_date: ({ candidates }) => candidates.every((each) => isOfOtherAgreement(each) || isOfPersonOrThing(each)),
    end_date: ({ candidates }) => candidates.every(isOfPersonOrThing),
  });
}

function isOfPersonOrThing({ lines: [line], start }: PlacedCandidate): boolean {
  return line !== undefined && ofPersonOrThing.test(line.text.slice(0, start));
}

function isOfOtherAgreement({ layout, lines: [line], end }: PlacedCandidate): boolean {
  if (!line) return false;
  const { above } = neighboursOf(layout, line);
  return isDayOfOtherAgreement(`${above?.text ?? ''} ${line.text.slice(0, end)}`);
}
