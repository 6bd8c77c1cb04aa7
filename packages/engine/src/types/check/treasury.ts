import type { ExtractedValue, Layout } from '@millrace/document-model';
import { composedValue } from '../../compose/value.ts';

const treasury = /^united states (?:of america )?treasury$/iu;
/** The day of issue as the Treasury prints it at the beginning of a row of numbers: month, day and year of two figures. */
const issued = /^(0[1-9]|1[0-2]) (0[1-9]|[12]\d|3[01]) (\d{2})(?= \d{8}|$)/;
/** The symbol of the office that pays, and the check's own number. */
const symbolAndNumber = /^(?:check no\.? )?(\d{4} \d{8})(?: [A-Z])?$/iu;

/** What a check of the United States Treasury prints in a form of its own; nothing of other checks. */
export function ofTreasury(layout: Layout): Readonly<Record<string, ExtractedValue>> {
  const lines = layout.lines.filter(({ page }) => page === 1).slice(0, 200);
  const payer = lines.find(({ text }) => treasury.test(text));
  if (!payer) return {};
  const date = lines.map((line) => ({ line, match: issued.exec(line.text) })).find(({ match }) => match !== null);
  const number = lines
    .map((line) => ({ line, match: symbolAndNumber.exec(line.text) }))
    .find(({ match }) => match !== null);
  const [, month, day, year] = date?.match ?? [];
  return {
    payer_name: composedValue(payer.text, 89.5, [{ line: payer }]),
    ...(date && {
      date: composedValue(`20${year}-${month}-${day}`, 88, [{ line: date.line, start: 0, end: date.match![0].length }]),
    }),
    ...(number && { check_number: composedValue(number.match![1]!, 85, [{ line: number.line }]) }),
  };
}
