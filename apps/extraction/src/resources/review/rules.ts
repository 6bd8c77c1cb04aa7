import type { Extraction, JsonValue } from '@millrace/document-model';
import { faultOfEntered, faultOfEnteredCell, rowsOf } from '@millrace/engine/revalidate';
import type { DocumentType } from '@millrace/engine/types/definition';
import type * as z from 'zod';
import type { EnteredByPeople, PersonsValue, ValuePath } from '../../database/schema.ts';
import type { reviewOperations } from './contract.ts';

export type Change = z.output<(typeof reviewOperations)[1]['request']['body']>['changes'][number];

/** One change as it is kept. */
export interface KeptChange {
  readonly kind: 'set' | 'add_row' | 'remove_row';
  readonly path: ValuePath | null;
  readonly before: JsonValue;
  readonly after: JsonValue;
}

/** A change that cannot be made, for the person who asked for it. */
export interface ChangeFault {
  /** Of the request's body. */
  readonly path: string;
  readonly message: string;
}

/** Rows of a document; more are not entered by hand. */
const rowLimit = 2_000;

/**
 * Makes a person's changes, in their order, to what people have entered so far.
 *
 * @param extraction as it was extracted, without people's values.
 */
export function enterChanges(
  type: DocumentType,
  extraction: Extraction,
  entered: EnteredByPeople,
  changes: readonly Change[],
  by: { readonly userId: string; readonly at: Date },
): { entered: EnteredByPeople; kept: readonly KeptChange[]; faults: readonly ChangeFault[] } {
  const extractedRows = rowsOf(extraction);
  const fields = { ...entered.fields };
  let rows = entered.rows?.map((row) => ({ ...row, cells: { ...row.cells } })) ?? null;
  const kept: KeptChange[] = [];
  const faults: ChangeFault[] = [];
  const personsValue = (value: JsonValue): PersonsValue => ({ value, by: by.userId, at: by.at.toISOString() });
  const enteredRows = () => {
    rows ??= extractedRows.map((_row, from) => ({ from, cells: {} }));
    return rows;
  };
  const cellOf = (row: NonNullable<EnteredByPeople['rows']>[number], column: string): JsonValue => {
    const cell = row.cells[column];
    return cell ? cell.value : row.from === null ? null : (extractedRows[row.from]?.[column]?.value ?? null);
  };

  for (const [index, change] of changes.entries()) {
    const fault = (part: string, message: string | null) => {
      if (message !== null) faults.push({ path: `changes.${index}.${part}`, message });
      return message !== null;
    };
    if ('field' in change) {
      const { field, value } = change;
      if (fault('value', faultOfEntered(type, field, value))) continue;
      const before = Object.hasOwn(fields, field) ? fields[field]!.value : (extraction.fields[field]?.value ?? null);
      fields[field] = personsValue(value);
      kept.push({ kind: 'set', path: { field }, before, after: value });
    } else if ('column' in change) {
      const { row: number, column, value } = change;
      const row = enteredRows()[number];
      if (!row) {
        fault('row', 'This row doesn’t exist.');
        continue;
      }
      if (fault('value', faultOfEnteredCell(type, column, value))) continue;
      const before = cellOf(row, column);
      row.cells[column] = personsValue(value);
      kept.push({ kind: 'set', path: { row: number, column }, before, after: value });
    } else if ('addRow' in change) {
      const cells = Object.entries(change.addRow).filter(([, value]) => value !== null);
      for (const [column, value] of cells) fault(`addRow.${column}`, faultOfEnteredCell(type, column, value));
      if (enteredRows().length >= rowLimit) {
        fault('addRow', `A document can have ${rowLimit} rows.`);
        continue;
      }
      enteredRows().push({
        from: null,
        cells: Object.fromEntries(cells.map(([column, value]) => [column, personsValue(value)])),
      });
      kept.push({ kind: 'add_row', path: null, before: null, after: Object.fromEntries(cells) });
    } else {
      const row = enteredRows()[change.removeRow];
      if (!row) {
        fault('removeRow', 'This row doesn’t exist.');
        continue;
      }
      enteredRows().splice(change.removeRow, 1);
      const columns = new Set([...Object.keys(row.cells), ...Object.keys(extractedRows[row.from ?? -1] ?? {})]);
      const before = Object.fromEntries(
        [...columns]
          .map((column): [string, JsonValue] => [column, cellOf(row, column)])
          .filter(([, value]) => value !== null),
      );
      kept.push({ kind: 'remove_row', path: null, before, after: null });
    }
  }
  return { entered: { fields, rows }, kept, faults };
}
