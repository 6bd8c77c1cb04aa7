import type { DocumentType, FieldDefinition } from '../types/definition.ts';

/** Kinds in which a letter that was read as another one gives itself away. */
const lettered: ReadonlySet<FieldDefinition['kind']> = new Set(['name', 'organization', 'address']);

/** The fields of a type that are names and addresses. */
export function letteredFields(type: DocumentType): ReadonlySet<string> {
  return new Set(type.fields.flatMap(({ name, kind }) => (lettered.has(kind) ? [name] : [])));
}
