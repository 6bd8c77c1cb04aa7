import type { JsonValue } from '@millrace/document-model';
import type { OwnType } from '@millrace/document-model/own-type';
import { documentTypes } from '@millrace/engine/types';
import type { ListedType, OwnTypeFile, TypeFigures } from '@millrace/extraction-contract/document-types';
import type * as z from 'zod';
import type { StoredType } from './store.ts';

type Values = Readonly<Record<string, JsonValue>>;

/** The values and line items of a confirmed document, as they were extracted and as they were confirmed. */
export interface ConfirmedValues {
  readonly extracted: Values;
  readonly confirmed: Values;
  readonly extractedLines: readonly Values[];
  readonly confirmedLines: readonly Values[];
}

/** Values as they were extracted beside those that were confirmed in their place. */
type Pair = readonly [extracted: Values, confirmed: Values];

/** How often each field of a type, and each column of its line items, was extracted right, corrected, or missing. */
export function figuresOf(type: OwnType, documents: readonly ConfirmedValues[]): z.output<typeof TypeFigures> {
  const fields = documents.map(({ confirmed, extracted }): Pair => [extracted, confirmed]);
  const lines = documents.flatMap(({ confirmedLines, extractedLines }) => pairLines(extractedLines, confirmedLines));
  return {
    documents: documents.length,
    fields: type.fields.map(({ name }) => ({ name, ...count(name, fields) })),
    columns: type.columns.map(({ name }) => ({ name, ...count(name, lines) })),
  };
}

function count(name: string, pairs: readonly Pair[]) {
  const counts = { right: 0, corrected: 0, missing: 0 };
  for (const [extracted, confirmed] of pairs) {
    const outcome = outcomeOf(extracted[name], confirmed[name]);
    if (outcome) counts[outcome] += 1;
  }
  return counts;
}

/**
 * The lines of a document in pairs. Lines that stayed as they were are paired from the top and from the bottom, those
 * between them in their order, so that a line that was added or removed doesn’t make those below it wrong.
 */
function pairLines(extracted: readonly Values[], confirmed: readonly Values[]): Pair[] {
  const keys = (lines: readonly Values[]) => lines.map((line) => JSON.stringify(Object.entries(line).sort()));
  const [before, after] = [keys(extracted), keys(confirmed)];
  const shorter = Math.min(before.length, after.length);
  let top = 0;
  while (top < shorter && before[top] === after[top]) top += 1;
  let bottom = 0;
  while (bottom < shorter - top && before.at(-1 - bottom) === after.at(-1 - bottom)) bottom += 1;
  const between = Math.max(before.length, after.length) - top - bottom;
  const pairAt = (beforeIndex: number, afterIndex: number): Pair => [
    beforeIndex < 0 ? {} : extracted[beforeIndex]!,
    afterIndex < 0 ? {} : confirmed[afterIndex]!,
  ];
  const within = (index: number, length: number) => (index < length - bottom ? index : -1);
  return [
    ...Array.from({ length: top }, (_, at) => pairAt(at, at)),
    ...Array.from({ length: between }, (_, at) =>
      pairAt(within(top + at, before.length), within(top + at, after.length)),
    ),
    ...Array.from({ length: bottom }, (_, at) => pairAt(before.length - bottom + at, after.length - bottom + at)),
  ];
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
