import type { Candidate, ExtractedRow, ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { visualRows } from '../layout/neighbours.ts';
import { onceFor } from '../layout/once-for.ts';
import { isTotalLabel } from '../lines/vocabulary.ts';
import type { ComposedFields } from './compose.ts';
import { candidateValue, composedValue } from './value.ts';

/** Bounds on hostile pages. */
const rowLimit = 400;
/** What a sum that holds between three printed amounts is worth. */
const addedConfidence = 90;

/** Below what a caption of a total says. */
const totalConfidence = 66;

/** A row that says what its only amount is. */
export interface AmountRow {
  readonly label: string;
  /** The last part of the label, where the row goes through several columns. */
  readonly nearest: string;
  readonly line: TextLine;
  readonly start: number;
  readonly amount: number;
}

/** The rows of a document that end with their only amount. */
export const amountRows = onceFor((layout): readonly AmountRow[] =>
  visualRows(layout)
    .slice(0, rowLimit)
    .flatMap((row) => amountRow(row) ?? []),
);

export const taxLabel =
  /(?<!\p{L})(?:tax(?:es)?|gst|hst|pst|qst|rst|sst|tps|tvq|tvh|cgst|sgst|igst|vat|mwst|ust|tva|iva|btw)(?!\p{L})/iu;
/** What has no tax in it says so: `MOT (VAT exempt)`. */
const untaxed =
  /(?<!\p{L})(?:exempt|free|steuerfrei|exon[ée]r\p{L}*|exent[oa]|esente|vrijgesteld|isent[oa])(?!\p{L})/iu;
export const beforeTax =
  /^\P{L}*(?:sub ?-?total|sub ?-?ttl|merchandise|sous[- ]?total|zwischensumme|subtota[al]l|subtotale|(?:summe |total )?net(?:to|o|t)?(?:betrag|warenwert|summe)?(?!\p{L})|totaal excl|(?:montant |total )?ht(?!\p{L})|base(?!\p{L})|imponibile|total (?:il[ií]quido|s(?:em|in) iva)|(?:total|amount) (?:before|excl))/iu;

/** What a sum is rounded by to what coins there are, on a row of its own. */
export const rounding =
  /^\P{L}*(?:round(?:ing|ed)?(?: (?:adj\p{L}*|off))?|arrondi|rundung|redondeo|arrotondamento|afronding)(?!\p{L})/iu;

/**
 * The taxes that stand between the sum before them and the one with them, added up, and that one, whatever it is called: a
 * state's and a city's, or `TPS` and `TVQ`.
 */
export function addedTaxes(layout: Layout): ComposedFields {
  const rows = amountRows(layout);
  for (const [at, sum] of rows.entries()) {
    if (!beforeTax.test(sum.label) && !beforeTax.test(sum.nearest)) continue;
    const rest = rows.slice(at + 1);
    const end = rest.findIndex((row) => !isTax(row));
    const taxes = rest.slice(0, Math.max(0, end));
    if (taxes.length < 2) continue;
    const [next, below] = [rest[end]!, rest[end + 1]];
    const isRounded = below && rounding.test(next.label);
    const [total, most] = isRounded ? [below, next.amount] : [next, 0];
    const added = Math.round(100 * taxes.reduce((all, { amount }) => all + amount, 0)) / 100;
    if (added > 0 && Math.abs(sum.amount + added - total.amount) < most + 0.005)
      return {
        tax_amount: composedValue(added, addedConfidence, taxes, ['arithmetic_holds']),
        total_amount: composedValue(total.amount, totalConfidence, [total], ['arithmetic_holds']),
      };
  }
  return {};
}

/** Taxes that stand side by side: Canada's, India's, and those of a state and its city. */
const sideBySide =
  /^\W*(gst|hst|pst|qst|rst|tps|tvq|cgst|sgst|utgst|(?:state|city|county)(?= (?:sales )?tax))(?!\p{L})/iu;

/**
 * The fields of an invoice with the sum of several taxes side by side as its tax, where that and the items make the total;
 * without a tax that is only one of them, and without a sum before tax that is the total, unless the items make it.
 */
export function withAllTaxes(
  fields: Readonly<Record<string, ExtractedValue>>,
  items: readonly ExtractedRow[],
  layout: Layout,
): Record<string, ExtractedValue> {
  const [total, taxed, net] = ['total_amount', 'tax_amount', 'subtotal'].map((name) =>
    Number(fields[name]?.value ?? NaN),
  );
  const sold = items.reduce((sum, { amount }) => sum + Number(amount?.value ?? 0), 0);
  const named = new Map(
    amountRows(layout).flatMap((row) => {
      const [, name] = sideBySide.exec(row.nearest) ?? [];
      return name ? [[name.toLowerCase(), row] as const] : [];
    }),
  );
  const taxes = [...named.values()];
  const all = Math.round(100 * taxes.reduce((sum, { amount }) => sum + amount, 0)) / 100;
  const own = { ...fields };
  const isRounded = amountRows(layout).some(({ label, amount }) => rounding.test(label) && amount < 1);
  const most = isRounded ? 1 : 0.005;
  if (taxes.length > 1 && [sold, net!].some((sum) => Math.abs(sum + all - total!) < most))
    own.tax_amount = composedValue(all, addedConfidence, taxes, ['arithmetic_holds']);
  else if (taxes.length > 1 && taxes.some(({ amount }) => isSameAmount(amount, taxed!) && !isSameAmount(amount, all)))
    delete own.tax_amount;
  if (isSameAmount(net!, total!) && (taxed! > 0 || all > 0) && !isSameAmount(sold, net!)) delete own.subtotal;
  return own;
}

/** The fields with the sum of all items' taxes as the tax, where that is printed: a table may have it in the row of its sums. */
export function withTaxOfItems(
  fields: Readonly<Record<string, ExtractedValue>>,
  items: readonly ExtractedRow[],
  candidates: readonly Candidate[],
): Record<string, ExtractedValue> {
  const taxes = items.map((item) => Number(item.tax_amount?.value ?? NaN));
  const sum = taxes.reduce((all, tax) => all + tax, 0);
  if (items.length < 2 || !(sum > 0) || isSameAmount(Number(fields.tax_amount?.value ?? 0), sum)) return { ...fields };
  const printed = candidates.find(
    ({ kind, value, text }) => kind === 'amount' && /[.,]\d{2}$/.test(text) && isSameAmount(Number(value), sum),
  );
  return printed
    ? { ...fields, tax_amount: candidateValue(printed, addedConfidence, ['arithmetic_holds']) }
    : { ...fields };
}

/** Whether two amounts are the same to the cent; sums of them differ in the last bits. */
export function isSameAmount(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.005;
}

/** What says that a tax is in a sum already: `enthält 19 % MwSt.`, `dont TVA 20 %`. */
const within =
  /^\P{L}*(?:enth[aä]lt(?:ene?)?|enthalten|darin|davon|inkl?(?:usive|\.)?|includes?|incl(?:\.|uding|uded)?|dont|di cui|incluye|inclu[ií]d[oa]s?|waarvan|hiervan)(?!\p{L})/iu;

/**
 * The fields with the taxes at several rates that are in the total as one, where that and the printed sum before tax make the
 * total.
 */
export function withTaxesWithin(
  fields: Readonly<Record<string, ExtractedValue>>,
  layout: Layout,
): Record<string, ExtractedValue> {
  const total = Number(fields.total_amount?.value ?? NaN);
  const rows = amountRows(layout);
  const taxes = rows.filter(({ label }) => within.test(label) && taxLabel.test(label));
  const sum = Math.round(100 * taxes.reduce((all, { amount }) => all + amount, 0)) / 100;
  const isWhole = rows.some(({ label, amount }) => beforeTax.test(label) && isSameAmount(amount + sum, total));
  return taxes.length > 1 && isWhole
    ? { ...fields, tax_amount: composedValue(sum, addedConfidence, taxes, ['arithmetic_holds']) }
    : { ...fields };
}

/** What calls an amount one that was owed before an invoice. */
const owedBefore =
  /(?<!\p{L})(?:previous|prior|past|old|last|opening|unpaid|outstanding)(?: \p{L}+){0,2} balance(?!\p{L})|(?<!\p{L})(?:balance (?:b\/?f|brought forward|forward)|saldo anterior|solde (?:pr[ée]c[ée]dent|ant[ée]rieur)|saldovortrag|arrears)(?!\p{L})/iu;

/** The fields with the total of an invoice itself, where the one with what was owed before was taken for it. */
export function withoutOwedBefore(
  fields: Readonly<Record<string, ExtractedValue>>,
  layout: Layout,
): Record<string, ExtractedValue> {
  const total = Number(fields.total_amount?.value ?? NaN);
  const rows = amountRows(layout);
  const owed = rows.filter(({ label, amount }) => owedBefore.test(label) && amount > 0);
  const own = rows.find(
    ({ label, amount }) =>
      amount > 0 &&
      isTotalLabel(label) &&
      !owedBefore.test(label) &&
      owed.some((row) => isSameAmount(amount + row.amount, total)),
  );
  return own
    ? { ...fields, total_amount: composedValue(own.amount, addedConfidence, [own], ['arithmetic_holds']) }
    : { ...fields };
}

/** The fields without a tax rate that is one of several by which the items are taxed. */
export function withoutMixedRate(
  fields: Readonly<Record<string, ExtractedValue>>,
  items: readonly ExtractedRow[],
): Record<string, ExtractedValue> {
  const { tax_rate: rate, ...others } = fields;
  const rates = new Set(items.map((item) => Number(item.tax_rate?.value ?? 0)).filter((each) => each > 0));
  return rate && rates.size > 1 ? others : { ...fields };
}

/** Whether a row is a tax's, whose number may stand between its name and its amount. */
function isTax({ label, nearest }: AmountRow): boolean {
  const isNamed = taxLabel.test(nearest) || (taxLabel.test(label) && !isTotalLabel(nearest));
  return isNamed && !untaxed.test(label);
}

/** An amount that is taken off, as what a total is rounded by may be: `Round off -0.26`. */
const takenOff = /^[-–(] ?(0{0,3})[.,](\d{2})\)?$/u;

const lastAmount = /(?:^|[\s$€£_])(\d{0,6}|\d{1,3}(?:[.,'’]\d{3})+)[.,](\d{2})[ _]*€?$/u;

/** A row that ends with its only amount, behind what it is. */
export function amountRow(row: readonly TextLine[]): AmountRow | null {
  const line = row.at(-1)!;
  const isRounding = takenOff.test(line.text) && rounding.test(row[0]!.text);
  const match = (isRounding ? takenOff : lastAmount).exec(line.text);
  if (!match) return null;
  const start = match.index + match[0].search(/[\d.,]/);
  const parts = [...row.slice(0, -1).map(({ text }) => text), line.text.slice(0, match.index).trim()];
  const label = parts.join(' ').trim();
  const nearest = parts.findLast((part) => /\p{L}{2}/u.test(part)) ?? '';
  return { label, nearest, line, start, amount: Number(`${match[1]!.replace(/\D/g, '')}.${match[2]}`) };
}
