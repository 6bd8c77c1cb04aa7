import type { ExtractedRow, ExtractedValue, ValueFlag } from '@millrace/document-model';
import { doubtedConfidence, provenConfidence } from '../validate/validate.ts';
import type { Check } from './revalidate.ts';

/** Number of failing rows that are listed individually. */
const toldRows = 20;

/**
 * Checks each row in itself: quantity and price make the amount; a statement's balance goes on from the row before.
 * Rows into which people entered something have their extracted cells lifted or doubted accordingly.
 *
 * @param isEntered whether people changed the rows at all.
 */
export function checkRows(
  rows: readonly ExtractedRow[],
  isEntered: boolean,
): { readonly rows: readonly ExtractedRow[]; readonly checks: readonly Check[] } {
  const verdicts = rows.map((row, index) => verdictOf(row, rows[index - 1]));
  const failing = verdicts.flatMap((verdict, row) => (verdict?.holds === false ? [{ ...verdict, row }] : []));
  const checks = failing.slice(0, toldRows).map(({ row, columns, message }): Check => {
    return { kind: 'rows', fields: columns, row, holds: false, message: `Row ${row + 1}: ${message}` };
  });
  if (!isEntered) return { rows, checks };
  return {
    rows: rows.map((row, index) => {
      const verdict = verdicts[index];
      const hasEntered = Object.values(row).some(isByPerson);
      return verdict && hasEntered ? judgedRow(row, verdict) : row;
    }),
    checks,
  };
}

interface Verdict {
  readonly columns: readonly string[];
  readonly holds: boolean;
  /** Where it does not hold. */
  readonly message: string;
}

function verdictOf(row: ExtractedRow, before: ExtractedRow | undefined): Verdict | null {
  return verdictOfProduct(row) ?? verdictOfBalance(row, before);
}

function numberOf(row: ExtractedRow | undefined, column: string): number | null {
  const value = row?.[column]?.value;
  return typeof value === 'number' ? value : null;
}

function verdictOfProduct(row: ExtractedRow): Verdict | null {
  const [quantity, price, amount] = ['quantity', 'price_unit', 'amount'].map((column) => numberOf(row, column));
  if (quantity == null || price == null || amount == null) return null;
  const product = quantity * price;
  const discount = Math.abs(numberOf(row, 'discount_amount') ?? 0);
  const tax = numberOf(row, 'tax_amount') ?? (product * (numberOf(row, 'tax_rate') ?? 0)) / 100;
  // A price is rounded to hundredths, an amount may have the tax in it and a discount taken off.
  const tolerance = 0.015 + Math.abs(quantity) * 0.005;
  const made = [product, product - discount, product + tax, product - discount + tax];
  const holds = made.some((each) => Math.abs(each - amount) <= tolerance);
  const message = `${quantity} × ${price} isn’t ${amount}.`;
  return { columns: ['quantity', 'price_unit', 'amount'], holds, message };
}

function verdictOfBalance(row: ExtractedRow, before: ExtractedRow | undefined): Verdict | null {
  const balance = numberOf(row, 'balance');
  const previous = numberOf(before, 'balance');
  const credit = numberOf(row, 'credit');
  const debit = numberOf(row, 'debit');
  if (balance === null || previous === null || (credit === null && debit === null)) return null;
  const made = previous + Math.abs(credit ?? 0) - Math.abs(debit ?? 0);
  const message = 'The balance doesn’t match the previous row.';
  return { columns: ['debit', 'credit', 'balance'], holds: Math.abs(made - balance) < 0.015, message };
}

function isByPerson({ flags }: ExtractedValue): boolean {
  return flags.includes('by_person');
}

function judgedRow(row: ExtractedRow, { columns, holds }: Verdict): ExtractedRow {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      if (!columns.includes(column) || isByPerson(value)) return [column, value];
      const [flag, other]: readonly ValueFlag[] = holds
        ? ['arithmetic_holds', 'arithmetic_fails']
        : ['arithmetic_fails', 'arithmetic_holds'];
      const confidence = holds
        ? Math.max(value.confidence, Math.round(provenConfidence + value.confidence / 12))
        : Math.min(value.confidence, doubtedConfidence);
      return [
        column,
        { ...value, confidence, flags: [...value.flags.filter((each) => each !== flag && each !== other), flag!] },
      ];
    }),
  );
}
