import type { Layout, Locale, TextLine, ValueKind } from '@millrace/document-model';
import { foldText } from '../candidates/date.ts';
import { isHeading, isSentence } from '../candidates/headings.ts';
import { fold, type PlacedCandidate, placed } from '../candidates/placed.ts';
import { proposeCandidates } from '../candidates/propose.ts';
import { type CaptionedText, textsAtCaption } from '../compose/captioned.ts';
import type { DocumentType, FieldDefinition } from '../types/definition.ts';

/** Kinds of which a text may be a value although no recogniser proposes it. */
const openKinds: ReadonlySet<ValueKind> = new Set(['text', 'name', 'organization', 'identifier']);
/** Texts at a field's captions that are proposed, the likeliest. */
const proposedTexts = 6;
/** Lines that are searched for examples. */
const lineLimit = 2000;

/**
 * The candidates for a type's fields: what recognisers propose, and for an account's own type also the texts at its
 * fields' captions and its examples where they stand.
 */
export function candidatesOf(type: DocumentType, layout: Layout, locale: Locale): readonly PlacedCandidate[] {
  const recognised = proposeCandidates(layout, locale);
  if (!type.isOwn) return recognised;
  const open = type.fields.filter(({ kind }) => openKinds.has(kind));
  return [...recognised, ...open.flatMap((field) => [...captioned(type, field, layout), ...examplesIn(field, layout)])];
}

function captioned(type: DocumentType, field: FieldDefinition, layout: Layout): PlacedCandidate[] {
  return textsAtCaption(type, field.name, layout)
    .slice(0, proposedTexts)
    .flatMap((text) => {
      const { stretch, text: whole } = text;
      // A caption's words within a sentence are no caption.
      if (text.place === 'behind' && stretch.line.words.length > 6 && isSentence(stretch.line.text)) return [];
      const lead = /^[\s:;,.*#_-]*/.exec(whole)![0].length;
      const value = fold(whole.slice(lead).replace(/[\s:;,*_]+$/, ''));
      if (!mayBe(field.kind, value, text)) return [];
      const start = stretch.start + lead;
      return [placed(field.kind, value, 0.95, layout, [stretch.line], start, stretch.end)];
    });
}

/** The most characters and words of a value at a caption. */
const textLimits = { characters: 160, words: 20 };

function mayBe(kind: ValueKind, value: string, { place }: CaptionedText): boolean {
  if (value.length < 1 || value.length > textLimits.characters || !/[\p{L}\d]/u.test(value)) return false;
  const words = value.split(' ').length;
  if (words > textLimits.words || (place !== 'behind' && isHeading(value))) return false;
  switch (kind) {
    case 'identifier':
      return words <= 5 && value.split(' ').every((part) => /^[\p{Lu}\d/._#*+-]+$/u.test(part));
    case 'name':
    case 'organization':
      return words <= 8 && /\p{L}{2}/u.test(value) && !isSentence(value) && !/\d[.,]\d{2}$/.test(value);
    default:
      return place === 'behind' || !isSentence(value) || words <= 8;
  }
}

/** The examples of a field of texts, where they stand as words of their own. */
function examplesIn(field: FieldDefinition, layout: Layout): PlacedCandidate[] {
  if (field.kind !== 'text' && field.kind !== 'organization' && field.kind !== 'name') return [];
  const examples = (field.examples ?? []).map(foldText).filter((example) => example.length >= 2);
  if (examples.length === 0) return [];
  return layout.lines
    .slice(0, lineLimit)
    .flatMap((line) => examples.flatMap((example) => found(field, example, line, layout)));
}

function found({ kind }: FieldDefinition, example: string, line: TextLine, layout: Layout): PlacedCandidate[] {
  const text = foldText(line.text);
  // Where folding changes the number of letters, places in the line are not known.
  if (text.length !== line.text.length) return [];
  const candidates: PlacedCandidate[] = [];
  for (let at = text.indexOf(example); at >= 0; at = text.indexOf(example, at + example.length)) {
    const end = at + example.length;
    const isWhole = !/[\p{L}\d]/u.test(text[at - 1] ?? ' ') && !/[\p{L}\d]/u.test(text[end] ?? ' ');
    if (isWhole) candidates.push(placed(kind, fold(line.text.slice(at, end)), 0.95, layout, [line], at, end));
  }
  return candidates;
}
