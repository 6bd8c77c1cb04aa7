import type { DocType, JsonValue } from '../document.ts';

/** Amounts that are taken away from another: printed with a minus or without, they are given without. */
const takenAway = new Set([
  'discount_amount',
  'total_debits',
  'total_deductions',
  'amount_paid',
  'change_amount',
  'cash_received',
]);

/** A candidate's value as a field's: sums that are taken away, and all sums of a credit note, are positive. */
export function fieldValue(type: DocType, field: string, value: JsonValue): JsonValue {
  return typeof value === 'number' && (type === 'credit_note' || takenAway.has(field)) ? Math.abs(value) : value;
}
