import type { Box, ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { isFormPhrase, isHeading } from '../../candidates/headings.ts';
import type { ComposedFields } from '../../compose/compose.ts';
import { isOrganizationName, isPersonName, letterHeight, titleCased, withoutLegalForm } from '../../compose/names.ts';
import { composedValue } from '../../compose/value.ts';
import { isOnLine } from '../../layout/geometry.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import { amountOfWords } from './amount-of-words.ts';

const orderOf =
  /^(?:(?:pay )?(?:to )?(?:the )?order of\b|(?:payez )?à l['’]ordre de(?!\p{L})|(?:p[aá]g(?:uese|ue(?:-se)?) ?)?(?:(?:por |contra )?es[tc]e )?(?:cheque )?[aà] ?(?:la )?ord[ea][nm] ?(?:de|del)(?!\p{L}))[:\s]*/iu;

/** The first of the lines that these words take in a narrow column, perhaps with the name: `TO THE`, `ORDER`, `OF`. */
const firstOfOrder = /^(?:(?:pay )?to(?: the)?|p[aá]guese(?: (?:por )?este)?(?: cheque)?)(?:\s+|$)/iu;

const restOfOrder = /^(?:(?:the )?order(?: of)?|(?:cheque )?a la orden de)[\s:]*$/iu;

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

/** The last of them stands before a name and address on warrants of governments. */
const behindPay = /^(?:pay(?: to)?\b[:\s*]*|to ?:?$)/iu;

/** Whether a check's foot is that of a country whose banks print themselves in the corner; Canada's do not. */
export function isBankInCorner({ routing_number: routing }: ComposedFields): boolean {
  return !!routing && !/^\d{5}-\d{3}$/.test(String(routing.value));
}

/**
 * Whom a check is to be paid to, behind the words that say so, the bank it is drawn on, by what banks are called, and
 * who draws it.
 *
 * @param words the amount in words: who draws a check and is not in its corner stands below them
 * @param hasBankInCorner nobody else is looked for there
 */
export function partiesOf(layout: Layout, words: ExtractedValue | null, hasBankInCorner: boolean): ComposedFields {
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
    accountHolder(layout) ??
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

/** Whether a text is what a state or a town is called, which issues warrants and is no bank. */
export function isGovernment(text: string): boolean {
  return (
    /^(?:(?:the )?(?:state|county|city|town|township|village|borough|commonwealth) of|united states(?: treasury)?$) ?/iu.test(
      text,
    ) && !calledBank.test(text)
  );
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

/** What guards an amount in words against more of them, and what a form prints behind it and the payee. */
const onlyGuard =
  /^\W*(?:(?:pay )?(?:exactly|only|(?:the )?(?:exact )?(?:sum|amount) of)|moneda nacional|or (?:bearer|order)|o al portador|(?:a\/c|account) payee(?: only)?)\W*$/iu;

/** What kinds of checks are called, which is not the bank that issues them. */
const titled =
  /^(?:\p{L}+ )?(?:money order|(?:cashier|teller|official|certified|treasurer|traveler)['’]?s? check|bank draft|personal check|chèque de banque|mandat(?:-poste)?)\W*$/iu;

/** What checks are protected by, and what that asks of who takes one. */
const securityNotice =
  /(?<!\p{L})(?:watermark|security features?|details on (?:the )?back|micro ?print(?:ing)?|hold (?:this |the )?(?:document|check|cheque) |to the light|original document|colou?red background|void if|do not (?:write|accept|cash|endorse)|not valid|endorse here|authori[sz]ed signature|signature on file|for security purposes|heat sensitive|non[- ]?negotiable|member fdic)(?!\p{L})/iu;

/** Whether a text names an account rather than a bank: `Savings`, and not `Pine Tree Savings`. */
function isKindOfAccount(text: string): boolean {
  // Samples of checks name a bank so that is none: `Your Bank Name Here`.
  return (
    isFormPhrase(text) &&
    !/^your (?:\p{L}+ ){0,2}(?:bank|credit union)/iu.test(text) &&
    !/^(?:\p{Lu}\p{L}+ ){2,}savings$/iu.test(text)
  );
}

/** The name behind `to the order of`, in one line or broken over several, or behind `pay` alone. */
function payeeOf(layout: Layout): ExtractedValue | null {
  const lines = layout.lines.slice(0, 200);
  for (const line of lines) {
    const below = firstOfOrder.test(line.text) ? neighboursOf(layout, line).below : null;
    const isBroken = below !== null && restOfOrder.test(below.text);
    const caption = (isBroken ? firstOfOrder : orderOf).exec(line.text);
    const payee =
      caption &&
      (nameBehind(line, caption[0].length, layout, isBroken ? 89.5 : 84) ??
        (isBroken ? nameBetween(line, below, layout) : null));
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
  if (behind !== '') return nameAt(line, start, confidence);
  return right && nameAt(right, 0, confidence);
}

/** The name right of two lines of a caption, at the height of neither. */
function nameBetween(first: TextLine, second: TextLine, layout: Layout): ExtractedValue | null {
  const right = Math.max(first.box.x1, second.box.x1);
  const height = first.box.y1 - first.box.y0;
  const [line] = layout.lines
    .filter(({ page, box }) => {
      const middle = (box.y0 + box.y1) / 2;
      return page === first.page && box.x0 > right && middle > first.box.y0 - height && middle < second.box.y1;
    })
    .toSorted((a, b) => a.box.x0 - b.box.x0);
  return line && line.box.x0 - right < widestRule * height ? nameAt(line, 0, 89.5) : null;
}

/** How far behind its caption a name begins at most, in heights of that: people write in the middle of a rule. */
const widestRule = 20;

function nameAt(line: TextLine, start: number, confidence: number): ExtractedValue | null {
  const text = line.text.slice(start);
  const filling = /^[\s*|]*/u.exec(text)![0].length;
  const name = nameWithNumber.exec(text.slice(filling))?.[0].trimEnd();
  if (!name || name.length > 60 || isHeading(name)) return null;
  if ((isFormPhrase(name) && !heldInTrust.test(name)) || restOfOrder.test(name)) return null;
  if (onlyGuard.test(name) || amountOfWords(name) !== null) return null;
  const from = start + filling;
  return composedValue(name, confidence, [{ line, start: from, end: from + name.length }]);
}

/** Whose account lawyers and brokers are paid to for others: `Alder Title Escrow Account`. */
const heldInTrust = /^(?:[\p{L}\d&.,'’-]+ ){2,}(?:client )?(?:trust|escrow|iolta|iolta trust|client) account$/iu;

/** On forms in two languages a caption says the same again behind a stroke: `MEMO / NOTA`. */
const noteCaption =
  /^(?:memo|for|re|ref(?=[.:]))\b(?: ?\/ ?(?:nota|note|m[eé]mo|concepto|objet|para|purpose)\b)?[:.\s_]*/iu;

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

const holderCaption = /^(?:account|acct\.?|a\/c)[ .]name[.:]?(?:\s+|$)/iu;

/** Who holds the account, where the check has a box for their name beside that of the number, as those of the Philippines have. */
function accountHolder(layout: Layout): ExtractedValue | null {
  for (const line of layout.lines.slice(0, 200)) {
    const caption = holderCaption.exec(line.text);
    if (!caption) continue;
    const { below } = neighboursOf(layout, line);
    const name = nameBehind(line, caption[0].length, layout, 89.5);
    if (name) return name;
    if (caption[0].length === line.text.length && below && isHolder(below.text))
      return composedValue(below.text, 89.5, [{ line: below }]);
  }
  return null;
}

function isHolder(text: string): boolean {
  return (
    /^\p{Lu}[\p{L}\d&.,'’ -]{3,60}$/u.test(text) && !isHeading(text) && !isFormPhrase(text) && !calledBank.test(text)
  );
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
    (isPersonName(titleCased(first.text)) ||
      isOrganizationName(first.text) !== null ||
      isGovernment(first.text) ||
      / & /.test(first.text)) &&
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
    const own = { line, start: line.text.length - name.length, end: line.text.length };
    const first = partnerAbove(line, layout);
    return first
      ? composedValue(`${first.text} ${name}`, 89.5, [{ line: first }, own])
      : composedValue(name, 89.5, [own]);
  }
  return null;
}

/** The first of two who hold an account together, in the line above the second: `MR J DOE &`. */
function partnerAbove(line: TextLine, layout: Layout): TextLine | null {
  const { above } = neighboursOf(layout, line);
  const isFirst =
    above !== null &&
    /^\p{Lu}[\p{L}.'’ -]{3,40} (?:&|and|or)$/iu.test(above.text) &&
    line.box.y0 - above.box.y1 < letterHeight(line);
  return isFirst ? above : null;
}

/** What forms print in capitals around a signature, and the bank's office that a check is paid at: `AGENCE AVALLON`. */
const notice =
  /(?<!\p{L})(?:agence|agencia|ag[eê]ncia|branch|centre|filiale|guichet|succursale|sucursal|zweigstelle|void|valid|after|within|months|days|not?|non|negotiable|authori[sz]ed|sample|only)(?!\p{L})/iu;

/** Whether a name stands in capitals but for the legal form behind it: `EXAMPLE SpA`. */
function isInCapitals(text: string): boolean {
  const name = withoutLegalForm(text);
  return name.length > 3 && name === name.toUpperCase();
}

/** Whether a line is the name that a box has, or one of the next lines under it, such as the second name and the address. */
function isBlockOf(name: Box, line: Box): boolean {
  const height = name.y1 - name.y0;
  const isUnder = line.y0 > name.y0 - 0.5 * height && line.y0 - name.y1 < 2 * height;
  return isUnder && Math.abs(line.x0 - name.x0) < 2 * height;
}

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
  const payee = others.payee_name?.provenance[0];
  const names = layout.lines.filter(
    ({ page, box, text }) =>
      page === place.page &&
      (box.y0 + box.y1) / 2 > place.box.y0 &&
      box.y0 - place.box.y1 < 12 * height &&
      // The unit that is printed before the words: `HONG KONG` above `DOLLARS`.
      !(box.x1 < place.box.x0 && box.y0 < place.box.y1) &&
      isInCapitals(text) &&
      /^\p{Lu}[\p{L}&.,'’/ -]{4,60}$/u.test(text) &&
      (isPersonName(titleCased(text)) || isOrganizationName(text) !== null || / & \p{Lu}/u.test(text)) &&
      !calledBank.test(text) &&
      !notice.test(text) &&
      !onlyGuard.test(text) &&
      !isHeading(text) &&
      !isFormPhrase(text) &&
      !taken.includes(text) &&
      !(payee && page === payee.page && isBlockOf(payee.box, box)),
  );
  const [name] = names;
  return name && names.every(({ text }) => text === name.text)
    ? composedValue(name.text, confidence, [{ line: name }])
    : null;
}
