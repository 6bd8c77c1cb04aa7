import type { ComposedFields, Findings } from './compose.ts';
import { composedValue } from './value.ts';

/** A British or Irish bank's branch, in three pairs of digits. */
const sortCode = /(?<!\p{L})sort ?code[: ]*\d{2}[- ]?\d{2}[- ]?\d{2}(?!\d)/iu;
const account = /(?<!\p{L})(?:account|acct?|a\/c)\.?(?: ?(?:number|num|no)\.?)?[: ]+(?<number>\d{8})(?!\d)/iu;

/** The number of the account to pay to, where one line states it with its sort code, as sentences do. */
export function composeBankDetails({ layout }: Pick<Findings, 'layout'>): ComposedFields {
  const found = layout.lines.slice(0, 2000).flatMap((line) => {
    const match = sortCode.test(line.text) ? account.exec(line.text) : null;
    const number = match?.groups?.number;
    return match && number ? [{ line, number, end: match.index + match[0].length }] : [];
  });
  const [first] = found;
  return first && found.every(({ number }) => number === first.number)
    ? {
        bank_account_number: composedValue(first.number, 84, [
          { line: first.line, start: first.end - first.number.length, end: first.end },
        ]),
      }
    : {};
}
