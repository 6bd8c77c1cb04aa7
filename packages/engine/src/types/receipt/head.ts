import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { isValidVat } from '../../candidates/tax-id.ts';
import type { Findings } from '../../compose/compose.ts';
import { isOrganizationName } from '../../compose/names.ts';
import { candidateValue, composedValue } from '../../compose/value.ts';
import { neighboursOf, visualRows } from '../../layout/neighbours.ts';
import { headedAgain } from '../../parties/parties.ts';

/** Below what a caption of a number says. */
const confidence = 62;
/** Bounds on hostile pages. */
const rowLimit = 400;

/** What a till prints on the line of a sale's number, whose sign is the only caption: `SALE    #0412-2-5518`. */
const ofSale =
  /(?<!\p{L})(?:sale|purchase|transaction|trans|trx|receipt|ticket|order|invoice|bill|check|chk)(?!\p{L})/iu;
const signedNumber = /(?:^|\s)# ?(\d[\d-]{2,24}\d)$/;

/** The number behind its sign at the end of the only row that says it is a sale's; null where there are several. */
export function signedSaleNumber(layout: Layout): ExtractedValue | null {
  const found = visualRows(layout)
    .slice(0, rowLimit)
    .flatMap((row) => {
      const line = row.at(-1)!;
      const match = signedNumber.exec(line.text);
      return match && ofSale.test(textOf(row)) ? [{ line, number: match[1]! }] : [];
    });
  const [only, ...more] = found;
  return only && more.length === 0
    ? composedValue(only.number, confidence, [{ line: only.line, start: only.line.text.length - only.number.length }])
    : null;
}

/** A sale's number behind its caption, wherever in a line: `REG#04 TRN#7719`, `TRANS 8844`, `Bon-Nr.:6621`. */
const captionedSale =
  /(?<![\p{L}\d])(?:(?:trn?|tran|fact|folio|trans|trx|transaction|transacti(?:e|enr)|receipt|rcpt|rec|rfn|chk|check|ticket|sale|bon|beleg|quittung|re|rg|facture|nota|scontrino|recibo)(?:[ -]?(?:no|nr|n[°º]|id|num(?:ber)?))?\.?(?: ?(?:#:?|:) ?)|(?:folio|receipt|check|chk|ticket) ?#: ?|(?:trn|txn|trans|receipt|ticket|bon)(?:[ -]?(?:no|nr|n[°º]))?\.? )(\d[\d-]{2,24})(?![\d-]|[.,/]\d|\p{L})/giu;

/** A number alone in its line behind the sign of one: `No 4417-160825-088217`. */
const numberOnly = /^n(?:[o°º.]{1,2}|r\.?) ?(\d[\d-]{4,24})$/giu;

/** The number of an Italian till's document: how often it was reset, and which document since. */
const italianDocument = /(?<![\p{L}\d])n[.°º] ?(\d{4}-\d{4})(?![\d-])/giu;

/** A Portuguese document's number, as the law has it: what it is, its series and its place in that. */
const portugueseDocument = /(?<![\p{L}\d])((?:F[STR]|VD|TV) [A-Z\d][A-Z\d.-]{0,19}\/\d{1,9})(?![\d/])/gu;

/** What a till calls its receipt, left of its number. */
const saleTitle =
  /^(?:(?:tax )?invoice|receipt|ticket|rechnung|quittung|beleg|kassenbon|facture|reçu|recu|factura|recibo|fattura|ricevuta|scontrino|fatura|talão|kassabon|factuur|bon|paragon|kvitto|kvittering)[ .-]*(?:no|nr|n[.°º]|number|nummer|#)*[ .:]*$/iu;
const numberAlone = /^(?=(?:\D*\d){3})(?:[A-Z]{1,4}[ -]?)?\d[\dA-Z]*(?:[/-][\dA-Z]+)*$/;

/** The one number that a receipt calls its own: behind a caption within a line, or beside its title; null where several are. */
export function captionedSaleNumber(layout: Layout): ExtractedValue | null {
  const found = visualRows(layout)
    .slice(0, rowLimit)
    .flatMap((row) => [...row.flatMap(numbersIn), ...besideTitle(row)]);
  const [first] = found;
  return first && found.every(({ number }) => number === first.number)
    ? composedValue(first.number, confidence, [
        { line: first.line, start: first.start, end: first.start + first.number.length },
      ])
    : null;
}

interface PlacedNumber {
  readonly line: TextLine;
  readonly number: string;
  readonly start: number;
}

function numbersIn(line: TextLine): readonly PlacedNumber[] {
  // Of a caption the last letter may be read as a zero: `Foli0 #: 55120`.
  const text = line.text.replace(/(?<=\p{L}{2})0(?![\p{L}\d])/gu, 'o');
  return [
    ...text.matchAll(captionedSale),
    ...text.trim().matchAll(numberOnly),
    ...text.matchAll(italianDocument),
    ...text.matchAll(portugueseDocument),
  ].map((match) => {
    const number = match[1]!;
    return { line, number, start: match.index + match[0].length - number.length };
  });
}

function besideTitle([title, line, ...rest]: readonly TextLine[]): readonly PlacedNumber[] {
  const isBeside = title && line && rest.length === 0 && saleTitle.test(title.text.trim());
  const number = line?.text.trim().replace(/^(?:no|nr|n[°º])[.:]* ?/iu, '') ?? '';
  const isNumber = numberAlone.test(number) && !/^\d{1,4}[/-]\d{1,2}[/-]\d{2,4}$/.test(number);
  return isBeside && isNumber ? [{ line, number, start: line.text.indexOf(number) }] : [];
}

const phoneAlone = /^(?:\+\d{1,3} ?)?\(?\d{2,5}\)?(?:[ ./-]\d{2,5}){1,4}$/;

/**
 * The one tax number above all amounts that has no caption and is known by its letter and its check digits in the
 * document's country, such as `B-12345674` in Spain; null without one.
 */
export function taxNumberAtHead({ layout, locale, candidates }: Findings): ExtractedValue | null {
  const sum = layout.lines.find(({ text }) => /\d[.,]\d\d(?!\d)/.test(text));
  const found = candidates.filter(
    ({ kind, value, page, box }) =>
      kind === 'tax_id' &&
      sum?.page === page &&
      box.y1 <= sum.box.y0 &&
      /\p{Lu}/u.test(String(value)) &&
      isValidVat(`${locale.country ?? ''}${String(value)}`),
  );
  const [only] = found;
  return only && found.every(({ value }) => value === only.value) ? candidateValue(only, confidence) : null;
}

/** How much of a page without sums is a receipt's head. */
const headShare = 0.4;

/** Where the first sum of a receipt stands, below which nothing is of its head; a number above the merchant's name is none. */
export function topOfFirstSum(layout: Layout): number {
  const page = layout.document.pages[0];
  const [, ...rows] = visualRows(layout).slice(0, rowLimit);
  const sum = rows.find((row) => row.some(({ text }) => /\d[.,]\d\d(?!\d)/.test(text)));
  return sum ? Math.min(...sum.map(({ box }) => box.y0)) : (page?.height ?? 1) * headShare;
}

/** Whom a hotel or a shop writes to. */
const ofCustomer =
  /^(?:cliente?|customer|guest|gast|kunde|client|h[uú]esped|ospite|klant|name|b(?:il)?l?(?:ed)? ?to|sold to|lieferadresse|ship(?:ping|ped)?)(?!\p{L})/iu;

/** Whether a line says that what stands below it is the customer's. */
export function isOfCustomer(text: string): boolean {
  return ofCustomer.test(text.trim());
}

const titled = /^(?:(?:mr|mrs|ms|dr|mme|mlle|herrn?|frau|sr|sra|dott|dña)(?:\.| )|m\. |d\. )/iu;

/** Whether a line is a person with a form of address, and no company that is called like one. */
export function isTitledPerson(text: string): boolean {
  return titled.test(text) && isOrganizationName(text) === null;
}

/** A telephone number of North America, before or behind other words: `510-555-0148 Mgr. LORETTA`. */
const phoneInLine = /(?<=^|[\s,])\(?\d{3}\)?(?:[ .-]| ?(?<=\) ?))\d{3}[.-]\d{4}(?=$|\s)/g;
/** What stands at numbers that are not the shop's telephone. */
const ofOtherNumber = /(?<!\p{L})(?:fax|survey|feedback|customer|guest|help|care|support|corporate|orders?)(?!\p{L})/iu;

/**
 * The telephone number above all amounts that has no caption: alone in its line, or else the only one of North America
 * within one. Null where several do.
 */
export function phoneAtHead(layout: Layout): ExtractedValue | null {
  const lines = layout.lines.slice(0, rowLimit);
  const sum = lines.findIndex(({ text }) => /\d[.,]\d\d(?!\d)/.test(text));
  const heads = lines.slice(0, Math.max(0, sum));
  const alone = heads
    // Right of another caption stands another number.
    .filter(
      (line) => isPhone(line.text.trim()) && !/^\p{L}[^\d]{3,}$/u.test(neighboursOf(layout, line).left?.text ?? ''),
    )
    .map((line) => ({ line, start: 0, end: line.text.length }));
  const within = heads.flatMap((line) =>
    ofOtherNumber.test(line.text)
      ? []
      : [...line.text.matchAll(phoneInLine)].map((match) => ({
          line,
          start: match.index,
          end: match.index + match[0].length,
        })),
  );
  const [only, ...more] = alone.length > 0 ? alone : within;
  return only && more.length === 0
    ? composedValue(only.line.text.slice(only.start, only.end).trim(), confidence, [only])
    : null;
}

/** The telephone number alone in its line below the merchant's address, where both stand below the sums. */
export function phoneBelowName(layout: Layout): ExtractedValue | null {
  const lines = headedAgain(layout)?.detailLines.filter(({ text }) => isPhone(text.trim())) ?? [];
  const [only, ...more] = lines;
  return only && more.length === 0 ? composedValue(only.text.trim(), confidence, [{ line: only }]) : null;
}

/** Where to ask about a receipt, at its foot: `Questions? 978-555-0188`. */
const question = /^(?:questions|any questions|inquiries|call us|phone|tel)(?!\p{L})/iu;

/** The one telephone number of North America that a receipt has at its foot for questions; null without one. */
export function phoneForQuestions(layout: Layout): ExtractedValue | null {
  const found = layout.lines.slice(0, rowLimit).flatMap((line) => {
    const match = question.test(line.text) ? [...line.text.matchAll(phoneInLine)][0] : undefined;
    return match ? [{ line, start: match.index, end: match.index + match[0].length }] : [];
  });
  const [only, ...more] = found;
  return only && more.length === 0
    ? composedValue(only.line.text.slice(only.start, only.end), confidence, [only])
    : null;
}

function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  return phoneAlone.test(text) && digits >= 9 && digits <= 13 && !/^\d{1,2}[./-]\d{1,2}[./-](?:\d{2}){1,2}$/.test(text);
}

function textOf(row: readonly TextLine[]): string {
  return row.map(({ text }) => text).join(' ');
}
