import { matchesOf } from './matches.ts';

/** A stretch of a line of text that may be a name, an organization or another text. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** 1 for the whole line; less for a part of it, by how usual such a cut is. */
  readonly quality: number;
}

/** A company's registration number behind its name: `(123456-A)`, `(Co. Reg. 12345)`, `123456-X`, `HRB 12345`, `A-12345674`. */
const registration =
  /\s*[([{]?\s*(?:(?:co|company|reg|roc|gst|registration|brn|ssm|ac|tax)[. ]{0,2}(?:reg|no|id|number)?[.:# ]*)?[([{]?(?<![\p{L}\d])(?:HRB ?|[A-HJ-NP-SUVW]-(?=\d{8}))?\d{4,12}\s?-?\s?[A-Z]?(?![\p{L}\d])[)\]}]?.*$/iu;

/** Where a line stops being a name or an address: a telephone number, tax number, mail address and the like begins. */
const furtherDetail =
  /[\s,;|(-]*(?<![\p{L}\d])(?:(?:tel(?:ephone|efon|efono|éfono|efoon|efone|\.|:)?|t[ée]l\.?|fon|phone|ph|hp|ruf|mobile|mob|handphone|cell|hot ?line|help ?line|whats ?app|tlf|tfno|fax|telefax|e-?mail|gst|sst|vat|tax id|ust-?id|reg(?:istration)?\.? no|co\.? ?reg|company reg|web|www\.\S+|http\S+)\b\s*[.:#(\d+-]|au capital (?:social )?(?:de )?\d|r\.?c\.?s\.?(?: \p{L}[\p{L}-]{2,20}){0,3} (?:[AB] )?\d{3} ?\d{3}|(?:rfc|gstin(?:\/uin)?|siret|abn|p\.? ?iva|[cn]if|cnpj)\s*[.:#]?\s*(?=\S*\d\S*\d)[A-Z\d]).*$/iu;

/** The pattern tries every word: only where one of the signs stands that must follow. */
function furtherDetailIn(text: string): RegExpExecArray | null {
  return /[.:#(\d+-]/.test(text) ? furtherDetail.exec(text) : null;
}

const separators = / [·•|–—-] | {2,}|\s*[·•|]\s*/gu;

/** The whole of a line and its usual parts: behind a colon, before a registration number or telephone, between separators. */
export function spansOf(text: string, captionEnd = 0): Span[] {
  const spans: Span[] = [];
  const add = (from: number, to: number, quality: number) => {
    const raw = text.slice(from, to);
    const start = from + (/^[\s*:;,.=_~|'"·•-]*/u.exec(raw)?.[0].length ?? 0);
    const end = to - (/[\s*:;,=_~|'"·•-]*$/u.exec(raw)?.[0].length ?? 0);
    if (end - start < 2 || spans.some((span) => span.start === start && span.end === end)) return;
    spans.push({ start, end, quality });
  };
  add(0, text.length, 1);
  const bases: (readonly [number, number, number])[] = [[0, text.length, 1]];
  const colon = /:(?!\d\d|\/\/)/.exec(text);
  if (colon && colon.index + 1 < text.length) bases.push([colon.index + 1, text.length, 0.9]);
  if (captionEnd > 0 && captionEnd < text.length) bases.push([captionEnd, text.length, 0.9]);
  for (const [from, to, quality] of bases) {
    add(from, to, quality);
    const base = text.slice(from, to);
    const registered = /\d{4}/.test(base) ? registration.exec(base) : null;
    if (registered && registered.index > 2) add(from, from + registered.index, quality * 0.9);
    const detail = furtherDetailIn(base);
    if (detail && detail.index > 2) add(from, from + detail.index, quality * 0.9);
  }
  let last = 0;
  const cuts = matchesOf(separators, text);
  for (const cut of cuts) {
    add(last, cut.index, 0.7);
    last = cut.index + cut[0].length;
  }
  if (cuts.length > 0) add(last, text.length, 0.7);
  const code = /^\S*\d\S*\s+(?=\p{L}{2})/u.exec(text);
  if (code) add(code[0].length, text.length, 0.5);
  const codeBehind = /(?<=\p{L}{2})\s+\S*\d\S*$/u.exec(text);
  if (codeBehind) add(captionEnd < codeBehind.index ? captionEnd : 0, codeBehind.index, 0.5);
  const comma = text.indexOf(', ');
  if (comma > 2) add(0, comma, 0.5);
  const bracket = text.search(/\s*[([]/);
  if (bracket > 2) add(0, bracket, 0.6);
  return spans;
}

/** Whether a line holds a telephone, tax number, mail or web address, so that an address ends before it. */
export function detailStart(text: string): number {
  const match = furtherDetailIn(text) ?? /^[\s(]*(?:tel|fax|phone|gst|email|e-mail|www)\b/i.exec(text);
  return match ? match.index : -1;
}

const aloneDetail =
  /^\W*(?:(?:co|company|reg|roc|gst|brn|ssm)[. ]{0,2}(?:reg|no|id)?[.:# ]*)?(?:\d{4,12}\s?-?\s?[A-Z]{0,2}|[A-Z]{1,4}-?\d{7,12}[A-Z]?|[\d\s()+./-]{7,})\W*$|^\W*(?:(?:tax|simplified|cash|copy|original|guest)\W*)*(?:invoice|receipt|bill|sales?|check|rechnung|facture|factura|fattura|fatura|factuur|quittung)\W*$|^\W*(?:https?|www)/iu;

/** When a shop is open, or until when: `Open 8am - 10pm Daily`, `Mo–Fr 8–18 Uhr`. */
const openingHours =
  /(?<!\p{L})(?:mon?|di|mi|do|lun?|lundi|monday|montag)\.? ?[-–] ?(?:fri?|sat?|sun|so|ven|vie|s[aá]b|sam|dom|dim|vr|za|zo|vendredi|samedi|friday|freitag|samstag)(?!\p{L})|\d ?uhr(?!\p{L})|(?<!\d)\d{1,2}(?:[:.]\d{2})? ?[ap]\.?m\.?(?!\p{L})|(?<!\d)\d{1,2}[:.h]\d{2} ?(?:-|–|to|bis|à|a) ?\d{1,2}[:.h]\d{2}(?!\d)/iu;

const longestDetail = 100;

/** Whether a line is nothing but a telephone or registration number, a document's title or a web address, so that it is in no address. */
export function isDetail(text: string): boolean {
  // Longer ones are none, and the pattern tries every way to divide their marks.
  return (
    text.length <= longestDetail &&
    (openingHours.test(text) ||
      (aloneDetail.test(text) && /\d{4}|\p{L}{4}/u.test(text) && !/^\W*\d{4,6}\W*$/.test(text)))
  );
}

const companyEnd =
  /(?<![\p{L}])(?:sdn\.? ?bhd|s\/b|gmbh|ltd|limited|inc|llc|b\.v|s\.a|s\.r\.l|s\.l|lda)\b\.?(?:\s*[([][^)\]]{4,24}[)\]])?[,;]?\s+(?=\S*\d|\p{L}{3})/iu;

/** Where the text behind a company's legal form begins, which may be its address; -1 without one. */
export function companyEndOf(text: string): number {
  const match = companyEnd.exec(text);
  return match ? match.index + match[0].length : -1;
}
