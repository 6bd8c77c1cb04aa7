import type { ExtractedValue } from '@millrace/document-model';
import { isPersonName, titleCased } from '../compose/names.ts';
import type { DocumentType } from '../types/definition.ts';

const greeting = /^(?:hello|hi|hey|dear|hallo|bonjour|hola|olá|ciao),? (?=\p{Lu})/iu;

/** The fields with people's names without what greets them: `Hello Jane Doe` at the head of a bill. */
export function withoutGreetings(
  type: DocumentType,
  fields: Readonly<Record<string, ExtractedValue>>,
): Record<string, ExtractedValue> {
  const names = new Set(type.fields.flatMap(({ name, kind }) => (kind === 'name' ? [name] : [])));
  return Object.fromEntries(
    Object.entries(fields).map(([name, each]): [string, ExtractedValue] => {
      const greeted = names.has(name) && typeof each.value === 'string' ? each.value.replace(greeting, '') : each.value;
      const isNamed = greeted !== each.value && isPersonName(titleCased(String(greeted)));
      return [name, isNamed ? { ...each, value: greeted } : each];
    }),
  );
}
