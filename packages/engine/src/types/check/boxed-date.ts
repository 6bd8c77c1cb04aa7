import type { ExtractedValue, Layout, Locale, TextLine } from '@millrace/document-model';
import { monthOf } from '../../candidates/date.ts';
import { composedValue } from '../../compose/value.ts';
import { visualRows } from '../../layout/neighbours.ts';

/** A date in boxes has a digit in each, so that most are words of their own. */
const leastWords = 5;

/** What OCR reads the sides of a box as. */
const boxSides = /^[[\](){}|]+|[[\](){}|]+$/gu;

/** The date of a check whose form has a box for each of its eight digits, as those of India and Canada have. */
export function boxedDate(layout: Layout, locale: Locale): ExtractedValue | null {
  const rows = visualRows(layout).filter((row) => row[0]?.page === 1);
  for (const [at, row] of rows.entries()) {
    const digits = runsOfDigits(row).find((run) => run.reduce((sum, { text }) => sum + text.length, 0) === dateLength);
    if (!digits) continue;
    const text = digits.map((digit) => digit.text).join('');
    const order = [rows[at + 1], rows[at - 1]]
      .map((each) => orderBeside(each ?? []) ?? orderInWords(each ?? []))
      .find((each) => each !== null);
    if ((digits.length < leastWords && !order) || digits.some(({ isSure }) => !isSure)) continue;
    const date = dateOf(text, order ?? orderOf(text, locale));
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

const dateLength = 8;

/** A figure alone in its box that is less sure than this may be another one. */
const sureFigure = 0.7;

interface Digits {
  readonly text: string;
  readonly isSure: boolean;
  readonly line: TextLine;
}

/** Words of digits that follow each other in a row: the number of the payer's house may stand further left in it. */
function runsOfDigits(row: readonly TextLine[]): readonly (readonly Digits[])[] {
  const runs: Digits[][] = [[]];
  for (const line of row) {
    for (const word of line.words) {
      const text = word.text.replace(boxSides, '');
      if (/^\d{1,8}$/.test(text)) {
        // Of a word with the sides of its box, those may be what is unsure; a nought is unsure as it may be a letter.
        const isSure = word.text.length > 1 || text === '0' || word.confidence >= sureFigure;
        runs.at(-1)!.push({ text, isSure, line });
      } else if (text !== '') runs.push([]);
    }
  }
  return runs;
}

const orders = ['DDMMYYYY', 'MMDDYYYY', 'YYYYMMDD'];
/** Letters of which at least these many were read, small as they are. */
const leastLetters = 4;

/** What each box is for, as the form prints it below the boxes: `D D M M Y Y Y Y`, of which OCR may miss some. */
function orderBeside(row: readonly TextLine[]): string | null {
  const letters = row
    .map(({ text }) => text)
    .join('')
    .replaceAll(' ', '')
    .toUpperCase()
    // Year and day in French.
    .replaceAll('A', 'Y')
    .replaceAll('J', 'D')
    // What OCR takes letters of this size for.
    .replaceAll(/[0OQ]/g, 'D')
    .replaceAll('V', 'Y');
  if (!/^[DMY]+$/.test(letters) || letters.length < leastLetters) return null;
  const [only, ...others] = orders.filter((order) => isWithin(letters, order));
  return others.length === 0 ? (only ?? null) : null;
}

/** The order of a date's three boxes, as forms print it above them in words: `MO. DAY YR.`, `Month` `Day` `Year`. */
function orderInWords(row: readonly TextLine[]): string | null {
  const words = row.flatMap(
    ({ text }) => text.toLowerCase().match(/(?<!\p{L})(?:mo|month|day|yr|year)(?!\p{L})/gu) ?? [],
  );
  const [only, ...others] = orders.filter(
    (order) => order.replaceAll(/(.)\1*/g, '$1') === words.map((word) => word[0]!.toUpperCase()).join(''),
  );
  return others.length === 0 ? (only ?? null) : null;
}

/** Whether letters stand in an order one behind the other, with or without others between them. */
function isWithin(letters: string, order: string): boolean {
  let at = -1;
  return [...letters].every((letter) => {
    at = order.indexOf(letter, at + 1);
    return at >= 0;
  });
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

const dayAndMonth = /^(?:date[\s:_]*)?(\p{L}{3,9})\.? ?(\d{1,2})(?:st|nd|rd|th)?,?$/iu;
const monthAndDay = /^(?:date[\s:_]*)?(\d{1,2})[/-](\d{1,2})[/,-]?$/iu;
/** Behind a day's line, how far the year may stand, in heights of it. */
const yearsDistance = 8;

/** The date of a check whose form has the year, or its first two figures, printed apart from the day: `Oct. 4` `2022`. */
export function dateBesideYear(layout: Layout, locale: Locale): ExtractedValue | null {
  for (const line of layout.lines.slice(0, 100)) {
    const written = dayAndMonth.exec(line.text);
    const figures = locale.dateOrder === 'mdy' ? monthAndDay.exec(line.text) : null;
    const year = written || figures ? yearBehind(line, layout) : undefined;
    if (!year) continue;
    const month = written ? monthOf(written[1]!) : Number(figures![1]);
    const date =
      month === null
        ? null
        : dateOf(`${year.text.replace(/\D/g, '')}${two(month)}${two(Number((written ?? figures)![2]))}`, 'YYYYMMDD');
    if (date) return composedValue(date, 84, [{ line }, { line: year }]);
  }
  return null;
}

/** What stands behind a day on the same rule, written larger than the year is printed. */
function yearBehind({ page, box }: TextLine, layout: Layout): TextLine | undefined {
  const height = box.y1 - box.y0;
  return layout.lines.find(
    (line) =>
      line.page === page &&
      /^,? ?20 ?\d{2}$/.test(line.text) &&
      line.box.x0 >= box.x1 &&
      line.box.x0 - box.x1 < yearsDistance * height &&
      line.box.y0 < box.y1 &&
      line.box.y1 > box.y0 + 0.3 * height &&
      line.box.y0 < box.y0 + height,
  );
}

const two = (number: number) => String(number).padStart(2, '0');
