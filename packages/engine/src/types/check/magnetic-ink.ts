import type { ExtractedValue, Layout, TextLine, ValueFlag } from '@millrace/document-model';
import { isRoutingNumber } from '../../candidates/transit-number.ts';
import { composedValue } from '../../compose/value.ts';
import { visualRows } from '../../layout/neighbours.ts';
import { withoutZeros } from './numbers.ts';

/**
 * A check's numbers where its line of magnetic ink was read with its signs, which say what is what: ⑆transit⑆ first or
 * behind ⑈check number⑈, then the account up to ⑈, and on personal checks the check number before or behind it.
 *
 * @param printed the check's number in its corner
 * @returns no fields where no transit number stands between its signs
 */
export function magneticFields(
  layout: Layout,
  printed: string | null = null,
): Readonly<Record<string, ExtractedValue>> {
  for (const row of visualRows(layout).toReversed()) {
    const fields = fieldsOf(row, printed);
    if (fields) return fields;
  }
  return {};
}

/** What a typeface for magnetic ink has in the places of the letters: the text of a PDF has the letters. */
const signsOfLetters: Readonly<Record<string, string>> = { A: '⑆', B: '⑇', C: '⑈', D: '⑉' };

/** The lines of a row with their signs, where its text has letters for them; every character keeps its place. */
function withSigns(row: readonly TextLine[]): readonly TextLine[] {
  const isLettered =
    row.every(({ text }) => /^[\dA-D ]+$/.test(text)) && row.some(({ text }) => /A ?\d{9} ?A/.test(text));
  const sign = isLettered
    ? (text: string) => text.replaceAll(/[A-D]/g, (letter) => signsOfLetters[letter]!)
    : signReader(row);
  if (!sign) return row;
  return row.map((line) => ({
    ...line,
    text: sign(line.text),
    words: line.words.map((word) => ({ ...word, text: sign(word.text) })),
  }));
}

/**
 * Nine digits between two of the same marks, which are what ⑆ looks like in other typefaces (`|:`, `:`) or stands for it
 * in their text (`T`, `a`).
 */
const markedTransit = /(?<![\p{L}\d])(?:([:;|!I[\]]{1,2}) ?\d{9} ?[:;|!I[\]]{1,2}|([aTt]) ?\d{9} ?\2)(?![\p{L}\d])/u;
/** The longest line of magnetic ink, with its amount, and what none of them has. */
const longestFoot = 80;
const noFoot = /\p{L}{3}|[$€£%.,/()]/u;

/** How to write the signs of a row whose transit number stands between other marks; null for any other row. */
function signReader(row: readonly TextLine[]): ((text: string) => string) | null {
  if (row.some(({ text }) => text.length > longestFoot || noFoot.test(text) || text.includes('⑆'))) return null;
  const transit = row.map(({ text }) => markedTransit.exec(text)).find((match) => match !== null);
  if (!transit) return null;
  const marks = transit[2] ? new RegExp(`${transit[2]}`, 'gu') : /[:;![\]|I]/gu;
  return (text) =>
    text
      .replaceAll(/[-–—]/gu, '⑉')
      .replaceAll(/[|I!]{2}/gu, '⑈ ')
      .replaceAll(marks, '⑆')
      .replaceAll(/[^\d\s⑆⑈⑉]/gu, '⑈');
}

/** A number of a line: digits, perhaps parted by dashes or blanks, and what of it the next lines have. */
interface SignedNumber {
  readonly text: string;
  readonly line: TextLine;
  readonly start: number;
  readonly end: number;
  readonly rest?: readonly SignedNumber[];
}

/** Characters of E-13B that the reader was less sure of keep a value below 90. */
const sureWord = 0.9;

function fieldsOf(printedRow: readonly TextLine[], printed: string | null): Record<string, ExtractedValue> | null {
  const row = withSigns(printedRow);
  const transitLine = row.find(({ text }) => /⑆ ?\d{9} ?⑆/.test(text));
  const transit = transitLine && /⑆ ?(\d{9}) ?⑆/.exec(transitLine.text);
  if (!transitLine || !transit) return null;
  const start = transitLine.text.indexOf(transit[1]!, transit.index);
  const transitEnd = transit.index + transit[0].length;
  const before = numbersOf(row.filter((line) => line.box.x1 <= transitLine.box.x0)).concat(
    numbersOf([transitLine], 0, transit.index),
  );
  const rest = row.filter((line) => line.box.x0 >= transitLine.box.x1);
  const joined = numbersOf([transitLine], transitEnd).concat(numbersOf(rest));
  const isSigned = [transitLine.text.slice(transitEnd), ...rest.map(({ text }) => text)].some((text) => /⑈/.test(text));
  const behind = (isSigned ? inWhole(joined) : joined.flatMap(withoutSerial)).flatMap((number) =>
    withoutPrinted(number, printed),
  );
  const transitNumber = { text: transit[1]!, line: transitLine, start, end: start + 9 };
  const fields: Record<string, ExtractedValue> = {
    routing_number: isRoutingNumber(transit[1]!)
      ? numberValue(transitNumber, 99, ['check_digit_holds'])
      : numberValue(transitNumber, 75, ['check_digit_fails']),
  };
  // The account is the longest number up to its sign; what else stands there is the check's own number.
  const account = behind.toSorted((a, b) => b.text.length - a.text.length)[0];
  if (account) fields.account_number = numberValue(account, 95);
  const serial = before.at(-1) ?? behind.find((number) => number !== account);
  const own = serial && withoutZeros(serial.text);
  if (serial && own) fields.check_number = numberValue({ ...serial, text: own }, 93);
  return fields;
}

/** The numbers with those joined that no sign parts, though they are so far apart that they were read as two lines. */
function inWhole(numbers: readonly SignedNumber[]): readonly SignedNumber[] {
  const whole: SignedNumber[] = [];
  for (const number of numbers) {
    const previous = whole.at(-1);
    const last = previous?.rest?.at(-1) ?? previous;
    const isParted =
      !last ||
      last.line === number.line ||
      last.line.text.slice(last.end).trim() !== '' ||
      number.line.text.slice(0, number.start).trim() !== '';
    if (isParted) whole.push(number);
    else
      whole.splice(-1, 1, {
        ...previous!,
        text: previous!.text + number.text,
        rest: [...(previous!.rest ?? []), number],
      });
  }
  return whole;
}

/** The check's own number apart from the account that stands beside it without a sign, where its corner has the same. */
function withoutPrinted(number: SignedNumber, printed: string | null): readonly SignedNumber[] {
  const bare = (text: string) => withoutZeros(text.replace(/\D/g, ''));
  const groups = number.rest ? [] : [...number.line.text.slice(number.start, number.end).matchAll(/[\d⑉]+/gu)];
  const at = groups.findIndex(([group]) => printed !== null && bare(group) !== '' && bare(group) === bare(printed));
  if (groups.length < 2 || (at !== 0 && at !== groups.length - 1)) return [number];
  const others = groups.filter((_, index) => index !== at);
  const partOf = (parts: readonly RegExpExecArray[]): SignedNumber => ({
    line: number.line,
    text: parts.map(([group]) => group.replace(/\D/g, '')).join(''),
    start: number.start + parts[0]!.index,
    end: number.start + parts.at(-1)!.index + parts.at(-1)![0].length,
  });
  const account = partOf(others);
  return account.text.length < 5 ? [number] : [account, partOf([groups[at]!])];
}

/** An account and the check's number behind it, where the sign between them was not read: the number is the shorter. */
function withoutSerial(number: SignedNumber): readonly SignedNumber[] {
  const printed = number.line.text.slice(number.start, number.end);
  const blank = printed.lastIndexOf(' ');
  const [account, serial] = [printed.slice(0, blank), printed.slice(blank + 1)].map((text) => text.replace(/\D/g, ''));
  if (blank < 0 || serial!.length > 6 || account!.length < 6 || serial!.length >= account!.length) return [number];
  return [
    { ...number, text: account!, end: number.start + blank },
    { ...number, text: serial!, start: number.start + blank + 1 },
  ];
}

function numberValue(number: SignedNumber, confidence: number, flags: readonly ValueFlag[] = []): ExtractedValue {
  const parts = [number, ...(number.rest ?? [])];
  const own = number.text.slice(0, number.text.length - parts.slice(1).reduce((sum, { text }) => sum + text.length, 0));
  const isSure = parts.every((part) =>
    part.line.words.some(
      (word) => word.confidence >= sureWord && word.text.includes(part === number ? own : part.text),
    ),
  );
  return composedValue(
    number.text,
    isSure || flags.length > 0 ? confidence : Math.min(confidence, 85),
    parts.map(({ line, start, end }) => ({ line, start, end })),
    flags,
  );
}

/** The numbers of lines, without what stands between the signs of the amount, which a bank prints behind them. */
function numbersOf(lines: readonly TextLine[], from = 0, to = Infinity): SignedNumber[] {
  return lines.flatMap((line) => {
    const text = line.text.slice(0, to).replaceAll(/⑇[^⑇]*⑇?/g, (amount) => '⑇'.repeat(amount.length));
    return [...text.matchAll(/\d(?:[\d⑉ ]*\d)?/g)]
      .filter(({ index }) => index >= from)
      .map((match) => ({
        text: match[0].replaceAll(/[⑉ ]/g, ''),
        line,
        start: match.index,
        end: match.index + match[0].length,
      }));
  });
}
