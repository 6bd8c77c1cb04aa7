import type { ExtractedValue } from '@millrace/document-model';
import { repairLetters } from '../candidates/repair.ts';
import type { DocumentType, FieldDefinition } from '../types/definition.ts';

/** Kinds in which a letter that was read as another one gives itself away. */
const lettered: ReadonlySet<FieldDefinition['kind']> = new Set(['name', 'organization', 'address']);

/** The fields with names and addresses from pictures as they are written: `RitterstraBe 18` is in the Ritterstraße. */
export function withRepairedLetters(
  type: DocumentType,
  fields: Readonly<Record<string, ExtractedValue>>,
): Record<string, ExtractedValue> {
  const names = new Set(type.fields.flatMap(({ name, kind }) => (lettered.has(kind) ? [name] : [])));
  return Object.fromEntries(
    Object.entries(fields).map(([name, each]): [string, ExtractedValue] => {
      const isRead = each.provenance.some(({ source }) => source.startsWith('ocr:'));
      return names.has(name) && isRead && typeof each.value === 'string'
        ? [name, { ...each, value: repairLetters(each.value) }]
        : [name, each];
    }),
  );
}
