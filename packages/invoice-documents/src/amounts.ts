import type { InvoiceLine } from './document.ts';

/** An amount in major units as an exact decimal: `minorUnit` decimals, a point, no grouping. */
export function toMajor(amountMinor: number, minorUnit: number): string {
  const digits = String(Math.abs(amountMinor)).padStart(minorUnit + 1, '0');
  const whole = digits.slice(0, digits.length - minorUnit);
  const text = minorUnit === 0 ? whole : `${whole}.${digits.slice(digits.length - minorUnit)}`;
  return amountMinor < 0 ? `-${text}` : text;
}

/**
 * A line's quantity and price with the sign at the quantity: EN 16931 allows no negative price (BR-27), and the printed
 * invoice has to state the same as the electronic one.
 */
export function pricingOf(line: InvoiceLine): { readonly quantity: string; readonly unitPrice: string } {
  if (!line.unitPrice.startsWith('-')) return { quantity: line.quantity, unitPrice: line.unitPrice };
  const quantity = line.quantity.startsWith('-') ? line.quantity.slice(1) : `-${line.quantity}`;
  return { quantity: Number(quantity) === 0 ? '0' : quantity, unitPrice: line.unitPrice.slice(1) };
}

/** A decimal without the zeros that end its fraction. */
export function trimDecimal(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
}
