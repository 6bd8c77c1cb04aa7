import type { JsonValue } from '@millrace/document-model';
import { documentTypes } from '../types/registry.ts';

/** Amounts that are taken away from another: printed with a minus or without, they are given without. */
const takenAway = new Set([
  'discount_amount',
  'total_debits',
  'total_deductions',
  'amount_paid',
  'change_amount',
  'cash_received',
]);

const unsignedTypes = new Set(documentTypes.flatMap(({ name, isUnsigned }) => (isUnsigned ? [name] : [])));

/** Whether a field's sums are given without their sign: those that are taken away, and all of a type that takes back. */
export function isUnsigned(type: string, field: string): boolean {
  return unsignedTypes.has(type) || takenAway.has(field);
}

/** A candidate's value as a field's. */
export function fieldValue(type: string, field: string, value: JsonValue): JsonValue {
  return typeof value === 'number' && isUnsigned(type, field) ? Math.abs(value) : value;
}
