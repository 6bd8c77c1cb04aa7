import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { parseAmount } from '../../candidates/amount.ts';
import { isFormPhrase, isHeading } from '../../candidates/headings.ts';
import { textsAtCaption } from '../../compose/captioned.ts';
import type { ComposedFields, Findings } from '../../compose/compose.ts';
import { isOrganizationName, isPersonName, titleCased } from '../../compose/names.ts';
import { candidateValue, composedValue, onlyValue } from '../../compose/value.ts';
import { neighboursOf, visualRows } from '../../layout/neighbours.ts';
import { isMagnetic, isRoutingNumber, magneticFields } from './magnetic-ink.ts';

/**
 * What is printed in magnetic ink at a check's foot, and the amount in words. The signs of E-13B (transit ⑆, on-us ⑈)
 * are read as all sorts of marks, so the numbers are identified by their length and the transit number's check digit.
 */
export function composeCheck({ type, layout, locale, candidates }: Findings): ComposedFields {
  const fields: Record<string, ExtractedValue | null> = {};
  const printed = printedNumber(layout.lines);
  const magnetic = visualRows(layout)
    .toReversed()
    .map((row) =>
      row.flatMap((line) => [...line.text.matchAll(/\d[\d ]*\d/g)].flatMap((match) => numbersOf(line, match, printed))),
    )
    .find((numbers) => numbers.some(({ text }) => isRoutingNumber(text)) && numbers.length > 1);
  if (magnetic) {
    const numbers = magnetic;
    const routing = numbers.findIndex(({ text }) => isRoutingNumber(text));
    const valueAt = (index: number, confidence: number, flags: readonly 'check_digit_holds'[] = []) => {
      const { text, line, start, end } = numbers[index]!;
      return composedValue(text, confidence, [{ line, start, end }], flags);
    };
    fields.routing_number = valueAt(routing, 96, ['check_digit_holds']);
    const rest = numbers.map((_, index) => index).filter((index) => index !== routing);
    // Business checks print their number before the transit number, personal ones behind the account or first of all.
    const account =
      rest.find((index) => index > routing && numbers[index]!.text.length >= 6) ??
      rest.find((index) => index > routing);
    if (account !== undefined) fields.account_number = valueAt(account, 85);
    const number = rest.find((index) => index !== account);
    if (number !== undefined) {
      const { text, line, start, end } = numbers[number]!;
      const own = text.replace(/^0+/, '');
      const agrees =
        printed !== null &&
        !magnetic.some((each) => each.line === printed.line) &&
        printed.text.replace(/^0+/, '') === own;
      fields.check_number = composedValue(
        agrees ? printed.text : own,
        agrees ? 95 : 80,
        [...(agrees ? [{ line: printed.line }] : []), { line, start, end }],
        agrees ? ['readings_agree'] : [],
      );
    }
  }
  Object.assign(fields, magnetic ? {} : britishFoot(layout));
  if (!fields.check_number) fields.check_number = captionedNumber('check_number', 3);
  // Indian checks print the whole account, and in magnetic ink only a part of it.
  fields.account_number =
    captionedNumber('account_number', 9) ??
    fields.account_number ??
    footNumber() ??
    captionedNumber('account_number', 6);
  const words = amountInWords(layout, candidates);
  if (words) {
    fields.amount_words = words.stated;
    fields.amount = words.amount;
  }
  const date = dateBesideVoucher(layout, candidates);
  if (date) fields.date = date;
  if (!fields.check_number && printed) {
    fields.check_number = composedValue(printed.text, 65, [{ line: printed.line }]);
  }
  const magneticInk = magneticFields(layout);
  return { ...fields, ...partiesOf(layout), ...magneticInk, ...asPrinted(magneticInk.check_number) };

  /**
   * The check's number as its corner prints it, where the magnetic line has the same, with more or fewer zeros. Where
   * the line has another one, neither is sure, and the corner is the easier to read.
   */
  function asPrinted(read: ExtractedValue | undefined): ComposedFields {
    if (!read || !printed) return {};
    const bare = (text: string) => text.replace(/^0+/, '');
    return bare(printed.text) === bare(String(read.value))
      ? { check_number: { ...read, value: printed.text, flags: [...read.flags, 'readings_agree'] } }
      : { check_number: composedValue(printed.text, 70, [{ line: printed.line }], ['readings_differ']) };
  }

  /** The account on the last line, where checks of other countries have it behind their number. */
  function footNumber(): ExtractedValue | null {
    const line = layout.lines.toSorted((a, b) => b.page - a.page || b.box.y0 - a.box.y0)[0];
    const match = line && /(?<![\d.,])(\d{6,14})\W{0,3}$/.exec(line.text);
    if (!match || match[1] === printed?.text) return null;
    return composedValue(match[1]!, 60, [{ line, start: match.index, end: match.index + match[1]!.length }]);
  }

  function captionedNumber(field: string, least: number): ExtractedValue | null {
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
}

const britishLine = /^\W{0,3}(\d{6})\W{1,6}(\d{2}-?\d{2}-?\d{2})\W{1,6}(\d{8})\W{0,3}$/u;

/** The foot of a British cheque: its number, the sort code of the branch, and the account. */
function britishFoot(layout: Layout): ComposedFields {
  for (const row of visualRows(layout).toReversed()) {
    const match = britishLine.exec(row.map(({ text }) => text).join(' '));
    if (!match) continue;
    const printedAt = (text: string, confidence: number) => {
      const line = row.find((each) => each.text.includes(text))!;
      const start = line.text.indexOf(text);
      return composedValue(text, confidence, [{ line, start, end: start + text.length }]);
    };
    if (match.slice(1).some((text) => !row.some((line) => line.text.includes(text)))) return {};
    return {
      check_number: printedAt(match[1]!, 84),
      routing_number: printedAt(match[2]!, 84),
      account_number: printedAt(match[3]!, 84),
    };
  }
  return {};
}

const orderOf = /^(?:pay to (?:the )?)?(?:the )?order of\b[:\s]*/iu;
/** The first of the lines that these words take in a narrow column: `TO THE`, `ORDER`, `OF`. */
const firstOfOrder = /^(?:pay )?to(?: the)?$/iu;
const restOfOrder = /^(?:the )?order(?: of)?$/iu;
/** A name and what else a check's corner has before an address: a title of the account, a license. */
const corner = { height: 0.35, width: 0.5 };
const bankWord = /(?<!\p{L})(?:bank|credit union|savings|trust|n\.a\.)(?!\p{L})/iu;

/** Whom a check is to be paid to, behind the words that say so, and the bank it is drawn on, by what banks are called. */
function partiesOf(layout: Layout): ComposedFields {
  const fields: Record<string, ExtractedValue> = {};
  for (const line of layout.lines.slice(0, 200)) {
    const below = firstOfOrder.test(line.text) ? neighboursOf(layout, line).below : null;
    const isBroken = below !== null && restOfOrder.test(below.text);
    const caption = isBroken ? /.*/u.exec(line.text) : orderOf.exec(line.text);
    if (caption && !fields.payee_name) {
      const behind = line.text.slice(caption[0].length);
      const { right } = neighboursOf(layout, line);
      const place =
        behind === ''
          ? right && { line: right, text: right.text, offset: 0 }
          : { line, text: behind, offset: caption[0].length };
      const name = place && /^[^$€£*_\d]*\p{L}{2}[^$€£*_\d]*/u.exec(place.text)?.[0].trimEnd();
      if (place && name && name.length <= 60 && !isHeading(name) && !isFormPhrase(name)) {
        fields.payee_name = composedValue(name, 84, [
          { line: place.line, start: place.offset, end: place.offset + name.length },
        ]);
      }
    }
    const note = noteOf(line, layout);
    if (note) fields.memo ??= note;
    const isBank = bankWord.test(line.text) && line.text.split(' ').length <= 6 && !/\d|:/.test(line.text);
    if (isBank && !fields.bank_name && !isFormPhrase(line.text))
      fields.bank_name = composedValue(line.text, 89, [{ line }]);
  }
  const drawer = drawerOf(layout) ?? drawerAtSignature(layout);
  return drawer ? { payer_name: drawer, ...fields } : fields;
}

const noteCaption = /^(?:memo|for|re)\b[:.\s_]*/iu;

/** What a check is for, right behind its caption, and not the signature further right. */
function noteOf(line: TextLine, layout: Layout): ExtractedValue | null {
  const caption = noteCaption.exec(line.text);
  if (!caption) return null;
  const behind = line.text.slice(caption[0].length).replace(/[\s_]+$/, '');
  if (behind !== '') {
    const isNote = /[\p{L}\d]{2}/u.test(behind) && behind.length <= 50 && !/^for\b/i.test(line.text);
    const start = caption[0].length;
    return isNote ? composedValue(behind, 89.5, [{ line, start, end: start + behind.length }]) : null;
  }
  const { right } = neighboursOf(layout, line);
  const isNear = right && right.box.x0 - line.box.x1 < 6 * (line.box.y1 - line.box.y0);
  return isNear && /[\p{L}\d]{2}/u.test(right.text) ? composedValue(right.text, 89.5, [{ line: right }]) : null;
}

/** Who draws a check: the first line of its upper left corner, unless that is the bank. */
function drawerOf(layout: Layout): ExtractedValue | null {
  const page = layout.document.pages[0];
  if (!page) return null;
  const right = Math.max(...layout.lines.map(({ box }) => box.x1), 1);
  const bottom = Math.max(...layout.lines.map(({ box }) => box.y1), 1);
  const [first, second] = layout.lines
    .filter(
      ({ page: number, box }) =>
        number === page.number &&
        box.y1 < (corner.height + 0.15) * bottom &&
        box.x0 < 0.2 * right &&
        box.x1 < (corner.width + 0.1) * right,
    )
    .toSorted((a, b) => a.box.y0 - b.box.y0);
  if (
    !first ||
    !second ||
    first.box.y1 >= corner.height * bottom ||
    !/^\p{Lu}[\p{L}\d&.,'’ -]{2,60}$/u.test(first.text) ||
    /\d{3}/.test(first.text)
  )
    return null;
  const isName =
    (isPersonName(titleCased(first.text)) || isOrganizationName(first.text) !== null || / & /.test(first.text)) &&
    !bankWord.test(first.text);
  return isName && !isHeading(first.text) && !isFormPhrase(first.text)
    ? composedValue(first.text, 89.5, [{ line: first }])
    : null;
}

/** The name of an account's holder, as British and Indian checks print it where it is signed. */
const signatory =
  /^(?:for (?:and on behalf of )?(?=\p{Lu}{2}|\p{Lu}['’])|(?=(?:mr|mrs|ms|miss|dr|messrs|m\/s)\.? \p{Lu}))([\p{Lu}\d][\p{L}\d&.,'’/ -]{3,60})$/iu;

/** Who draws a check that names nobody in its corner: whose signature is to stand on the right, in its lower half. */
function drawerAtSignature(layout: Layout): ExtractedValue | null {
  const lines = layout.lines.filter(({ page }) => page === 1);
  const right = Math.max(...lines.map(({ box }) => box.x1), 1);
  for (const line of lines.toReversed()) {
    const match = line.box.x0 > 0.45 * right ? signatory.exec(line.text) : null;
    const name = match?.[1];
    if (!name || bankWord.test(name) || isHeading(name) || isFormPhrase(name)) continue;
    return composedValue(name, 89.5, [{ line, start: line.text.length - name.length, end: line.text.length }]);
  }
  return null;
}

interface MagneticNumber {
  readonly text: string;
  readonly line: TextLine;
  readonly start: number;
  readonly end: number;
}

/**
 * A stretch of digits, apart at its blanks where one of the parts is a transit number. The signs around a number are
 * often read as one or two digits, which are left out where a transit number or the printed number lies between them.
 */
function numbersOf(
  line: TextLine,
  match: RegExpExecArray,
  printed: { readonly text: string } | null,
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
  const routing = routingWithin(joined);
  return [{ ...whole, text: routing ?? joined }];
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

/** The number in the upper right corner: digits alone, perhaps behind `No.`. */
function printedNumber(lines: readonly TextLine[]): { text: string; line: TextLine } | null {
  const right = Math.max(...lines.map(({ box }) => box.x1));
  const found = lines
    .filter(
      (line) =>
        /^(?:(?:no|nr|n[º°]|check no|check number|cheque no)\.?:? ?)?\d{3,10}$/i.test(line.text) &&
        line.box.x0 > right * 0.5,
    )
    .sort((a, b) => a.box.y0 - b.box.y0)[0];
  return found ? { text: /\d+$/.exec(found.text)![0], line: found } : null;
}

const numberWords: Readonly<Record<string, number>> = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fourty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
};

/** Words that end a group of digits; a lakh and a crore are India's. */
const largeNumberWords: Readonly<Record<string, number>> = {
  thousand: 1_000,
  lakh: 100_000,
  lakhs: 100_000,
  million: 1_000_000,
  crore: 10_000_000,
  crores: 10_000_000,
};

/** The amount that English words say, such as `One hundred five and 50/100`; null where they say none. */
export function amountOfWords(text: string): number | null {
  const cents = /(?:and|&)?\s*(\d{1,2}|no|xx)\s*\/\s*100|(?<=pounds?,?\s*(?:and )?)(\d{1,2}) ?p(?:ence)?$/i.exec(text);
  const words = (cents ? text.slice(0, cents.index) : text).toLowerCase().match(/[a-z]+/g) ?? [];
  let total = 0;
  let group = 0;
  let known = 0;
  for (const word of words) {
    if (word in numberWords) group += numberWords[word]!;
    else if (word === 'hundred') group *= 100;
    else if (word in largeNumberWords) {
      total += group * largeNumberWords[word]!;
      group = 0;
    } else if (/^(?:and|dollars|pounds?|rupees|only|exactly)$/.test(word)) continue;
    else return null;
    known += 1;
  }
  if (known === 0) return null;
  return total + group + (cents ? (Number(cents[1] ?? cents[2]) || 0) / 100 : 0);
}

/** The amount as its words state it, which is what a bank pays where the figures differ. */
interface StatedAmount {
  readonly stated: ExtractedValue;
  readonly amount: ExtractedValue;
}

/** The cents of an amount in words where they stand apart, at the end of a line that is ruled to be written on. */
const centsApart = /^(?:and |& ?)?(?:\d{1,2}|no|xx) ?\/ ?100/iu;

function amountInWords(layout: Layout, candidates: Findings['candidates']): StatedAmount | null {
  for (const line of layout.lines) {
    const match = /^((?:pay|the sum of|amount|rupees)\b[\s:]*)?(.*?)(?:[\s*~_.–-]*\b(?:dollars|pounds)\b.*)?$/i.exec(
      line.text,
    );
    const start = match?.[1]?.length ?? 0;
    const stated = match?.[2]?.replace(/[\s*~_.–-]+$/, '') ?? '';
    const pence =
      /^ pounds?,? (?:and )?\d{1,2} ?p(?:ence)?(?!\p{L})/iu.exec(line.text.slice(start + stated.length))?.[0] ?? '';
    if (!/[a-z]{3}/i.test(stated) || amountOfWords(stated + pence) === null) continue;
    const { right } = neighboursOf(layout, line);
    const cents = right && !stated.includes('/') ? centsApart.exec(right.text) : null;
    const amount = amountOfWords(stated + (cents ? ` ${cents[0]}` : pence)) ?? 0;
    if (amount <= 0) continue;
    // Written in one breath with the words, the currency is a part of them; printed at the end of the line it is not.
    const currency = /^ (?:us )?(?:dollars|pounds)/i.exec(line.text.slice(start + stated.length));
    const text = stated + (currency && isTypeset(line, start + stated.length) ? currency[0] : '');
    const figures = candidates.find(({ kind, value }) => kind === 'amount' && value === amount);
    const stretches = [
      { line, start, end: start + text.length },
      ...(cents ? [{ line: right!, start: 0, end: cents[0].length }] : []),
    ];
    const words = cents ? `${text} ${cents[0]}` : text;
    return figures
      ? {
          stated: composedValue(words, 95, stretches, ['readings_agree']),
          amount: candidateValue(figures, 97, ['readings_agree']),
        }
      : { stated: composedValue(words, 70, stretches), amount: composedValue(amount, 78, stretches) };
  }
  return null;
}

/** Inches. A check that is torn off a page of letter size takes a third of it, and is not higher than this. */
const heightOfCheck = 3.7;
const widthOfPage = 8.5;

/**
 * The date of a check on a page with its voucher, which has those of what is paid: the one that the check's own third
 * of the page has, above its line of magnetic ink.
 */
function dateBesideVoucher(layout: Layout, candidates: Findings['candidates']): ExtractedValue | null {
  const page = layout.document.pages[0];
  if (!page || page.height < 1.1 * page.width) return null;
  const foot = visualRows(layout)
    .toReversed()
    .find((row) => row[0]?.page === 1 && row.some(({ text }) => isMagnetic(text)))?.[0];
  if (!foot) return null;
  const top = foot.box.y1 - (heightOfCheck * page.width) / widthOfPage;
  const own = candidates.filter(
    ({ kind, page: number, box }) => kind === 'date' && number === 1 && box.y0 > top && box.y0 < foot.box.y0,
  );
  return onlyValue(own, 93);
}

/** Whether the word behind a place of a line follows as closely as words of one sentence do. */
function isTypeset(line: TextLine, end: number): boolean {
  let at = 0;
  for (const [index, word] of line.words.entries()) {
    at = line.text.indexOf(word.text, at) + word.text.length;
    const next = line.words[index + 1];
    if (at >= end && next) return next.box.x0 - word.box.x1 < 0.8 * (word.box.y1 - word.box.y0);
  }
  return true;
}
