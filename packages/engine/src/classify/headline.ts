import type { Layout, TextLine } from '@millrace/document-model';
import { foldText } from '../candidates/date.ts';
import { neighboursOf } from '../layout/neighbours.ts';
import { documentTypes } from '../types/registry.ts';

/** Where a page may have its title, of its height. */
const titleShare = 0.45;
const leastWeight = 3;
const lineLimit = 120;

/** Phrases of evidence that are captions, or name another document: `invoice date`, `original invoice`. */
const noTitle =
  /(?<!\p{L})(?:no|nr|n|number|date|datum|\p{L}*nummer|\p{L}*datum|numero|num|fecha|data|nr faktury|original|originele|oorspronkelijke|rectificada|until|valid|gultig|valido)(?!\p{L})/u;

/** What stands at a title and is no part of it. */
const besideTitle = new Set(['original', 'copy', 'copie', 'kopie', 'copia', 'vat', 'tax', 'commercial', 'oryginał']);
const numberMark = new Set(['no', 'nr', 'n', 'number', 'num', 'numero', 'nº', 'n°', 'º', '°', 'id']);

const tokensOf = (text: string) => foldText(text).match(/[\p{L}\d]+(?:[-./][\p{L}\d]+)*/gu) ?? [];

/** The titles of business documents, in the words of their evidence; each with its type. */
const titles: ReadonlyMap<string, string> = new Map(
  documentTypes
    .filter(({ calibrationGroup }) => calibrationGroup === 'trade')
    .flatMap(({ name, evidence }) =>
      evidence
        .filter(([phrase, weight]) => weight >= leastWeight && !noTitle.test(foldText(phrase)))
        .map(([phrase]): [string, string] => [tokensOf(phrase).join(' '), name]),
    ),
);

/** What a business document calls itself, and whether a line has nothing but that title, without a number behind it. */
export interface Headline {
  readonly type: string;
  readonly isAlone: boolean;
}

/**
 * The business document that the first page calls itself, on a line of its own: `RECHNUNG`, `Invoice No. 30518`. Other
 * lines with those words name documents that this one refers to, such as `Lieferschein / Datum` at a number. Null where no line
 * is a title, or lines are titles of several types.
 */
export function headlineOf(layout: Layout): Headline | null {
  const page = layout.document.pages[0];
  if (!page) return null;
  const found = layout.lines
    .slice(0, lineLimit)
    .filter((line) => line.page === page.number && line.box.y0 < titleShare * page.height && line.words.length <= 6)
    .flatMap(({ text }) => titleIn(text) ?? []);
  const types = new Set(found.map(({ type }) => type));
  const [first] = found;
  return first && types.size === 1 ? { type: first.type, isAlone: found.some(({ isAlone }) => isAlone) } : null;
}

/** The number that stands behind the document's own title in its line: `1. Abschlagsrechnung Nr. 2025-AR-038`. */
export function numberAtTitle(
  typeName: string,
  layout: Layout,
): { readonly line: TextLine; readonly start: number; readonly end?: number } | null {
  for (const line of layout.lines.slice(0, lineLimit)) {
    if (line.page !== layout.document.pages[0]?.number || line.words.length > 6) continue;
    const below = numberBelowTitle(typeName, line, layout);
    if (below !== null) return { line, ...below };
    const match = titledNumber.exec(line.text);
    if (!match?.groups) continue;
    const title = titleIn(`${match.groups.title} 1`);
    if (title?.type === typeName) return { line, start: line.text.length - match.groups.number!.length };
  }
  return null;
}

/** A day behind the word that says of what it is: `du 08/04/2025`, `N° 2025-0612 vom 18.02.2025`. */
const datedTitle =
  /^(?<before>.{0,40}?)(?<![\p{L}\d])(?:du|vom|del|dated|van|of)\s+(?<day>\d.{4,19}|\p{L}{3,9} \d.{4,12})$/iu;
/** Titles, with what they go back to, are no longer. */
const longestTitle = 160;
/** A number with what says that it is one. */
const markedNumber =
  /^(?:(?:no|nr|num|number|nummer|numero|número)\.? ?|[#№] ?|n[°º] ?)?(?=\S*\d)[\p{L}\d./-]{2,20}$/iu;

/** The day that stands behind the document's own title and number, or right below them; null without one. */
export function dateAtTitle(
  typeName: string,
  layout: Layout,
): { readonly line: TextLine; readonly start: number; readonly end: number } | null {
  for (const line of layout.lines.slice(0, lineLimit)) {
    if (line.page !== layout.document.pages[0]?.number || line.text.length > longestTitle) continue;
    // Behind a dash may stand the offer that the document goes back to.
    const [text = ''] = line.text.split(/ [-–—|] (?=\p{L})/u);
    if (text.split(' ').length > 8) continue;
    const groups = datedTitle.exec(text)?.groups;
    if (!groups) continue;
    const before = groups.before!.replace(/[\s,–-]+$/, '');
    const isTitled = titleIn(before)?.type === typeName;
    const { above } = neighboursOf(layout, line);
    const isBelow =
      (before === '' || markedNumber.test(before)) &&
      above &&
      line.box.y0 - above.box.y1 < line.box.y1 - line.box.y0 &&
      titleIn(above.text)?.type === typeName;
    if (isTitled || isBelow) return { line, start: text.length - groups.day!.length, end: text.length };
  }
  return null;
}

/** A number that says it is one, and perhaps its day: `N° BC-2025-0612 du 18/02/2025`. */
const numberLine =
  /^(?:no|nr|num|number|nummer|numero|numéro|número|n[°º]|#|№)\.?:? ?(?<number>(?=\S*\d)[\p{Lu}\d][\p{L}\d./-]{1,20})(?: (?:du|vom|del|of|van|dated) \d.{4,19})?$/iu;

/** Where the number is in a line right below a title of the type; null where the line is none. */
function numberBelowTitle(
  typeName: string,
  line: TextLine,
  layout: Layout,
): { readonly start: number; readonly end: number } | null {
  const number = numberLine.exec(line.text)?.groups?.number;
  const above = number ? neighboursOf(layout, line).above : null;
  if (!number || !above || line.box.y0 - above.box.y1 > line.box.y1 - line.box.y0) return null;
  const title = titleIn(above.text);
  if (title?.type !== typeName || !title.isAlone) return null;
  const start = line.text.indexOf(number);
  return { start, end: start + number.length };
}

/** A title, perhaps with its ordinal, and the number behind it with or without what says that it is one. */
const titledNumber =
  /^(?:\d{1,2}\. )?(?<title>\p{L}[\p{L} ]{2,30}?)[ :]+(?:(?:no|nr|n|num|number|nummer|numero|número)\.? ?|[#№] ?|n[°º] ?)?(?<number>(?:[\p{Lu}]{1,3} (?=\p{Lu}?\/?\d|\p{Lu}\/))?(?=\S*\d)[\p{Lu}\d][\p{L}\d./-]{1,20})$/iu;

function titleIn(text: string): Headline | null {
  if (/:\s*$/.test(text)) return null;
  const tokens = tokensOf(text).filter((token) => !besideTitle.has(token));
  for (let length = Math.min(4, tokens.length); length > 0; length -= 1) {
    const type = titles.get(tokens.slice(0, length).join(' '));
    const rest = tokens.slice(length);
    if (type && rest.every((token) => /\d/.test(token) || numberMark.has(token)) && rest.length < 4)
      return rest.length === 0 || rest.some((token) => /\d/.test(token)) ? { type, isAlone: rest.length === 0 } : null;
  }
  return null;
}
