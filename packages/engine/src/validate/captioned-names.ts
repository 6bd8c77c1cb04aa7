import type { ExtractedValue, Layout } from '@millrace/document-model';
import { isHouseInStreet } from '../candidates/address-lines.ts';
import { isFormPhrase, isHeading } from '../candidates/headings.ts';
import { type CaptionedText, textsAtCaption } from '../compose/captioned.ts';
import { isOrganizationName, isPersonName, titleCased } from '../compose/names.ts';
import { composedValue } from '../compose/value.ts';
import type { DocumentType } from '../types/definition.ts';
import { isPartOf, letters } from './same-text.ts';

/** Above what the scorer thinks of a name that stands at no caption. */
const confidence = 86;
const sureConfidence = 90;
/** From here on the caption is the field's own. */
const leastCaptionScore = 0.9;
const longestName = 70;

/**
 * The fields of a letter's parties with whom a caption names on its line where the answer stands at none, or there is
 * none: `Cliente:` beside a name, below a letterhead with a person's.
 */
export function withNamesAtCaptions(
  type: DocumentType,
  layout: Layout,
  fields: Readonly<Record<string, ExtractedValue>>,
): Record<string, ExtractedValue> {
  const own = { ...fields };
  for (const side of ['sender', 'recipient'] as const) {
    const name = type.letter?.[side].name;
    const answered = name ? own[name] : undefined;
    if (!name || (answered && answered.confidence >= sureConfidence)) continue;
    const texts = textsAtCaption(type, name, layout).filter(({ score }) => score >= leastCaptionScore);
    // A name that goes on in the next line is captioned as well.
    const isCaptioned = answered && texts.some(({ text }) => isPartOf(text, answered.value));
    const named = texts.filter(isName);
    const [first] = named;
    // An order's `Buyer` may be who buys for the organization that sends it.
    const isAgent =
      type.issuer === 'buyer' &&
      side === 'sender' &&
      answered &&
      first !== undefined &&
      isOrganizationName(first.text) === null &&
      isOrganizationName(String(answered.value)) !== null;
    if (!first || isAgent || isCaptioned || named.some(({ text }) => letters(text) !== letters(first.text))) continue;
    own[name] = composedValue(first.text.trim(), confidence, [first.stretch]);
  }
  return own;
}

function isName({ text, place, isExact, stretch: { line, start } }: CaptionedText): boolean {
  const name = text.trim();
  // Behind a word of a sentence, `bank` for one, anything may stand.
  const caption = line.text.slice(0, start);
  const isWhole = isExact && /^\p{L}+ \p{L}+\s*$/u.test(caption);
  const isApart = place === 'right' || (place === 'behind' && (isWhole || /:\s*$/.test(caption)));
  return (
    isApart &&
    name.length <= longestName &&
    !/\d{3}|[:@]/.test(name) &&
    !isHeading(name) &&
    !isFormPhrase(name) &&
    !isHouseInStreet(name) &&
    (isOrganizationName(name) !== null || isPersonName(titleCased(name)))
  );
}
