import type { ExtractedValue, Layout, Locale, TextLine } from '@millrace/document-model';
import { parseAmount } from '../../candidates/amount.ts';
import { isRoutingNumber } from '../../candidates/transit-number.ts';
import { textsAtCaption } from '../../compose/captioned.ts';
import type { ComposedFields, Findings } from '../../compose/compose.ts';
import { composedValue } from '../../compose/value.ts';
import { visualRows } from '../../layout/neighbours.ts';

/** A check's number as it is printed in the corner. */
export interface PrintedNumber {
  readonly text: string;
  readonly line: TextLine;
}

/**
 * What is printed in magnetic ink at a check's foot, as a reader of letters has it. The signs of E-13B (transit ⑆, on-us ⑈)
 * are read as all sorts of marks, so the numbers are identified by their length and the transit number's check digit.
 */
export function numbersInInk(layout: Layout, printed: PrintedNumber | null): Record<string, ExtractedValue> {
  const numbers = rowInInk(layout, printed);
  if (!numbers) return {};
  const fields: Record<string, ExtractedValue> = {};
  const routing = numbers.findIndex(({ text }) => isRoutingNumber(text));
  const valueAt = (index: number, confidence: number, flags: readonly 'check_digit_holds'[] = []) => {
    const { text, line, start, end } = numbers[index]!;
    return composedValue(text, confidence, [{ line, start, end }], flags);
  };
  // Among the places that a longer number has for one, a check digit holds by chance too often to prove anything.
  const isWhole = !numbers[routing]!.isWithin;
  fields.routing_number = isWhole ? valueAt(routing, 96, ['check_digit_holds']) : valueAt(routing, 85);
  const rest = numbers.map((_, index) => index).filter((index) => index !== routing);
  // Where the corner has the check's number, or one stands first, the account is all else behind the transit number.
  const own = rest.filter((index) => index < routing);
  const serial =
    rest.find((index) => numbers[index]!.line !== printed?.line && isSameNumber(numbers[index]!.text, printed)) ??
    (own.length === 1 ? own[0] : undefined);
  const parts =
    serial === undefined
      ? []
      : rest.filter((index) => index > routing && (serial > routing ? index < serial : index !== serial));
  // Business checks print their number before the transit number, personal ones behind the account or first of all.
  const account =
    parts[0] ??
    rest.find((index) => index > routing && numbers[index]!.text.length >= 6) ??
    rest.find((index) => index > routing);
  const digits = parts.map((index) => numbers[index]!.text).join('');
  if (parts.length > 1 && digits.length <= 14) {
    fields.account_number = composedValue(
      digits,
      80,
      parts.map((index) => numbers[index]!),
    );
  } else if (account !== undefined) fields.account_number = valueAt(account, 85);
  const number = serial ?? rest.find((index) => index !== account);
  if (number !== undefined) {
    const { text, line, start, end } = numbers[number]!;
    const agrees =
      printed !== null && !numbers.some((each) => each.line === printed.line) && isSameNumber(text, printed);
    fields.check_number = composedValue(
      agrees ? printed.text : withoutZeros(text),
      agrees ? 95 : 80,
      [...(agrees ? [{ line: printed.line }] : []), { line, start, end }],
      agrees ? ['readings_agree'] : [],
    );
  }
  return fields;
}

/** A number as it is without the zeros that fill its place in the line of magnetic ink. */
export function withoutZeros(number: string): string {
  return number.replace(/^0+/, '');
}

function isSameNumber(text: string, printed: PrintedNumber | null): boolean {
  return printed !== null && withoutZeros(text) === withoutZeros(printed.text);
}

/** The numbers of the lowest row with a bank's transit number and another one; undefined where there is none. */
function rowInInk(layout: Layout, printed: PrintedNumber | null): readonly MagneticNumber[] | undefined {
  return visualRows(layout)
    .toReversed()
    .map((row) => {
      if (row.some(({ text }) => isStamp(text))) return [];
      // Of a row with anything but numbers, a long number is somebody's that by chance has such digits within.
      // Where the signs were read as such, none of them is among the digits.
      const isBare = !row.some(({ text }) => /\p{L}{2}|[$€£%⑆⑈]|\d[-/.]\d\d(?!\d)/u.test(text));
      return row.flatMap((line) =>
        [...line.text.matchAll(/\d[\d ]*\d/g)].flatMap((match) => numbersOf(line, match, isBare, printed)),
      );
    })
    .find((numbers) => numbers.some(({ text }) => isRoutingNumber(text)) && numbers.length > 1);
}

/**
 * The check's number as its corner prints it, where the magnetic line has the same, with more or fewer zeros. Where
 * the line has another one, neither is sure, and the corner is the easier to read.
 */
export function asPrinted(read: ExtractedValue | undefined, printed: PrintedNumber | null): ComposedFields {
  if (!read || !printed) return {};
  return isSameNumber(String(read.value), printed)
    ? { check_number: { ...read, value: printed.text, flags: [...read.flags, 'readings_agree'] } }
    : { check_number: composedValue(printed.text, 70, [{ line: printed.line }], ['readings_differ']) };
}

/** The account on the last line, where checks of other countries have it behind their number. */
export function accountAtFoot(
  layout: Layout,
  { language }: Locale,
  printed: PrintedNumber | null,
): ExtractedValue | null {
  const line = visualRows(layout).at(-1)?.at(-1);
  // The foot of a French check has the bank’s and the account’s parts run together.
  const match = line && language !== 'fr' ? /(?<![\d.,])(\d{6,14})\W{0,3}$/.exec(line.text) : null;
  if (!line || !match || match[1] === printed?.text) return null;
  return composedValue(match[1]!, 60, [{ line, start: match.index, end: match.index + match[1]!.length }]);
}

/** The number of at least so many digits at a field's caption. */
export function captionedNumber(
  { type, layout, locale }: Findings,
  field: string,
  least: number,
): ExtractedValue | null {
  for (const { text, stretch, score } of textsAtCaption(type, field, layout)) {
    // `No/100` is a part of the amount in words.
    if (stretch.line.text[stretch.start - 1] === '/') continue;
    const match = /^\W*(\d[\d-]{2,18})(?![.,\d])/.exec(text);
    if (!match || match[1]!.length < least || parseAmount(text, locale)?.currency) continue;
    const start = stretch.start + match[0].length - match[1]!.length;
    return composedValue(match[1]!, Math.round(55 + 25 * score), [
      { line: stretch.line, start, end: stretch.start + match[0].length },
    ]);
  }
  return null;
}

/** The number of a money order, where it is printed. */
const serialCaption = /(?:serial|money order) (?:no\.?|number|#) ?:?\s*(\d[\d-]{5,16}\d)$/iu;

/** The numbers in magnetic ink where the longest of them is the serial number that is printed, and no account. */
export function withSerial(
  fields: Readonly<Record<string, ExtractedValue>>,
  layout: Layout,
): Record<string, ExtractedValue> {
  const { account_number: account, check_number: number, ...others } = fields;
  const line = layout.lines.slice(0, 200).find(({ text }) => serialCaption.test(text));
  const serial = line && serialCaption.exec(line.text)?.[1];
  const isSerial = account && serial?.replaceAll('-', '').startsWith(String(account.value));
  if (!line || !serial || !isSerial || String(account.value).length < 8) return { ...fields };
  const start = line.text.length - serial.length;
  return {
    ...others,
    check_number: composedValue(serial, 89, [{ line, start, end: line.text.length }]),
    ...(number && String(number.value).length >= 5 && { account_number: number }),
  };
}

/** Whether a text has the number of the bank that took the check in, which its stamp has between arrows beside a day of its own. */
export function isBankStamp(text: string): boolean {
  return /[><] ?\d{9} ?[<>]/u.test(text);
}

/** Whether a text has a day, or the number of the bank that took the check in, which its stamp on the back has between arrows. */
function isStamp(text: string): boolean {
  return isBankStamp(text) || /(?<!\d)\d{1,2}[/.-]\d{1,2}[/.-](?:19|20)\d{2}(?!\d)/u.test(text);
}

interface MagneticNumber {
  readonly text: string;
  readonly line: TextLine;
  readonly start: number;
  readonly end: number;
  /** Whether it was found within a longer number. */
  readonly isWithin?: boolean;
}

/**
 * A stretch of digits of a row, which is bare where it has nothing but numbers: apart at its blanks where one of the
 * parts is a transit number. The signs around a number are
 * often read as one or two digits, which are left out where a transit number or the printed number lies between them.
 */
function numbersOf(
  line: TextLine,
  match: RegExpExecArray,
  isBare: boolean,
  printed: PrintedNumber | null,
): MagneticNumber[] {
  const parts = [...match[0].matchAll(/\d+/g)].map(
    (part): MagneticNumber => ({
      text: part[0],
      line,
      start: match.index + part.index,
      end: match.index + part.index + part[0].length,
    }),
  );
  if (parts.some(({ text }) => isRoutingNumber(text))) return parts;
  const whole = { line, start: match.index, end: match.index + match[0].length };
  const own = parts.find(({ text }) => text === printed?.text);
  if (own && parts.length > 1) return [own];
  const joined = match[0].replaceAll(' ', '');
  const routing = isBare ? routingWithin(joined) : null;
  return [{ ...whole, text: routing ?? joined, isWithin: routing !== null }];
}

/** A transit number between signs that were read as digits; null where none or more than one may be meant. */
function routingWithin(digits: string): string | null {
  if (digits.length < 10 || digits.length > 13) return null;
  const windows = Array.from({ length: digits.length - 8 }, (_, at) => digits.slice(at, at + 9));
  const valid = windows.filter(
    // Of the twelve districts of the Federal Reserve, thrift institutions and electronic transfers, or the government's.
    (text) => /^(?:0[1-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2])/.test(text) && isRoutingNumber(text),
  );
  return valid.length === 1 ? valid[0]! : null;
}

/** Whether a number is the year of a date whose day and month stand apart right before it: `05` `14` `2024`. */
function isYearOfDate({ text, page, box }: TextLine, lines: readonly TextLine[]): boolean {
  if (!/^(?:19|20)\d{2}$/.test(text)) return false;
  const height = box.y1 - box.y0;
  return lines.some(
    (line) =>
      line.page === page &&
      /^(?:\d{1,2}(?:st|nd|rd|th)?,?|[|/])$/iu.test(line.text) &&
      line.box.x1 <= box.x0 + height &&
      box.x0 - line.box.x1 < 4 * height &&
      Math.abs(line.box.y0 + line.box.y1 - box.y0 - box.y1) < height,
  );
}

/** The number in the upper right corner: digits alone, perhaps behind `No.`. */
export function printedNumber(lines: readonly TextLine[]): PrintedNumber | null {
  const right = Math.max(...lines.map(({ box }) => box.x1));
  const found = lines
    .filter(
      (line) =>
        /^(?:(?:no|nr|n[º°]|check no|check number|cheque no)\.?:? ?)?\d{3,10}$/i.test(withoutRule(line.text)) &&
        line.box.x0 > right * 0.5 &&
        !isYearOfDate(line, lines),
    )
    .sort((a, b) => a.box.y0 - b.box.y0)[0];
  return found ? { text: /\d+$/.exec(withoutRule(found.text))![0], line: found } : null;
}

/** A text without the edge of the check right behind it, which OCR takes for a stroke. */
function withoutRule(text: string): string {
  return text.replace(/ [|\]]$/, '');
}
