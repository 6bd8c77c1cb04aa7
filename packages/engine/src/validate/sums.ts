/** A sum that a document's amounts should make. */
export interface Sum {
  /** The fields that take part. */
  readonly fields: readonly string[];
  readonly holds: boolean;
  /** What the amounts make, and what they should. */
  readonly made: number;
  readonly stated: number;
}

/** The fields of the sum that makes a total: added, or taken away. */
const totalTerms: readonly (readonly [field: string, sign: 1 | -1])[] = [
  ['subtotal', 1],
  ['tax_amount', 1],
  ['shipping_amount', 1],
  ['tip_amount', 1],
  ['discount_amount', -1],
];

/** Cash totals are rounded to five hundredths or so. */
const rounding = 0.05;

/** Whether two amounts are the same but for the rounding of a total. */
export function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= rounding + 0.001;
}

/** No country's value-added or sales tax is a larger share. */
const taxShareLimit = 0.3;

/** Whether an amount may be the tax on another: of two items that make a total the one is no tax on the other. */
function mayBeTaxOf(taxed: number, tax: number | null): boolean {
  return Math.abs(tax ?? 0) <= taxShareLimit * Math.abs(taxed) + rounding;
}

function isEqual(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.015;
}

/** Adds subtotal, tax and charges, and takes the discount away. */
export function sumOfTerms(amountOf: (name: string) => number | null, subtotal: number): number {
  return totalTerms.reduce((sum, [name, sign]) => {
    const amount = name === 'subtotal' ? subtotal : (amountOf(name) ?? 0);
    return sum + (name === 'discount_amount' ? sign * Math.abs(amount) : sign * amount);
  }, 0);
}

/**
 * The sums of which all terms are known, and whether they hold. One that often fails for a reason of its own, such as
 * cash less change, is given only where it holds.
 *
 * @param rowSum the sum of the line items, or null where there are none.
 */
export function sumsOf(amounts: ReadonlyMap<string, number>, rowSum: number | null): readonly Sum[] {
  const sums: Sum[] = [];
  const amount = (name: string) => amounts.get(name) ?? null;
  const add = (fields: readonly string[], holds: boolean, made: number, stated: number) =>
    sums.push({ fields, holds, made, stated });
  const total = amount('total_amount');
  const subtotal = amount('subtotal');
  const tax = amount('tax_amount');
  const present = totalTerms.map(([name]) => name).filter((name) => (amount(name) ?? 0) !== 0);
  if (total !== null && subtotal !== null && present.length >= 2 && mayBeTaxOf(subtotal, tax)) {
    const made = sumOfTerms(amount, subtotal);
    if (isNear(made, total)) add([...present, 'total_amount'], true, made, total);
    // Where prices include the tax, the subtotal is the total.
    else if (!(tax !== null && isNear(made - tax, total))) {
      const named = ['subtotal', 'tax_amount', 'total_amount'].filter((name) => amounts.has(name));
      add(named, false, made, total);
    }
  }
  const cash = amount('cash_received');
  const change = amount('change_amount');
  if (total !== null && cash !== null && change !== null && change !== 0) {
    const made = cash - Math.abs(change);
    if (isNear(made, total)) add(['cash_received', 'change_amount', 'total_amount'], true, made, total);
  }
  const due = amount('amount_due');
  const paid = amount('amount_paid');
  if (total !== null && due !== null && paid !== null && paid !== 0) {
    const made = total - Math.abs(paid);
    if (isEqual(made, due)) add(['total_amount', 'amount_paid', 'amount_due'], true, made, due);
  }
  if (rowSum !== null && rowSum !== 0) {
    if (total !== null && isEqual(rowSum, total)) add(['total_amount'], true, rowSum, total);
    if (subtotal !== null && isEqual(rowSum, subtotal)) add(['subtotal'], true, rowSum, subtotal);
  }
  const opening = amount('opening_balance');
  const closing = amount('closing_balance');
  const credits = amount('total_credits');
  const debits = amount('total_debits');
  if (opening !== null && closing !== null && credits !== null && debits !== null) {
    const made = opening + Math.abs(credits) - Math.abs(debits);
    add(['opening_balance', 'total_credits', 'total_debits', 'closing_balance'], isEqual(made, closing), made, closing);
  }
  const gross = amount('gross_pay');
  const net = amount('net_pay');
  const deductions = amount('total_deductions');
  if (gross !== null && net !== null && deductions !== null && deductions !== 0) {
    const made = gross - Math.abs(deductions);
    add(['gross_pay', 'total_deductions', 'net_pay'], isEqual(made, net), made, net);
  }
  return sums;
}
