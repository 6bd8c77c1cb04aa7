import type { ExtractedValue, Layout } from '@millrace/document-model';
import type { ComposedFields, Findings } from './compose.ts';
import { composePeriod } from './period.ts';
import { composedValue } from './value.ts';

/** A bank by its legal name, such as `Northgate Bank, N.A.`, wherever on its statement it stands. */
const legalBank = /(?<![\p{L}&.'’-])(?:\p{Lu}[\p{L}&.'’-]*,?\s(?:of\s)?){1,6}?(?:N\.\s?A\.|plc|PLC|NA)(?!\p{L})/gu;
const bankWord = /(?<!p{L})bank(?!p{L})/i;
const lineLimit = 2_000;

/** A statement's bank, where its legal name is printed, and its period, where it is printed as a range. */
export function composeBankStatement(findings: Findings): ComposedFields {
  return {
    ...composePeriod(findings, 'statement_start_date', 'statement_end_date'),
    bank_name: bankOf(findings.layout),
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
