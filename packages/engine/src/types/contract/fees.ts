import type { PlacedCandidate } from '../../candidates/placed.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import type { ScoredField } from '../../score/score.ts';
import { withoutOthers } from '../../score/sift.ts';

const before =
  /(?<!\p{L})(?:late (?:fee|charge)|penalty|deposit|instal\p{L}*|signing bonus|monthly|monatlich\p{L}*|mensue?l\p{L}*|mensual\p{L}*|mensil[ei]|mensal|maandelijks\p{L}*|(?:kalt|warm|grund|netto)miete|échéance|reimburse\p{L}*|kaution|vertragsstrafe|dépôt de garantie|fianza|cauzione)(?!\p{L})(?:[.:] )?[^.;]{0,40}$/iu;
const rate =
  /^ ?(?:per|an?|each|every|\/|je|pro|par|por|al|per ogni) ?(?:hour|day|week|month|stunde|tag|monat|heure|jour|mois|hora|día|mes|ora|giorno|mese)(?!\p{L})/iu;

/** The scored fields of a contract whose total is no fee for being late, deposit or rate by the hour. */
export function withoutFees(scored: readonly ScoredField[]): readonly ScoredField[] {
  return withoutOthers(scored, { total_amount: ({ candidates }) => candidates.every(isFee) });
}

function isFee({ layout, lines: [line, ...more], start, end }: PlacedCandidate): boolean {
  if (!line || more.length > 0) return false;
  const { above, below } = neighboursOf(layout, line);
  const behind = line.text.slice(end);
  // A sum may stand at the break of a line: `a fee of $900 per / month`.
  const isBroken = /^ ?\p{L}*$/u.test(behind);
  return (
    before.test(`${start === 0 ? (above?.text ?? '') : ''} ${line.text.slice(0, start)}`) ||
    isRateBehind(isBroken ? `${behind} ${below?.text ?? ''}` : behind)
  );
}

/** Whether the text behind a sum makes it one by the hour or the month. */
export function isRateBehind(text: string): boolean {
  return rate.test(text);
}
