import { labelOf } from '@millrace/engine/revalidate';
import { documentTypes } from '@millrace/engine/types';
import type { DocumentType } from '@millrace/engine/types/definition';
import { documentColumns, fieldOfColumn } from './contract.ts';

/** A field that documents of some types have, as a column of the list. */
export interface ColumnField extends Pick<DocumentType['fields'][number], 'name' | 'kind'> {
  readonly label: string;
  readonly docTypes: readonly string[];
}

/** Every field that any type has, each name once, in the order in which the API's reference lists them. */
export function columnFieldsOf(own: readonly DocumentType[]): readonly ColumnField[] {
  const all = [...documentTypes, ...own].flatMap(({ fields, name: docType }) =>
    fields.map(({ kind, name }) => ({ name, kind, docType })),
  );
  return [...Map.groupBy(all, ({ name }) => name).values()].map((same) => {
    const [{ name, kind } = { name: '', kind: 'text' as const }] = same;
    return { name, label: labelOf(name), kind, docTypes: same.map(({ docType }) => docType) };
  });
}

function columnsOf(fields: readonly ColumnField[]): ReadonlySet<string> {
  return new Set([...documentColumns, ...fields.map(({ name }) => `field.${name}`)]);
}

/** What is wrong with a choice of columns, by the path of each; empty where it can be kept. */
export function faultsOf(columns: readonly string[], fields: readonly ColumnField[]): Readonly<Record<string, string>> {
  const known = columnsOf(fields);
  const faults = columns.map((column, index): [string, string | null] => [
    `columns.${index}`,
    columns.indexOf(column) === index ? faultOf(column, known) : 'Choose each column once.',
  ]);
  return Object.fromEntries(faults.filter((fault): fault is [string, string] => fault[1] !== null));
}

function faultOf(column: string, known: ReadonlySet<string>): string | null {
  if (known.has(column)) return null;
  const field = fieldOfColumn(column);
  return field === null ? 'There is no such column.' : `No document type has the field ${field}.`;
}

/** A stored choice without columns that no longer exist. */
export function keptColumns(columns: readonly string[], fields: readonly ColumnField[]): string[] {
  const known = columnsOf(fields);
  return columns.filter((column) => known.has(column));
}
