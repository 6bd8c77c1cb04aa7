import type { JsonValue } from '@millrace/document-model';

/** Amounts that are taken away from another: printed with a minus or without, they are given without. */
const takenAway = new Set([
  'discount_amount',
  'total_debits',
  'total_deductions',
  'amount_paid',
  'change_amount',
  'cash_received',
]);

/** Whether a field's sums are given without their sign: those that are taken away, and all of a credit note. */
export function isUnsigned(type: string, field: string): boolean {
  return type === 'credit_note' || takenAway.has(field);
}

/** A candidate's value as a field's. */
export function fieldValue(type: string, field: string, value: JsonValue): JsonValue {
  return typeof value === 'number' && isUnsigned(type, field) ? Math.abs(value) : value;
}
