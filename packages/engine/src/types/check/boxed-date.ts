import type { ExtractedValue, Layout, Locale, TextLine } from '@millrace/document-model';
import { composedValue } from '../../compose/value.ts';
import { visualRows } from '../../layout/neighbours.ts';

/** A date in boxes has a digit in each, so that most are words of their own. */
const leastWords = 5;

/** The date of a check whose form has a box for each of its eight digits, as those of India and Canada have. */
export function boxedDate(layout: Layout, locale: Locale): ExtractedValue | null {
  const rows = visualRows(layout).filter((row) => row[0]?.page === 1);
  for (const [at, row] of rows.entries()) {
    const digits = row.flatMap((line) =>
      line.words.flatMap((word) => (/^\d{1,4}$/.test(word.text) ? [{ text: word.text, line }] : [])),
    );
    const text = digits.map((digit) => digit.text).join('');
    if (text.length !== 8 || digits.length < leastWords) continue;
    const letters = [rows[at + 1], rows[at - 1]].map((each) => lettersOf(each ?? [])).find((each) => each !== null);
    const date = dateOf(text, letters ?? orderOf(text, locale));
    const lines = [...new Set(digits.map(({ line }) => line))];
    if (date)
      return composedValue(
        date,
        84,
        lines.map((line) => ({ line })),
      );
  }
  return null;
}

/** What each box is for, as the form prints it below the boxes: `D D M M Y Y Y Y`. */
function lettersOf(row: readonly TextLine[]): string | null {
  const letters = row
    .map(({ text }) => text)
    .join('')
    .replaceAll(' ', '')
    .toUpperCase();
  return /^(?:DDMMYYYY|MMDDYYYY|YYYYMMDD)$/.test(letters) ? letters : null;
}

function orderOf(text: string, { dateOrder }: Locale): string {
  if (/^20[0-4]\d(?:0[1-9]|1[0-2])/.test(text)) return 'YYYYMMDD';
  return dateOrder === 'mdy' ? 'MMDDYYYY' : 'DDMMYYYY';
}

function dateOf(text: string, order: string): string | null {
  const part = (letter: string, length: number) => text.slice(order.indexOf(letter), order.indexOf(letter) + length);
  const [year, month, day] = [part('Y', 4), part('M', 2), part('D', 2)];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const isDate = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return isDate && Number(year) > 1990 && Number(year) < 2100 ? `${year}-${month}-${day}` : null;
}
