import type { ExtractedFields, ExtractedValue, Layout, TextLine, ValueFlag, ValueKind } from '@millrace/document-model';
import type { PlacedCandidate } from '../candidates/placed.ts';
import { whole } from '../compose/at-caption.ts';
import { type CaptionedText, textsAtCaption } from '../compose/captioned.ts';
import { comparable } from '../score/comparable.ts';
import type { DocumentType } from '../types/definition.ts';

/** Of 60 such values of forms, accounts and cards, all were right. */
const captionedConfidence = 91;
const repeatedConfidence = 92;
/** Below this a text stands at another caption, or away from it. */
const leastCaptionScore = 0.8;
/** From here on the caption is the field's very own, by where the value stands at it. */
const exactScore: Readonly<Record<CaptionedText['place'], number>> = { behind: 0.97, right: 0.92, below: 0.87 };
/** Characters that OCR was less sure of prove nothing. */
const leastCharacter = 0.95;

/** Kinds that are known by their form, so that hardly anything else can stand at a caption. */
const formed: ReadonlySet<ValueKind> = new Set(['date', 'identifier', 'amount', 'tax_id', 'number', 'percent']);
const doubts: ReadonlySet<ValueFlag> = new Set([
  'arithmetic_fails',
  'check_digit_fails',
  'readings_differ',
  'ambiguous_date',
]);

/**
 * The fields of a type, the surer where a value is all that stands at a caption of its field, and no other place with such
 * a caption has another value; surer still where two have the same, as a bill and the slip that goes back with its payment.
 * Where its own caption stands again with another value, it is flagged.
 */
export function provenByCaptions(
  type: DocumentType,
  fields: ExtractedFields,
  layout: Layout,
  candidates: readonly PlacedCandidate[],
): Record<string, ExtractedValue> {
  const definitions = new Map(type.fields.map((field) => [field.name, field]));
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]): [string, ExtractedValue] => {
      const field = definitions.get(name);
      const isOpen = value.confidence < captionedConfidence && !value.flags.some((flag) => doubts.has(flag));
      if (!field || field.repeated || typeof value.value === 'object' || !isOpen) return [name, value];
      const own = candidates.filter((candidate) => candidate.kind === field.kind && candidate.layout === layout);
      const lines = new Set<TextLine>();
      const others = { any: false, exact: false };
      for (const text of textsAtCaption(type, name, layout)) {
        if (text.score < leastCaptionScore) break;
        const candidate = whole(text, own);
        if (!candidate) continue;
        const isExact = text.score >= exactScore[text.place];
        if (comparable(field.kind, candidate.value) !== comparable(field.kind, value.value)) {
          others.any = true;
          others.exact ||= isExact;
        } else if (
          (formed.has(field.kind) || isExact) &&
          candidate.words.every((word) => (word.leastConfidence ?? 1) >= leastCharacter)
        )
          lines.add(text.stretch.line);
      }
      if (others.exact && lines.size > 0) return [name, { ...value, flags: [...value.flags, 'captions_differ'] }];
      if (others.any) return [name, value];
      if (lines.size === 0) return [name, value];
      const flag: ValueFlag = lines.size > 1 ? 'readings_agree' : 'captioned';
      const confidence = lines.size > 1 ? repeatedConfidence : captionedConfidence;
      return [name, { ...value, confidence, flags: [...new Set([...value.flags, flag])] }];
    }),
  );
}
