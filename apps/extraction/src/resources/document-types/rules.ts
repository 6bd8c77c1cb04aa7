import type { JsonValue } from '@millrace/document-model';
import type { OwnType } from '@millrace/document-model/own-type';
import { documentTypes } from '@millrace/engine/types';
import type { ListedType, OwnTypeFile, TypeFigures } from '@millrace/extraction-contract/document-types';
import type * as z from 'zod';
import type { StoredType } from './store.ts';

/** The values of a confirmed document, as they were extracted and as they were confirmed. */
export interface ConfirmedValues {
  readonly extracted: Readonly<Record<string, JsonValue>>;
  readonly confirmed: Readonly<Record<string, JsonValue>>;
}

/** How often each field of a type was extracted right, corrected, or missing. */
export function figuresOf(type: OwnType, documents: readonly ConfirmedValues[]): z.output<typeof TypeFigures> {
  return {
    documents: documents.length,
    fields: type.fields.map(({ name }) => {
      const counts = { right: 0, corrected: 0, missing: 0 };
      for (const { confirmed, extracted } of documents) {
        const outcome = outcomeOf(extracted[name], confirmed[name]);
        if (outcome) counts[outcome] += 1;
      }
      return { name, ...counts };
    }),
  };
}

function outcomeOf(
  extracted: JsonValue | undefined,
  confirmed: JsonValue | undefined,
): 'right' | 'corrected' | 'missing' | null {
  if (extracted === undefined) return confirmed === undefined ? null : 'missing';
  return JSON.stringify(extracted) === JSON.stringify(confirmed) ? 'right' : 'corrected';
}

/** A type as a file, which an import takes. */
export function fileOf({ columns, description, fields, name, title }: OwnType): z.input<typeof OwnTypeFile> {
  const type = { name, title, description, fields, columns };
  return structuredClone({ format: 'millrace.document_type', format_version: 1, type }) as z.input<typeof OwnTypeFile>;
}

/** Every type that `doc_type` takes: the built-in ones, then the account's own. */
export function listedTypes(own: readonly StoredType[]): z.output<typeof ListedType>[] {
  return [
    ...documentTypes.map(({ description, name, title }) => ({
      name,
      title,
      description,
      origin: 'built_in' as const,
    })),
    ...own.map(({ type, version }) => ({
      name: type.name,
      title: type.title,
      description: type.description,
      origin: 'own' as const,
      version,
    })),
  ];
}
