import { labelOf } from '@millrace/engine/revalidate';
import { documentTypes } from '@millrace/engine/types';
import { documentColumns, fieldOfColumn } from './contract.ts';

/** Every field that any type has, each name once, in the order in which the API's reference lists them. */
export const columnFields = [
  ...Map.groupBy(
    documentTypes.flatMap(({ name: docType, fields }) => fields.map(({ name, kind }) => ({ name, kind, docType }))),
    ({ name }) => name,
  ).values(),
].map((same) => {
  const [{ name, kind } = { name: '', kind: 'text' as const }] = same;
  return { name, label: labelOf(name), kind, docTypes: same.map(({ docType }) => docType) };
});

const known: ReadonlySet<string> = new Set([...documentColumns, ...columnFields.map(({ name }) => `field.${name}`)]);

/** What is wrong with a choice of columns, by the path of each; empty where it can be kept. */
export function faultsOf(columns: readonly string[]): Readonly<Record<string, string>> {
  const faults = columns.map((column, index): [string, string | null] => [
    `columns.${index}`,
    columns.indexOf(column) === index ? faultOf(column) : 'Choose each column once.',
  ]);
  return Object.fromEntries(faults.filter((fault): fault is [string, string] => fault[1] !== null));
}

function faultOf(column: string): string | null {
  if (known.has(column)) return null;
  const field = fieldOfColumn(column);
  return field === null ? 'There is no such column.' : `No document type has the field ${field}.`;
}

/** A stored choice without columns that no longer exist. */
export function keptColumns(columns: readonly string[]): string[] {
  return columns.filter((column) => known.has(column));
}
