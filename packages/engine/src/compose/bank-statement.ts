import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import type { PlacedCandidate } from '../candidates/placed.ts';
import { rowOf } from '../layout/neighbours.ts';
import type { ComposedFields, Findings } from './compose.ts';
import { composePeriod } from './period.ts';
import { candidateValue, composedValue } from './value.ts';

/** A bank by its legal name, such as `Northgate Bank, N.A.`, wherever on its statement it stands. */
const legalBank = /(?<![\p{L}&.'’-])(?:\p{Lu}[\p{L}&.'’-]*,?\s(?:of\s)?){1,6}?(?:N\.\s?A\.|plc|PLC|NA)(?!\p{L})/gu;
const bankWord = /(?<!p{L})bank(?!p{L})/i;
const lineLimit = 2_000;

/** A statement's bank, where its legal name is printed, and its period, where it is printed as a range. */
export function composeBankStatement(findings: Findings): ComposedFields {
  return {
    ...composePeriod(findings, 'statement_start_date', 'statement_end_date'),
    bank_name: bankOf(findings.layout),
    ...datedBalances(findings),
  };
}

const balanceOn =
  /^(?:kontostand|saldo|solde|balance|(?:ledger|account) balance)\b.{0,12}?\b(?:am|on|as (?:of|at)|al|au|a|em|per|vom|zum)\b/iu;

/** The opening and closing balance of statements that call both by their day alone: `Balance on 28 Feb`, `Balance on 31 Mar`. */
function datedBalances({ layout, candidates }: Findings): ComposedFields {
  const placed = candidates as readonly PlacedCandidate[];
  const balances = layout.lines.slice(0, lineLimit).flatMap((line) => {
    if (!balanceOn.test(line.text)) return [];
    const row = rowOf(layout, line);
    const of = (kind: string, lines: readonly TextLine[]) =>
      placed.filter((each) => each.kind === kind && each.lines.length === 1 && lines.includes(each.lines[0]!));
    const [date] = of('date', [line]);
    const amount = of('amount', row).findLast(({ text }) => /[.,]\d{2}(?!\d)/.test(text));
    return date && amount ? [{ date, amount }] : [];
  });
  const ordered = balances.toSorted((a, b) => (String(a.date.value) < String(b.date.value) ? -1 : 1));
  const [first, last] = [ordered[0], ordered.at(-1)];
  if (!first || !last || first.date.value === last.date.value) return {};
  return {
    opening_balance: candidateValue(first.amount, 86),
    closing_balance: candidateValue(last.amount, 86),
    statement_end_date: candidateValue(last.date, 80),
  };
}

/** The bank that is named most often; null where none is. */
function bankOf(layout: Layout): ExtractedValue | null {
  const found = layout.lines.slice(0, lineLimit).flatMap((line) => {
    if (line.text.length > 400) return [];
    return [...line.text.matchAll(legalBank)].flatMap((match) =>
      bankWord.test(match[0]) ? [{ name: match[0], line, start: match.index, end: match.index + match[0].length }] : [],
    );
  });
  const [most] = [...Map.groupBy(found, ({ name }) => name.toLowerCase()).values()].sort((a, b) => b.length - a.length);
  const first = most?.[0];
  return first ? composedValue(first.name, 76, [first]) : null;
}
