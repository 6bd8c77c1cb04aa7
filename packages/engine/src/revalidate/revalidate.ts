import type { ExtractedRow, ExtractedValue, Extraction, ValueFlag } from '@millrace/document-model';
import { isValidIBAN } from 'ibantools';
import { isValidVat } from '../candidates/tax-id.ts';
import type { DocumentType } from '../types/definition.ts';
import { type Sum, sumsOf } from '../validate/sums.ts';
import {
  dateOrder,
  doubtedConfidence,
  itemsOf,
  provenConfidence,
  sumOfRows,
  taxRateHolds,
} from '../validate/validate.ts';
import type { EnteredValue, EnteredValues } from './entered.ts';
import { labelOf } from './label.ts';
import { checkRows } from './rows.ts';

export { type EnteredValue, type EnteredValues, faultOfEntered, faultOfEnteredCell } from './entered.ts';
export { labelOf } from './label.ts';

/** Something that a document's values were checked for. */
export interface Check {
  readonly kind: 'sum' | 'rows' | 'dates' | 'check_digit' | 'tax_rate' | 'required';
  /** The fields that it is about. */
  readonly fields: readonly string[];
  /** From 0; present where it is about one row. */
  readonly row?: number;
  readonly holds: boolean;
  /** For people. */
  readonly message: string;
}

export interface Revalidated {
  readonly extraction: Extraction;
  readonly checks: readonly Check[];
}

/**
 * Replaces extracted values by people's and validates the document again: sums, the order of dates, check digits and
 * rows. People's values have confidence 100 and the flag `by_person` whatever the checks find; the confidence of
 * extracted values goes up if a check now holds because of a person's value, and down if one no longer does.
 *
 * @param extraction as extracted, without people's values.
 */
export function revalidate(type: DocumentType, extraction: Extraction, entered: EnteredValues): Revalidated {
  const extractedRows = rowsOf(extraction);
  const { rows, checks: rowChecks } = checkRows(enterRows(extractedRows, entered.rows), entered.rows !== null);
  const isEntered = (name: string) => Object.hasOwn(entered.fields, name);
  const fields = enterFields(extraction.fields, entered.fields);
  const checks: Check[] = [];

  const rowSum = sumOfRows(rows);
  const sums = sumsOf(amountsOf(fields), rowSum);
  const sumsBefore = sumsOf(amountsOf(extraction.fields), sumOfRows(extractedRows));
  const rowsChanged = entered.rows !== null;
  for (const [name, verdict] of verdictsOf(sums, sumsBefore, (each) => isEntered(each), rowsChanged)) {
    const value = fields[name];
    if (value && !isEntered(name)) fields[name] = verdict === 'holds' ? lift(value) : doubt(value);
  }
  checks.push(...sums.filter(({ fields: names }) => names.length > 1).map(checkOfSum));
  const rowCheck = checkOfRowSum(fields, rowSum);
  if (rowCheck) checks.push(rowCheck);
  checks.push(...rowChecks);

  for (const [earlier, later] of dateOrder) {
    const [first, second] = [fields[earlier], fields[later]];
    if (!first || !second) continue;
    const holds = String(first.value) <= String(second.value);
    const [firstBefore, secondBefore] = [extraction.fields[earlier], extraction.fields[later]];
    const heldBefore = !firstBefore || !secondBefore || String(firstBefore.value) <= String(secondBefore.value);
    for (const name of [earlier, later]) {
      const value = fields[name];
      if (!value || isEntered(name) || holds === heldBefore) continue;
      fields[name] = holds ? { ...value, confidence: lifted(value.confidence) } : doubtQuietly(value);
    }
    const message = holds
      ? `${labelOf(earlier)} is not after ${lower(labelOf(later))}.`
      : `${labelOf(earlier)} (${first.value}) is after ${lower(labelOf(later))} (${second.value}).`;
    checks.push({ kind: 'dates', fields: [earlier, later], holds, message });
  }

  checks.push(...checkTaxRate(fields, isEntered));
  for (const { name, kind } of type.fields) {
    const value = fields[name];
    if (!value || (kind !== 'iban' && kind !== 'tax_id')) continue;
    const check = checkDigits(name, kind, String(value.value));
    if (check) checks.push(check);
  }
  for (const name of type.required ?? []) {
    if (fields[name] || isEntered(name)) continue;
    checks.push({ kind: 'required', fields: [name], holds: false, message: `${labelOf(name)} is missing.` });
  }
  if (type.rows === 'items' && rowsChanged) {
    if (rows.length > 0) fields.items = enteredItems(rows);
    else delete fields.items;
  }
  return {
    extraction: {
      ...extraction,
      fields,
      lines: type.rows === 'lines' ? rows : extraction.lines,
      ...(type.rows === 'items' && { items: rows }),
    },
    checks,
  };
}

/** The rows of an extraction, wherever its type has them. */
export function rowsOf({ lines, items }: Extraction): readonly ExtractedRow[] {
  return items ?? lines;
}

function enteredItems(rows: readonly ExtractedRow[]): ExtractedValue {
  const items = itemsOf(rows);
  return { ...items, flags: [...new Set<ValueFlag>([...items.flags, 'by_person'])] };
}

/** A value as a person entered it; where it is what was extracted, it keeps its place. */
function enteredValue({ value }: EnteredValue, extracted: ExtractedValue | undefined): ExtractedValue {
  const same = extracted !== undefined && JSON.stringify(extracted.value) === JSON.stringify(value);
  return { value, confidence: 100, provenance: same ? extracted.provenance : [], flags: ['by_person'] };
}

function enterFields(
  extracted: Extraction['fields'],
  entered: Readonly<Record<string, EnteredValue>>,
): Record<string, ExtractedValue> {
  const fields = { ...extracted };
  for (const [name, value] of Object.entries(entered)) {
    if (value.value === null) delete fields[name];
    else fields[name] = enteredValue(value, extracted[name]);
  }
  return fields;
}

function enterRows(extracted: readonly ExtractedRow[], entered: EnteredValues['rows']): readonly ExtractedRow[] {
  if (entered === null) return extracted;
  return entered.map(({ from, cells }) => {
    const row = from === null ? {} : (extracted[from] ?? {});
    return enterFields(row, cells);
  });
}

function amountsOf(fields: Extraction['fields']): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(fields).flatMap(([name, { value }]) => (typeof value === 'number' ? [[name, value] as const] : [])),
  );
}

/** What the sums say of each field now that they did not say, or not by a person's word, before. */
function verdictsOf(
  sums: readonly Sum[],
  before: readonly Sum[],
  isEntered: (name: string) => boolean,
  rowsChanged: boolean,
): ReadonlyMap<string, 'holds' | 'fails'> {
  const failedBefore = new Set(before.flatMap(({ fields, holds }) => (holds ? [] : fields)));
  const verdicts = new Map<string, 'holds' | 'fails'>();
  for (const { fields } of sums.filter(({ holds }) => !holds)) {
    for (const name of fields) if (!failedBefore.has(name)) verdicts.set(name, 'fails');
  }
  for (const { fields } of sums.filter(({ holds }) => holds)) {
    const byPerson = fields.some(isEntered) || (fields.length === 1 && rowsChanged);
    for (const name of fields) {
      if (byPerson) verdicts.set(name, 'holds');
      else verdicts.delete(name);
    }
  }
  return verdicts;
}

/** Right but for a coincidence: a person's value and a check say so. */
function lifted(confidence: number): number {
  return Math.round(Math.max(confidence, provenConfidence + confidence / 12) * 10) / 10;
}

function lift(value: ExtractedValue): ExtractedValue {
  return {
    ...value,
    confidence: lifted(value.confidence),
    flags: withFlag(value.flags, 'arithmetic_holds', 'arithmetic_fails'),
  };
}

function doubtQuietly(value: ExtractedValue): ExtractedValue {
  return { ...value, confidence: Math.min(value.confidence, doubtedConfidence) };
}

function doubt(value: ExtractedValue): ExtractedValue {
  return { ...doubtQuietly(value), flags: withFlag(value.flags, 'arithmetic_fails', 'arithmetic_holds') };
}

function withFlag(flags: readonly ValueFlag[], added: ValueFlag, removed: ValueFlag): readonly ValueFlag[] {
  return [...flags.filter((flag) => flag !== added && flag !== removed), added];
}

function checkOfSum({ fields, holds, made, stated }: Sum): Check {
  const result = fields.at(-1)!;
  const parts = fields
    .slice(0, -1)
    .map((name) => lower(labelOf(name)))
    .join(', ');
  const message = holds
    ? `${capital(parts)} add up to the ${lower(labelOf(result))}, ${amount(stated)}.`
    : `The sum is ${amount(made)}, but the ${lower(labelOf(result))} is ${amount(stated)}.`;
  return { kind: 'sum', fields, holds, message };
}

/** Whether the rows make the subtotal or the total, where one of them is known. */
function checkOfRowSum(fields: Extraction['fields'], rowSum: number | null): Check | null {
  const amounts = amountsOf(fields);
  const stated = ['subtotal', 'total_amount'].flatMap((name) => {
    const value = amounts.get(name);
    return value === undefined ? [] : [{ name, value }];
  });
  const [first] = stated;
  if (rowSum === null || !first) return null;
  const net = (amounts.get('total_amount') ?? Number.NaN) - (amounts.get('tax_amount') ?? 0);
  const match = stated.find(({ value }) => Math.abs(value - rowSum) < 0.015);
  const holds = match !== undefined || Math.abs(net - rowSum) < 0.015;
  const named = match ?? first;
  const message = holds
    ? `The line items add up to ${amount(rowSum)}.`
    : `The line items add up to ${amount(rowSum)}, but the ${lower(labelOf(named.name))} is ${amount(named.value)}.`;
  return { kind: 'rows', fields: [named.name], holds, message };
}

function checkTaxRate(fields: Record<string, ExtractedValue>, isEntered: (name: string) => boolean): Check[] {
  const [rate, tax, total] = ['tax_rate', 'tax_amount', 'total_amount'].map((name) => fields[name]?.value);
  const value = fields.tax_rate;
  if (!value || typeof rate !== 'number' || typeof tax !== 'number' || typeof total !== 'number') return [];
  const holds = taxRateHolds(rate, tax, total);
  const failed = value.flags.includes('arithmetic_fails');
  const byPerson = isEntered('tax_amount') || isEntered('total_amount');
  if (!isEntered('tax_rate') && byPerson && holds === failed) fields.tax_rate = holds ? lift(value) : doubt(value);
  const message = holds
    ? `The tax is ${rate} % of the net amount.`
    : `The tax isn’t ${rate} % of the net amount; there may be several rates.`;
  return [{ kind: 'tax_rate', fields: ['tax_rate', 'tax_amount', 'total_amount'], holds, message }];
}

function checkDigits(name: string, kind: 'iban' | 'tax_id', text: string): Check | null {
  const compact = text.replaceAll(' ', '');
  // National tax numbers have check digits of their own; those of European VAT numbers alone are known here.
  if (kind === 'tax_id' && !/^[A-Z]{2}/.test(compact)) return null;
  const holds = kind === 'iban' ? isValidIBAN(compact) : isValidVat(compact);
  const message = `The check digits of the ${kind === 'iban' ? 'IBAN' : lower(labelOf(name))} are ${holds ? 'valid' : 'invalid'}.`;
  return { kind: 'check_digit', fields: [name], holds, message };
}

function amount(value: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

function lower(label: string): string {
  return /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
