import type { ExtractedValue } from '@millrace/document-model';
import { repairLetters } from '../candidates/repair.ts';
import type { DocumentType } from '../types/definition.ts';
import { letteredFields } from './lettered-fields.ts';

/** The fields with names and addresses from pictures as they are written: `RitterstraBe 18` is in the Ritterstraße. */
export function withRepairedLetters(
  type: DocumentType,
  fields: Readonly<Record<string, ExtractedValue>>,
): Record<string, ExtractedValue> {
  const names = letteredFields(type);
  return Object.fromEntries(
    Object.entries(fields).map(([name, each]): [string, ExtractedValue] => {
      const isRead = each.provenance.some(({ source }) => source.startsWith('ocr:'));
      return names.has(name) && isRead && typeof each.value === 'string'
        ? [name, { ...each, value: repairLetters(each.value) }]
        : [name, each];
    }),
  );
}
