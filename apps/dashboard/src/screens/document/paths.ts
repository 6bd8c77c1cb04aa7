import { wordsOf } from '@millrace/ui/words';
import type { AnswerOf } from '../../frame/api.ts';

export type DocumentDetail = AnswerOf<'getDocument'>;
export type ShownValue = DocumentDetail['fields'][string];
export type FieldDefinition = DocumentDetail['fieldDefinitions'][number];
export type ColumnDefinition = NonNullable<DocumentDetail['rows']>['columns'][number];

/** The position of a value: a field, or a row and column of the line items. */
export type ValuePath = DocumentDetail['doubtful'][number];

/** A path as one string, also used as the id of the value's input. */
export function keyOf(path: ValuePath): string {
  return 'field' in path ? `value-field-${path.field}` : `value-row-${path.row}-${path.column}`;
}

/** A value of a document with its label. */
export interface NamedValue {
  readonly key: string;
  readonly label: string;
  readonly shown: ShownValue;
}

/** The definition of a field; for one that the document's type doesn't have, derived from its name. */
export function definitionOf(document: DocumentDetail, field: string): FieldDefinition {
  const known = document.fieldDefinitions.find(({ name }) => name === field);
  if (known) return known;
  const structured = typeof document.fields[field]?.value === 'object';
  return { name: field, kind: 'text', label: wordsOf(field), description: '', structured, required: false };
}

/** Every value of a document: fields, then line items. */
export function valuesOf(document: DocumentDetail): readonly NamedValue[] {
  const { rows, columns } = document.rows ?? { rows: [], columns: [] };
  return [
    ...Object.entries(document.fields).map(([field, shown]) => ({
      key: keyOf({ field }),
      label: definitionOf(document, field).label,
      shown,
    })),
    ...rows.flatMap((row, index) =>
      columns.flatMap(({ name, label }) => {
        const shown = row[name];
        if (shown === undefined) return [];
        return [{ key: keyOf({ row: index, column: name }), label: `Row ${index + 1}, ${label}`, shown }];
      }),
    ),
  ];
}
