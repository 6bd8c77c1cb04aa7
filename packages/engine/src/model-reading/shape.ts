import type { DocumentType, FieldDefinition } from '../types/definition.ts';

/**
 * The form in which a field is answered: one text, a list of texts, pairs of a label and a text, or entries with parts
 * of their own.
 */
export type AnswerShape = 'text' | 'list' | 'pairs' | 'entries';

/** Parts of the entries of fields that have such. */
const entryParts: Readonly<Record<string, readonly string[]>> = {
  education: ['title', 'organization', 'period'],
  experience: ['title', 'organization', 'period', 'description'],
};

const pairFields = new Set(['key_values', 'boxes']);

export function shapeOf(field: Pick<FieldDefinition, 'name' | 'repeated'>): AnswerShape {
  if (pairFields.has(field.name)) return 'pairs';
  if (entryParts[field.name]) return 'entries';
  return field.repeated ? 'list' : 'text';
}

/** The parts of an entry of a field whose shape is `entries`. */
export function partsOf(field: Pick<FieldDefinition, 'name'>): readonly string[] {
  return entryParts[field.name] ?? [];
}

/** Kinds that are decided by the whole text, or by check digits, better than by asking. */
const unasked = new Set(['language', 'mrz']);

/** The fields of a type that somebody who reads the document can be asked for. */
export function askableFields(type: DocumentType): readonly FieldDefinition[] {
  return type.fields.filter(({ isUnasked, kind }) => !isUnasked && !unasked.has(kind));
}
