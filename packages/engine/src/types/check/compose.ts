import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { parseAmount } from '../../candidates/amount.ts';
import { isFormPhrase, isHeading } from '../../candidates/headings.ts';
import { isMagnetic, isRoutingNumber } from '../../candidates/transit-number.ts';
import { textsAtCaption } from '../../compose/captioned.ts';
import type { ComposedFields, Findings } from '../../compose/compose.ts';
import { dateInPieces } from '../../compose/date-in-pieces.ts';
import { isOrganizationName, isPersonName, letterHeight, titleCased } from '../../compose/names.ts';
import { numberWords } from '../../compose/number-words.ts';
import { candidateValue, composedValue, onlyValue, type Stretch } from '../../compose/value.ts';
import { isOnLine } from '../../layout/geometry.ts';
import { neighboursOf, visualRows } from '../../layout/neighbours.ts';
import { boxedDate, dateBesideYear } from './boxed-date.ts';
import { footOf } from './foot.ts';
import { magneticFields } from './magnetic-ink.ts';
import { ofTreasury } from './treasury.ts';
import { isUnit, saysAmount } from './words-abroad.ts';

/**
 * What is printed in magnetic ink at a check's foot, and the amount in words. The signs of E-13B (transit ⑆, on-us ⑈)
 * are read as all sorts of marks, so the numbers are identified by their length and the transit number's check digit.
 */
export function composeCheck({ type, layout, locale, candidates }: Findings): ComposedFields {
  const fields: Record<string, ExtractedValue | null> = {};
  const printed = printedNumber(layout.lines);
  const magnetic = visualRows(layout)
    .toReversed()
    .map((row) => {
      if (row.some(({ text }) => isStamp(text))) return [];
      // Of a row with anything but numbers, a long number is somebody's that by chance has such digits within.
      const isBare = !row.some(({ text }) => /\p{L}{2}|[$€£%]|\d[-/.]\d\d(?!\d)/u.test(text));
      return row.flatMap((line) =>
        [...line.text.matchAll(/\d[\d ]*\d/g)].flatMap((match) => numbersOf(line, match, isBare, printed)),
      );
    })
    .find((numbers) => numbers.some(({ text }) => isRoutingNumber(text)) && numbers.length > 1);
  if (magnetic) {
    const numbers = magnetic;
    const routing = numbers.findIndex(({ text }) => isRoutingNumber(text));
    const valueAt = (index: number, confidence: number, flags: readonly 'check_digit_holds'[] = []) => {
      const { text, line, start, end } = numbers[index]!;
      return composedValue(text, confidence, [{ line, start, end }], flags);
    };
    // Among the places that a longer number has for one, a check digit holds by chance too often to prove anything.
    const isWhole = !numbers[routing]!.isWithin;
    fields.routing_number = isWhole ? valueAt(routing, 96, ['check_digit_holds']) : valueAt(routing, 85);
    const rest = numbers.map((_, index) => index).filter((index) => index !== routing);
    const bare = (index: number) => numbers[index]!.text.replace(/^0+/, '');
    // Where the corner has the check's number, or one stands first, the account is all else behind the transit number.
    const own = rest.filter((index) => index < routing);
    const serial =
      rest.find(
        (index) => numbers[index]!.line !== printed?.line && bare(index) === printed?.text.replace(/^0+/, ''),
      ) ?? (own.length === 1 ? own[0] : undefined);
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
  const foot = footOf(layout);
  Object.assign(fields, foot);
  if (!fields.check_number) fields.check_number = captionedNumber('check_number', 3);
  // Indian checks print the whole account, and in magnetic ink only a part of it.
  fields.account_number =
    captionedNumber('account_number', 9) ??
    fields.account_number ??
    footNumber() ??
    captionedNumber('account_number', 6);
  const words = amountInWords(layout, candidates) ?? figuresInWords(layout, candidates);
  const stated = words?.stated ?? wordsAbroad(layout);
  if (stated) fields.amount_words = stated;
  if (words) fields.amount = words.amount;
  else fields.amount = guardedFigures(layout);
  const date =
    dateBesideVoucher(layout, candidates) ??
    boxedDate(layout, locale) ??
    dateBesideYear(layout, locale) ??
    dateInPieces(layout);
  if (date) fields.date = date;
  if (!fields.check_number && printed) {
    fields.check_number = composedValue(printed.text, 65, [{ line: printed.line }]);
  }
  const magneticInk = withSerial(magneticFields(layout, printed?.text ?? null), layout);
  return {
    ...fields,
    ...partiesOf(layout, stated, isBankInCorner(foot)),
    ...ofTreasury(layout),
    ...magneticInk,
    ...asPrinted(magneticInk.check_number),
  };

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
    // The foot of a French check has the bank’s and the account’s parts run together.
    const match = line && locale.language !== 'fr' ? /(?<![\d.,])(\d{6,14})\W{0,3}$/.exec(line.text) : null;
    if (!line || !match || match[1] === printed?.text) return null;
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

/** The number of a money order, where it is printed. */
const serialCaption = /(?:serial|money order) (?:no\.?|number|#) ?:?\s*(\d[\d-]{5,16}\d)$/iu;

/** The numbers in magnetic ink where the longest of them is the serial number that is printed, and no account. */
function withSerial(fields: Readonly<Record<string, ExtractedValue>>, layout: Layout): Record<string, ExtractedValue> {
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

/** Whether a text has a day, or the number of the bank that took the check in, which its stamp on the back has between arrows. */
function isStamp(text: string): boolean {
  return /[><] ?\d{9} ?[<>]|(?<!\d)\d{1,2}[/.-]\d{1,2}[/.-](?:19|20)\d{2}(?!\d)/u.test(text);
}

const orderOf = /^(?:(?:pay )?(?:to )?(?:the )?order of\b|(?:payez )?à l['’]ordre de(?!\p{L}))[:\s]*/iu;
/** The first of the lines that these words take in a narrow column, perhaps with the name: `TO THE`, `ORDER`, `OF`. */
const firstOfOrder = /^(?:pay )?to(?: the)?(?:\s+|$)/iu;
const restOfOrder = /^(?:the )?order(?: of)?[\s:]*$/iu;
/** How far above the caption of the payee a check begins at most, in heights of it: a page may show more than the check. */
const headHeight = 15;
/** A name and what else a check's corner has before an address: a title of the account, a license. */
const corner = { height: 0.35, width: 0.5 };
const bankWord = /(?<!\p{L})(?:bank|credit union|savings|trust|n\.a\.)(?!\p{L})/iu;
/** What banks are called, also in one word with their name: `Rabobank`. */
const calledBank =
  /(?<!\p{L})(?:\p{L}*bank|banque|banc[ao]|caisse|cassa|caixa|caja|\p{L}*(?:spar|raiffeisen)kasse|building society|credit union|savings|trust|n\.a\.)(?!\p{L})|^cr[eé]dit[o]? \p{L}{4}/iu;
/** What kind of bank a bank is, without its name. */
const kindOfBank =
  /^(?:(?:federal|state|community|national|mutual|savings|loan|and|&|the|of|bank|credit|union|trust|association|company|co\.?|n\.a\.) ?)+$/iu;
/** A national bank's name, behind which its town stands in the same line. */
const bankBeforeTown = /^(.{2,60}?(?<!\p{L})N\. ?A\.?)[\s,–-]+\p{Lu}\p{L}/u;
const behindPay = /^pay(?: to)?\b[:\s*]*/iu;

/** Whether a check's foot is that of a country whose banks print themselves in the corner; Canada's do not. */
function isBankInCorner({ routing_number: routing }: ComposedFields): boolean {
  return !!routing && !/^\d{5}-\d{3}$/.test(String(routing.value));
}

/**
 * Whom a check is to be paid to, behind the words that say so, the bank it is drawn on, by what banks are called, and
 * who draws it.
 *
 * @param words the amount in words: who draws a check and is not in its corner stands below them
 * @param hasBankInCorner nobody else is looked for there
 */
function partiesOf(layout: Layout, words: ExtractedValue | null, hasBankInCorner: boolean): ComposedFields {
  const fields: Record<string, ExtractedValue> = {};
  const payee = payeeOf(layout);
  if (payee) fields.payee_name = payee;
  const order = layout.lines.slice(0, 200).find(({ text }) => payCaption.test(text));
  for (const line of layout.lines.slice(0, 200)) {
    const note = isBesideCheck(line, order) ? null : noteOf(line, layout);
    if (note) fields.memo ??= note;
    if (fields.bank_name || !calledBank.test(line.text)) continue;
    const start = endOfNeighbour(line, layout);
    const called = line.text.slice(start);
    const isBank = called.split(' ').length <= 6 && !/\d|:/.test(called) && !isKindOfAccount(called);
    // The second of whom an insurer pays is the bank of the first one's loan.
    if (!isBank || payee?.provenance.some((place) => isOnLine(place, line))) continue;
    const name = bankBeforeTown.exec(called)?.[1] ?? called;
    fields.bank_name = composedValue(name, 89, [{ line, start, end: start + name.length }]);
  }
  const inCorner = hasBankInCorner ? null : drawerOf(layout);
  const drawer =
    remitterOf(layout) ??
    frenchDrawer(layout, payee) ??
    inCorner ??
    drawerAtSignature(layout) ??
    drawerBelow(layout, words, fields, hasBankInCorner ? 89.5 : 84);
  return drawer ? { payer_name: drawer, ...fields } : fields;
}

/** What stands before the payee's name, in the middle of a check at its left edge. */
const payCaption = /^(?:pay(?: to| against| this)?(?!\p{L})|payez|(?:to )?the order of|order of)/iu;

/** Whether a line is on the stub at a check's left or above the check, which has captions of its own: `FOR`, `TO`. */
function isBesideCheck(line: TextLine, order: TextLine | undefined): boolean {
  if (order?.page !== line.page) return false;
  const height = order.box.y1 - order.box.y0;
  return line.box.y1 < order.box.y0 || line.box.x0 < order.box.x0 - edge * height;
}

/** How far captions at the left edge of a check stand off each other, in heights of them. */
const edge = 6;

/**
 * Where a bank's name begins in a line that has the drawer's before it, as where both stand side by side at the top: the
 * stub has the drawer's alone.
 */
function endOfNeighbour(line: TextLine, layout: Layout): number {
  const neighbour = layout.lines.find(
    ({ text }) => text.length > 9 && text.includes(' ') && line.text.startsWith(`${text} `) && !calledBank.test(text),
  );
  const rest = neighbour ? line.text.slice(neighbour.text.length + 1) : '';
  // What a bank is called by a part of its name is no other name beside it: `Maple & Vine` and `Maple & Vine Credit Union`.
  const isName = rest.includes(' ') && !kindOfBank.test(rest);
  return neighbour && isName && calledBank.test(rest) ? neighbour.text.length + 1 : 0;
}

/** Whether a text is what a bank is called, by a word that only banks have. */
export function isBankName(text: string): boolean {
  return calledBank.test(text) && !isKindOfAccount(text);
}

/** Whether a text is a check's title, a notice of the printer's or an amount in words, and nobody's name. */
export function isNobody(text: string): boolean {
  return (
    securityNotice.test(text) ||
    /^(?:purchaser|remitter|memo|note) ?\//iu.test(text) ||
    titled.test(text) ||
    onlyGuard.test(text) ||
    amountOfWords(text) !== null
  );
}

/** What guards an amount in words against more of them. */
const onlyGuard = /^\W*(?:pay )?(?:exactly|only|(?:the )?(?:exact )?(?:sum|amount) of)\W*$/iu;

/** What kinds of checks are called, which is not the bank that issues them. */
const titled =
  /^(?:\p{L}+ )?(?:money order|(?:cashier|teller|official|certified|treasurer|traveler)['’]?s? check|bank draft|personal check|chèque de banque|mandat(?:-poste)?)\W*$/iu;

/** What checks are protected by, and what that asks of who takes one. */
const securityNotice =
  /(?<!\p{L})(?:watermark|security features?|details on (?:the )?back|micro ?print(?:ing)?|hold (?:this |the )?(?:document|check|cheque) |to the light|original document|colou?red background|void if|do not (?:write|accept|cash|endorse)|not valid|endorse here|authori[sz]ed signature|signature on file|for security purposes|heat sensitive|non[- ]?negotiable|member fdic)(?!\p{L})/iu;

/** Whether a text names an account rather than a bank: `Savings`, and not `Pine Tree Savings`. */
function isKindOfAccount(text: string): boolean {
  return isFormPhrase(text) && !/^(?:\p{Lu}\p{L}+ ){2,}savings$/iu.test(text);
}

/** The name behind `to the order of`, in one line or broken over several, or behind `pay` alone. */
function payeeOf(layout: Layout): ExtractedValue | null {
  const lines = layout.lines.slice(0, 200);
  for (const line of lines) {
    const below = firstOfOrder.test(line.text) ? neighboursOf(layout, line).below : null;
    const isBroken = below !== null && restOfOrder.test(below.text);
    const caption = (isBroken ? firstOfOrder : orderOf).exec(line.text);
    const payee = caption && nameBehind(line, caption[0].length, layout, isBroken ? 89.5 : 84);
    if (payee) return withSecondPayee(payee, layout);
  }
  for (const line of lines) {
    const caption = behindPay.exec(line.text);
    const payee = caption && nameBehind(line, caption[0].length, layout, 84);
    if (payee) return withSecondPayee(payee, layout);
  }
  return null;
}

/** A payee with the one in the next line, whom the first announces: insurers pay an owner `AND` the bank of their loan. */
function withSecondPayee(payee: ExtractedValue, layout: Layout): ExtractedValue {
  const [place] = payee.provenance;
  const line = layout.lines.find((each) => place !== undefined && isOnLine(place, each));
  const below = line && /(?:\s(?:and|or)|&)$/iu.test(line.text.trim()) ? neighboursOf(layout, line).below : null;
  const isName = below && /^\p{Lu}[\p{L}&.,'’ -]{2,60}$/u.test(below.text) && !isHeading(below.text);
  return line && isName
    ? composedValue(`${String(payee.value)} ${below.text}`, payee.confidence, [{ line }, { line: below }])
    : payee;
}

/** A name up to the amount or date behind it; a number within it has more of the name behind: `Sample R-12 Schools`. */
const nameWithNumber = /^[^$€£*_\d]*\p{L}(?:\p{L}|[^$€£*_\d]|(?<=\p{L}[- ]?)\d{1,4}(?= \p{L}{2}))*/u;

/** The name right behind a caption or beside it; no amount in words, which stands there on other checks. */
function nameBehind(line: TextLine, start: number, layout: Layout, confidence: number): ExtractedValue | null {
  const behind = line.text.slice(start);
  const { right } = neighboursOf(layout, line);
  const place =
    behind === '' ? right && { line: right, text: right.text, offset: 0 } : { line, text: behind, offset: start };
  const filling = /^[\s*]*/u.exec(place?.text ?? '')![0].length;
  const name = place && nameWithNumber.exec(place.text.slice(filling))?.[0].trimEnd();
  if (!place || !name || name.length > 60 || isHeading(name)) return null;
  if ((isFormPhrase(name) && !heldInTrust.test(name)) || restOfOrder.test(name)) return null;
  if (onlyGuard.test(name) || amountOfWords(name) !== null) return null;
  const from = place.offset + filling;
  return composedValue(name, confidence, [{ line: place.line, start: from, end: from + name.length }]);
}

/** Whose account lawyers and brokers are paid to for others: `Alder Title Escrow Account`. */
const heldInTrust = /^(?:[\p{L}\d&.,'’-]+ ){2,}(?:client )?(?:trust|escrow|iolta|iolta trust|client) account$/iu;

/** On forms in two languages a caption says the same again behind a stroke: `MEMO / NOTA`. */
const noteCaption = /^(?:memo|for|re)\b(?: ?\/ ?(?:nota|note|m[eé]mo|concepto|objet|para|purpose)\b)?[:.\s_]*/iu;

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
  const { right, above } = neighboursOf(layout, line);
  const height = line.box.y1 - line.box.y0;
  // Written on the rule behind its caption, a note stands a little higher.
  const isOnRule =
    above !== null &&
    /_/.test(line.text) &&
    line.box.y0 - above.box.y1 < 0.5 * height &&
    !/\p{Lu}{4}/u.test(above.text);
  if (isOnRule && /[\p{L}\d]{2}/u.test(above.text)) return composedValue(above.text, 84, [{ line: above }]);
  const isNear = right && right.box.x0 - line.box.x1 < 6 * height;
  if (!isNear || !/[\p{L}\d]{2}/u.test(right.text)) return null;
  const parts = withWordsBehind(right, layout);
  return composedValue(
    parts.map(({ text }) => text).join(' '),
    89.5,
    parts.map((part) => ({ line: part })),
  );
}

/** A note with what is written on behind it, as widely apart as words by hand and of typewriters are. */
function withWordsBehind(first: TextLine, layout: Layout): readonly TextLine[] {
  const parts = [first];
  for (let next = neighboursOf(layout, first).right; next; next = neighboursOf(layout, next).right) {
    const last = parts.at(-1)!;
    const height = letterHeight(last);
    const isSame = Math.abs(letterHeight(next) - height) < 0.3 * height && next.box.x0 - last.box.x1 < 1.6 * height;
    if (!isSame) break;
    parts.push(next);
  }
  return parts;
}

const remitterCaption =
  /^(?:remitter|purchaser|purchased by|remitted by)(?: name)?(?: ?\((?:purchased by|purchaser)\)| ?\/ ?(?:remitente|remitter|purchaser|comprador|acheteur|exp[eé]diteur)(?!\p{L}))?[:\s]*/iu;

/** Whoever buys a money order writes their own name on it. */
const buyerCaption = new RegExp(`${remitterCaption.source}|^from(?!\\p{L})[:\\s]*`, 'iu');

/** Who bought a cashier's check, a bank draft or a money order: the bank that issues it draws it on itself. */
function remitterOf(layout: Layout): ExtractedValue | null {
  const isMoneyOrder = layout.lines.slice(0, 200).some(({ text }) => /(?<!\p{L})money order(?!\p{L})/iu.test(text));
  for (const line of layout.lines.slice(0, 200)) {
    const caption = (isMoneyOrder ? buyerCaption : remitterCaption).exec(line.text);
    const name = caption && nameBehind(line, caption[0].length, layout, 89.5);
    if (name) return name;
  }
  return null;
}

/** Who draws a check: the first line of its upper left corner, unless that is the bank. */
function drawerOf(layout: Layout): ExtractedValue | null {
  const page = layout.document.pages[0];
  if (!page) return null;
  const right = Math.max(...layout.lines.map(({ box }) => box.x1), 1);
  const bottom = Math.max(...layout.lines.map(({ box }) => box.y1), 1);
  const order = layout.lines.slice(0, 200).find((line) => line.page === page.number && orderOf.test(line.text));
  const top = order ? order.box.y0 - headHeight * (order.box.y1 - order.box.y0) : 0;
  const [first, second] = layout.lines
    .filter(
      ({ page: number, box, text }) =>
        number === page.number &&
        box.y0 > top &&
        !text.includes(':') &&
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
    !calledBank.test(first.text);
  return isName && !isHeading(first.text) && !isFormPhrase(first.text)
    ? composedValue(first.text, 89.5, [{ line: first }])
    : null;
}

/** The name of an account's holder, as British and Indian checks print it where it is signed. */
const signatory =
  /^(?:for (?!and on behalf of\W*$)(?:and on behalf of )?(?=\p{Lu}{2}|\p{Lu}['’])|(?=(?:mr|mrs|ms|miss|dr|messrs|m\/s)\.? \p{Lu}))([\p{Lu}\d][\p{L}\d&.,'’/ -]{3,60})$/iu;

/** What stands above the name of a company that others sign for. */
const onBehalf = /^(?:for (?:and )?)?on behalf of:?$/iu;

/** The holder of a French account, with the title that banks print there. */
const frenchHolder = /^(?:M\.?|MR|MME|MLLE|MM)(?:\.? (?:OU|ET) (?:M\.?|MR|MME|MLLE))? \p{Lu}{2}[\p{Lu}'’ -]{3,50}$/u;

/** Who draws a French check: the one line that begins with a title in capitals and is not who is paid. */
function frenchDrawer(layout: Layout, payee: ExtractedValue | null): ExtractedValue | null {
  const [only, ...more] = layout.lines
    .slice(0, 200)
    .filter((line) => frenchHolder.test(line.text) && !payee?.provenance.some((place) => isOnLine(place, line)));
  return only && more.length === 0 ? composedValue(only.text, 86, [{ line: only }]) : null;
}

/** Who draws a check that names nobody in its corner: whose signature is to stand on the right, in its lower half. */
function drawerAtSignature(layout: Layout): ExtractedValue | null {
  const lines = layout.lines.filter(({ page }) => page === 1);
  const right = Math.max(...lines.map(({ box }) => box.x1), 1);
  const title = lines.find(({ text, box }) => box.x0 > 0.45 * right && onBehalf.test(text));
  const below = title && neighboursOf(layout, title).below;
  if (below && /^\p{Lu}[\p{L}&.,'’/ -]{3,60}$/u.test(below.text) && !isHeading(below.text))
    return composedValue(below.text, 89.5, [{ line: below }]);
  for (const line of lines.toReversed()) {
    const match = line.box.x0 > 0.45 * right ? signatory.exec(line.text) : null;
    const name = match?.[1];
    if (!name || bankWord.test(name) || isHeading(name) || isFormPhrase(name)) continue;
    return composedValue(name, 89.5, [{ line, start: line.text.length - name.length, end: line.text.length }]);
  }
  return null;
}

/** What forms print in capitals around a signature, and the bank's office that a check is paid at: `AGENCE AVALLON`. */
const notice =
  /(?<!\p{L})(?:agence|agencia|ag[eê]ncia|branch|centre|filiale|guichet|succursale|sucursal|zweigstelle|void|valid|after|within|months|days|not?|non|negotiable|authori[sz]ed|sample|only)(?!\p{L})/iu;

/**
 * Who draws a check of other countries: the one name in capitals below its amount in words, on whichever side, which is
 * nobody else's on it.
 */
function drawerBelow(
  layout: Layout,
  words: ExtractedValue | null,
  others: ComposedFields,
  confidence: number,
): ExtractedValue | null {
  const place = words?.provenance.at(-1);
  if (!place) return null;
  const height = place.box.y1 - place.box.y0;
  const taken = Object.values(others).map((value) => value?.value);
  const names = layout.lines.filter(
    ({ page, box, text }) =>
      page === place.page &&
      (box.y0 + box.y1) / 2 > place.box.y0 &&
      box.y0 - place.box.y1 < 12 * height &&
      text === text.toUpperCase() &&
      /^\p{Lu}[\p{L}&.,'’/ -]{4,60}$/u.test(text) &&
      (isPersonName(titleCased(text)) || isOrganizationName(text) !== null || / & \p{Lu}/u.test(text)) &&
      !calledBank.test(text) &&
      !notice.test(text) &&
      !isHeading(text) &&
      !isFormPhrase(text) &&
      !taken.includes(text),
  );
  const [name] = names;
  return name && names.every(({ text }) => text === name.text)
    ? composedValue(name.text, confidence, [{ line: name }])
    : null;
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

/** Words that end a group of digits; a lakh and a crore are India's. */
const largeNumberWords: Readonly<Record<string, number>> = {
  thousand: 1_000,
  lakh: 100_000,
  lakhs: 100_000,
  million: 1_000_000,
  crore: 10_000_000,
  crores: 10_000_000,
};

/** What an amount is counted in, and its hundredths. */
const majorUnit = /^(?:dollars?|pounds?|euros?|rupees?)$/;
const minorUnit = /^(?:cents?|c|pence|penny|p|paise|paisa)$/;

/** A nought of the hundredths that OCR takes for a letter: `5op`. */
const noughtAsLetter = /(?<=(?<![\p{L}\d])\d)[oO](?=p?(?![\p{L}\d]))/gu;

/**
 * The amount that English words say, such as `One hundred five and 50/100` or `Two thousand euro, fifty cent only`; null
 * where they say none.
 */
export function amountOfWords(text: string): number | null {
  const cents = /(?:and|&)?\s*(\d{1,2}|no|xx)\s*\/\s*100/i.exec(text);
  const plain = (cents ? text.slice(0, cents.index) : text).replace(noughtAsLetter, '0').toLowerCase();
  // OCR takes a nought for a letter.
  const words = plain.replace(/(?<![a-z\d])[0o]{2}(?![a-z\d])/g, '00').match(/[a-z]+|\d+/g) ?? [];
  let total = 0;
  let group = 0;
  let known = 0;
  let major: number | null = null;
  let hundredths: number | null = null;
  for (const word of words) {
    if (word in numberWords) group += numberWords[word]!;
    else if (word === 'hundred') group *= 100;
    else if (word in largeNumberWords) {
      total += group * largeNumberWords[word]!;
      group = 0;
    } else if (majorUnit.test(word) && major === null) {
      if (known > 0) major = total + group;
      [total, group] = [0, 0];
      continue;
    } else if (minorUnit.test(word) && major !== null && hundredths === null && total + group < 100) {
      hundredths = total + group;
      [total, group] = [0, 0];
    } else if (/^\d{1,2}$/.test(word) && major !== null && group === 0) group = Number(word);
    else if (/^(?:and|only|exactly|us)$/.test(word)) continue;
    else return null;
    known += 1;
  }
  // What stands behind the unit and is not called hundredths is no amount, such as a number of lines.
  if (known === 0 || (major !== null && total + group > 0)) return null;
  return (major ?? total + group) + (hundredths ?? 0) / 100 + (cents ? (Number(cents[1]) || 0) / 100 : 0);
}

/** What a machine for checks prints for an amount in words: `EXACTLY **1,240 AND 50/100 DOLLARS`, `725 DOLS 00 CTS`. */
const figuresAsWords =
  /^(?:pay )?(?:exactly )?[$*\s]*(\d{1,3}(?:,\d{3})+|\d{1,6})[*\s]*(?:(?:dollars|dols?\.?)[\s*]*(?:and|&)?[\s*]*(\d\d|no)[\s*]*(?:cents|cts\.?|\/ ?100)|(?:and|&)[\s*]*(\d\d|no) ?\/ ?100(?: (?:us )?dollars)?)[\s*]*$/iu;

/** The amount in words that is one in figures, with its unit in words, where the same figures stand elsewhere too. */
function figuresInWords(layout: Layout, candidates: Findings['candidates']): StatedAmount | null {
  for (const line of layout.lines.slice(0, 200)) {
    const match = line.text.length > 80 ? null : figuresAsWords.exec(line.text);
    if (!match) continue;
    const amount = Number(match[1]!.replaceAll(',', '')) + (Number(match[2] ?? match[3]) || 0) / 100;
    const figures = candidates.find(
      (candidate) => candidate.kind === 'amount' && candidate.value === amount && !isOnLine(candidate, line),
    );
    if (!figures) continue;
    const start = /^(?:pay )?/iu.exec(line.text)![0].length;
    return {
      stated: composedValue(line.text.slice(start).trim(), 89.5, [{ line, start, end: line.text.length }]),
      amount: candidateValue(figures, 97, ['readings_agree']),
    };
  }
  return null;
}

/** The amount as its words state it, which is what a bank pays where the figures differ. */
interface StatedAmount {
  readonly stated: ExtractedValue;
  readonly amount: ExtractedValue;
}

/** The cents of an amount in words where they stand apart, at the end of a line that is ruled to be written on. */
const centsApart = /^(?:and |& ?)?(?:\d{1,2}|no|xx) ?\/ ?100/iu;
/** Words that are printed before an amount in words; of India's, the currency is among them. */
const beforeWords = /^(?:(?:pay|the sum of|amount|this amount|rupees)\b[\s:*]*)?/iu;
const beforeWordsAbroad =
  /^(?:(?:(?:la )?(?:somme|cantidad|quantia|suma|som) (?:de|van)|euros?|eur|betrag in (?:worten|buchstaben)|a vista pagate per questo assegno (?:bancario|circolare)|payez contre ce ch[eè]que)\b[\s:*#]*)?/iu;
const unitAtEnd = /[\s*~_.–—-]*(?:\bus )?\b(?:dollars|pounds|euros?)$/iu;
/** Figures with a dash before their hundredths, as they are written on checks by hand. */
const dashedFigures = /(?<![\d.,-])(\d[\d,. ]*)[-–=](\d{2})(?!\d)/gu;

function amountInWords(layout: Layout, candidates: Findings['candidates']): StatedAmount | null {
  for (const line of layout.lines) {
    const body = line.text.replace(/[\s*~_.–—-]+$/u, '');
    const lead = beforeWords.exec(body)![0].length;
    const start = lead + /^[\s*~]*/u.exec(body.slice(lead))![0].length;
    const whole = body.slice(start);
    const unit = unitAtEnd.exec(whole);
    // Written in one breath with the words, the currency is a part of them; printed at the end of the line it is not.
    const isRuled = unit !== null && /[*~_–—-]{3}/u.test(unit[0]);
    const stated = unit && (isRuled || !isTypeset(line, start + unit.index)) ? whole.slice(0, unit.index) : whole;
    if (!/[a-z]{3}/i.test(stated) || amountOfWords(stated) === null) continue;
    const further = stated.includes('/') ? null : furtherWords(stated, line, layout);
    const words = (further ? `${stated} ${further.text}` : stated)
      .replace(/(?<![\p{L}\d])[0Oo]{2}(?![\p{L}\d])/gu, '00')
      .replace(noughtAsLetter, '0');
    const amount = amountOfWords(words) ?? 0;
    if (amount <= 0) continue;
    const stretches = [{ line, start, end: start + stated.length }, ...(further ? [further.stretch] : [])];
    const figures = candidates.find(({ kind, value }) => kind === 'amount' && value === amount);
    if (figures) {
      return {
        stated: composedValue(words, 95, stretches, ['readings_agree']),
        amount: candidateValue(figures, 97, ['readings_agree']),
      };
    }
    const dashed = dashedAmount(layout, amount);
    return {
      stated: composedValue(words, dashed ? 90 : 70, stretches, dashed ? ['readings_agree'] : []),
      amount: dashed ?? composedValue(amount, 78, stretches),
    };
  }
  return null;
}

/** An amount in the words of another language, behind what is printed before it. */
function wordsAbroad(layout: Layout): ExtractedValue | null {
  for (const line of layout.lines.slice(0, 200)) {
    const lead = beforeWordsAbroad.exec(line.text)![0].length;
    const filled = line.text.slice(lead).replace(/[\s*#~_.=–—-]+$/u, '');
    const start = lead + /^[\s*#~_=|-]*(?:1 )?/u.exec(filled)![0].length;
    const end = lead + filled.length;
    const words = line.text.slice(start, end);
    if (start >= end || !saysAmount(words)) continue;
    const rest = /\d$/.test(words) ? undefined : restOfWordsAbroad(words, line, layout);
    const stretches = [{ line, start, end }, ...(rest ? [{ line: rest.line, end: rest.text.length }] : [])];
    return composedValue(rest ? `${words} ${rest.text}` : words, 89.5, stretches);
  }
  return null;
}

/** What goes on with an amount in words on the second line that is ruled for it, which begins further left. */
function restOfWordsAbroad(
  words: string,
  { page, box }: TextLine,
  layout: Layout,
): { readonly line: TextLine; readonly text: string } | undefined {
  return layout.lines
    .filter(
      (line) =>
        line.page === page &&
        line.box.x0 <= box.x0 &&
        line.box.y0 > (box.y0 + box.y1) / 2 &&
        line.box.y0 - box.y1 < 2.5 * (box.y1 - box.y0),
    )
    .map((line) => ({ line, text: line.text.replace(/[\s*#~_.=–—-]+$/u, '') }))
    .find(({ text }) => /^\p{L}{2,} ?\p{L}/u.test(text) && !isUnit(text) && saysAmount(`${words} ${text}`));
}

/** What goes on with an amount in words: its cents beside it, or the second of the lines that are ruled for it. */
function furtherWords(
  stated: string,
  line: TextLine,
  layout: Layout,
): { readonly text: string; readonly stretch: Stretch } | null {
  const { right, below } = neighboursOf(layout, line);
  const cents = right && centsApart.exec(right.text);
  if (cents) return { text: cents[0], stretch: { line: right, start: 0, end: cents[0].length } };
  const next = below && neighboursOf(layout, below).below;
  for (const place of [below, next]) {
    const text = place?.text.replace(/[\s*~_.–-]+$/u, '') ?? '';
    const goesOn = text
      .toLowerCase()
      .match(/[a-z]+/g)
      ?.some((word) => word in numberWords || majorUnit.test(word));
    if (!place || !goesOn || place.box.y0 - line.box.y1 > 4 * (line.box.y1 - line.box.y0)) continue;
    // The unit alone is what a form prints at the end of its line.
    if (majorUnit.test(text.toLowerCase()) || amountOfWords(`${stated} ${text}`) === null) continue;
    return { text, stretch: { line: place, start: 0, end: text.length } };
  }
  return null;
}

function dashedAmount(layout: Layout, amount: number): ExtractedValue | null {
  for (const line of layout.lines) {
    for (const match of line.text.matchAll(dashedFigures)) {
      if (Number(`${match[1]!.replaceAll(/\D/g, '')}.${match[2]}`) !== amount) continue;
      return composedValue(
        amount,
        95,
        [{ line, start: match.index, end: match.index + match[0].length }],
        ['readings_agree'],
      );
    }
  }
  return null;
}

/** Figures between stars with one for their point, as those of the Treasury are: `$****1400*00`. */
function guardedFigures(layout: Layout): ExtractedValue | null {
  const found = layout.lines.flatMap((line) => {
    const match = /\$ ?\*+ ?(\d[\d,]*)\*(\d{2})(?!\d)/u.exec(line.text);
    return match ? [{ line, match }] : [];
  });
  const [only, ...more] = found;
  if (!only || more.length > 0) return null;
  const { line, match } = only;
  const value = Number(`${match[1]!.replaceAll(',', '')}.${match[2]}`);
  return composedValue(value, 80, [{ line, start: match.index, end: match.index + match[0].length }]);
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
