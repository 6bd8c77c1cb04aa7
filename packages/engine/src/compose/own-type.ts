import type { ExtractedFields, ExtractedValue, ValueKind } from '@millrace/document-model';
import { isHeading } from '../candidates/headings.ts';
import { fold, type PlacedCandidate } from '../candidates/placed.ts';
import { comparable } from '../score/comparable.ts';
import type { FieldDefinition } from '../types/definition.ts';
import { type CaptionedText, partOf, textsAtCaption } from './captioned.ts';
import type { Findings } from './compose.ts';
import { candidateValue, composedValue } from './value.ts';

/** Nothing proves that a list is whole. */
const confidence = 72;
const leastCaptionScore = 0.5;
const listLimit = 100;

const textKinds: ReadonlySet<ValueKind> = new Set(['text', 'name', 'organization']);

/** The fields of an account's own type that have several values: each at one of the field's captions. */
export function composeOwn({ candidates, layout, type }: Findings): ExtractedFields {
  const fields: Record<string, ExtractedValue> = {};
  for (const field of type.fields) {
    if (!field.repeated) continue;
    const all = textsAtCaption(type, field.name, layout).filter(({ score }) => score >= leastCaptionScore);
    const beside = all.filter(({ place }) => place !== 'below');
    const texts = beside.length > 0 ? beside : all;
    const found = texts.flatMap((text) =>
      textKinds.has(field.kind) ? partsOfText(text) : valuesIn(text, field, candidates),
    );
    const value = listOf(field, found);
    if (value) fields[field.name] = value;
  }
  return fields;
}

/** The parts of a text between commas, semicolons and bullets. */
function partsOfText(text: CaptionedText): ExtractedValue[] {
  if (text.place !== 'behind' && isHeading(text.text)) return [];
  const values: ExtractedValue[] = [];
  let start = 0;
  for (const part of text.text.split(/[,;|•·]/u)) {
    const value = fold(part).replace(/^[:-]\s*/, '');
    if (value !== '') values.push(composedValue(value, confidence, [partOf(text, start, start + part.length)]));
    start += part.length + 1;
  }
  return values;
}

function valuesIn(
  { stretch }: CaptionedText,
  { kind }: FieldDefinition,
  candidates: readonly { readonly kind: ValueKind }[],
): ExtractedValue[] {
  return (candidates as readonly PlacedCandidate[])
    .filter(
      (candidate) =>
        candidate.kind === kind &&
        candidate.lines[0] === stretch.line &&
        candidate.start >= stretch.start &&
        candidate.end <= stretch.end + 1,
    )
    .map((candidate) => candidateValue(candidate, confidence));
}

function listOf({ kind }: FieldDefinition, values: readonly ExtractedValue[]): ExtractedValue | null {
  const distinct = new Map(values.map((value) => [comparable(kind, value.value), value]));
  const listed = [...distinct.values()].slice(0, listLimit);
  if (listed.length === 0) return null;
  return {
    value: listed.map(({ value }) => value),
    confidence,
    provenance: listed.flatMap(({ provenance }) => provenance),
    flags: [],
  };
}
