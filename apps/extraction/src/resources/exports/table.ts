import type { JsonValue, ValueKind } from '@millrace/document-model';
import { labelOf } from '@millrace/engine/revalidate';
import type { DocumentType } from '@millrace/engine/types/definition';
import type { ExportedDocument } from './store.ts';

/** What a row of an export is: a document with its values, or one of its line items. */
export type ExportedRows = 'values' | 'lines';

/** Whom an export is for: people get headings and names as screens show them, programs get the API's own. */
export type Audience = 'people' | 'programs';

/** How a column's cells are written; a value that is not of the kind is written as text. */
export type CellKind = 'text' | 'number' | 'amount' | 'date' | 'moment';

export type Cell = string | number | null;

export interface ExportColumn {
  readonly heading: string;
  readonly kind: CellKind;
}

/** The columns of an export, and the rows that each document adds to it. */
export interface ExportTable {
  readonly columns: readonly ExportColumn[];
  readonly rowsOf: (document: ExportedDocument) => readonly (readonly Cell[])[];
}

/**
 * The table of an export.
 *
 * @param types of the documents, in the order in which the API's reference lists them: their fields, or columns of line
 *   items, become columns, each name once.
 */
export function exportTable(rows: ExportedRows, types: readonly DocumentType[], audience: Audience): ExportTable {
  return rows === 'values' ? valuesTable(types, audience) : linesTable(types, audience);
}

/** A column that documents have whatever their type. */
interface DocumentColumn {
  readonly name: string;
  readonly kind: CellKind;
  readonly cell: (document: ExportedDocument, nameOf: (code: string) => string) => Cell;
}

const identity: readonly DocumentColumn[] = [
  { name: 'document_id', kind: 'text', cell: ({ id }) => id },
  { name: 'document_reference', kind: 'text', cell: ({ reference }) => reference },
  { name: 'file_name', kind: 'text', cell: ({ file_name }) => file_name },
  { name: 'document_type', kind: 'text', cell: ({ doc_type }, nameOf) => nameOf(doc_type) },
];

const standing: readonly DocumentColumn[] = [
  { name: 'document_state', kind: 'text', cell: ({ state }, nameOf) => nameOf(state) },
  { name: 'document_source', kind: 'text', cell: ({ source }, nameOf) => nameOf(source) },
  { name: 'page_count', kind: 'number', cell: ({ page_count }) => page_count },
  { name: 'arrived_at', kind: 'moment', cell: ({ created_at }) => created_at.toISOString() },
  { name: 'confirmed_at', kind: 'moment', cell: ({ confirmed_at }) => confirmed_at?.toISOString() ?? null },
  { name: 'lowest_confidence', kind: 'number', cell: ({ lowest_confidence }) => lowest_confidence },
];

function valuesTable(types: readonly DocumentType[], audience: Audience): ExportTable {
  const fixed = [...identity, ...standing];
  const fields = distinct(types.flatMap((type) => type.fields));
  const nameOf = nameFor(audience);
  return {
    columns: [...fixed, ...fields].map(({ name, kind }) => ({ heading: nameOf(name), kind: cellKindOf(kind) })),
    rowsOf: (document) => [
      [
        ...fixed.map(({ cell }) => cell(document, nameOf)),
        ...fields.map(({ name }) => cellOf(document.result?.fields[name])),
      ],
    ],
  };
}

function linesTable(types: readonly DocumentType[], audience: Audience): ExportTable {
  const withRows = types.filter(({ rows }) => rows !== 'none');
  const columns = distinct(withRows.flatMap((type) => type.columns));
  const nameOf = nameFor(audience);
  const own: readonly { readonly name: string; readonly kind: CellKind }[] = [
    ...identity,
    { name: 'row', kind: 'number' },
    { name: 'currency', kind: 'text' },
  ];
  return {
    columns: [...own, ...columns].map(({ name, kind }) => ({ heading: nameOf(name), kind: cellKindOf(kind) })),
    rowsOf: (document) =>
      lineItemsOf(document).map((row, index) => [
        ...identity.map(({ cell }) => cell(document, nameOf)),
        index + 1,
        cellOf(document.result?.fields.currency),
        ...columns.map(({ name }) => cellOf(row[name])),
      ]),
  };
}

const nameFor = (audience: Audience) => (code: string) => (audience === 'people' ? labelOf(code) : code);

function distinct<Named extends { readonly name: string; readonly kind: ValueKind }>(all: readonly Named[]): Named[] {
  return [...new Map(all.toReversed().map((each) => [each.name, each])).values()].toReversed();
}

function cellKindOf(kind: ValueKind | CellKind): CellKind {
  switch (kind) {
    case 'amount':
    case 'date':
    case 'moment':
      return kind;
    case 'number':
    case 'percent':
    case 'year':
      return 'number';
    default:
      return 'text';
  }
}

/** Line items stand beside the fields, or, for orders, quotes and delivery notes, in the field `items`. */
function lineItemsOf({ result }: ExportedDocument): readonly Readonly<Record<string, JsonValue>>[] {
  if (result === null) return [];
  if (result.lines.length > 0 || !Array.isArray(result.fields.items)) return result.lines;
  return result.fields.items.filter(isRow);
}

function isRow(value: JsonValue): value is Record<string, JsonValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value in a cell: a list of texts is joined, anything else that has parts is JSON. */
function cellOf(value: JsonValue | undefined): Cell {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value.join('; ');
  return JSON.stringify(value);
}
