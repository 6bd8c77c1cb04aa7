import type { ExtractedValue, Layout, Locale, TextLine } from '@millrace/document-model';
import { parseDate } from '../candidates/date.ts';
import { neighboursOf } from '../layout/neighbours.ts';
import type { DocumentType } from '../types/definition.ts';
import { labelOf } from './labelled-rows.ts';
import { composedValue } from './value.ts';

/** What two captions side by side say of a number and its day. */
const confidence = 88;
const lineLimit = 300;

const pairedCaption =
  /^(?<number>\p{L}[^/:]{1,34}?) ?\/ ?(?:(?:vom|beleg|rechnungs|dok\.?-?)?datum|date|fecha|data|dato)[.: ]*(?<value>.*)$/iu;
const pairedValue = /^(?<number>\S[^/]{0,24}?) ?\/ ?(?=\d{1,4}[./-])/u;
/** A caption that names its number by nothing but that. */
const ownNumber = /^(?:beleg|dokument(?:en)?|document)?-? ?(?:nummer|number|no|nr|numero|número|n)$/u;

const yours = /^(?:ihre?|your|votre|vos|su|vostr[oa]|vs|uw|er|ert|deres)(?!\p{L})/u;

/**
 * The numbers of a document, and its own day, where one caption is for a number and its day and one text has both, as SAP
 * prints them: `Nummer / Datum  9400118263 / 27.01.2025`.
 */
export function pairedValues(
  type: DocumentType,
  layout: Layout,
  locale: Pick<Locale, 'dateOrder'>,
): Readonly<Record<string, ExtractedValue>> {
  const values: Record<string, ExtractedValue> = {};
  const [own] = type.fields.filter(({ name }) => name.endsWith('_number'));
  if (!own) return values;
  for (const line of layout.lines.slice(0, lineLimit)) {
    const caption = pairedCaption.exec(line.text);
    if (!caption?.groups) continue;
    const placed = pairAt(line, caption.groups.value!, layout);
    if (!placed) continue;
    const pair = pairedValue.exec(placed.text);
    if (!pair?.groups) continue;
    const label = labelOf(caption.groups.number!);
    const isOwn = ownNumber.test(label) || own.captions.some((text) => labelOf(text) === label);
    const field = isOwn
      ? own
      : type.fields.find(
          ({ kind, captions }) => kind === 'identifier' && captions.some((text) => labelOf(text) === label),
        );
    // `Ihre Bestellung` says more surely whose number it is than `Auftrag`.
    if (!field || (values[field.name] && !yours.test(label))) continue;
    const number = pair.groups.number!.trim();
    if (!/\d/.test(number)) continue;
    const start = placed.start + pair.index;
    values[field.name] = composedValue(number, confidence, [{ line: placed.line, start, end: start + number.length }]);
    const behind = placed.text.slice(pair.index + pair[0].length);
    const day = parseDate(behind, locale);
    const dateName = own.name.replace(/_number$/, '_date');
    if (isOwn && day && type.fields.some(({ name }) => name === dateName))
      values[dateName] = composedValue(day.value, confidence, [
        { line: placed.line, start: placed.start + placed.text.length - behind.length },
      ]);
  }
  return values;
}

/** The text of a caption: behind it, right of it or below it. */
function pairAt(
  line: TextLine,
  behind: string,
  layout: Layout,
): { readonly line: TextLine; readonly text: string; readonly start: number } | null {
  if (/\d/.test(behind)) return { line, text: behind, start: line.text.length - behind.length };
  const { right, below } = neighboursOf(layout, line);
  const value = right ?? below;
  return value && { line: value, text: value.text, start: 0 };
}
