import type { Candidate, ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import type { PlacedCandidate } from '../../candidates/placed.ts';
import {
  type AmountRow,
  amountRow,
  amountRows,
  beforeTax,
  isSameAmount,
  rounding,
  taxLabel,
} from '../../compose/added-taxes.ts';
import type { ComposedFields, Findings } from '../../compose/compose.ts';
import { candidateValue, composedValue } from '../../compose/value.ts';
import { rowOf, visualRows } from '../../layout/neighbours.ts';
import { onceFor } from '../../layout/once-for.ts';
import { isTotalLabel } from '../../lines/vocabulary.ts';

/** Below what a caption of a total says. */
const totalConfidence = 66;
/** What a sum that holds between three printed amounts is worth. */
const chargedConfidence = 90;
/** Bounds on hostile pages. */
const rowLimit = 400;
/** How many rows below a charge the sum with it may stand. */
const rowsBelow = 4;

/** What books of receipts print before the sum in words: `Received from … the sum of`. */
const sumOf =
  /(?<!\p{L})(?:the (?:sum|amount) of|la somme de|la (?:cantidad|suma) de|la somma di|a (?:quantia|import[aâ]ncia) de|de som van|(?:den|einen) betrag von|in worten)(?!\p{L})/iu;

/** The total of a receipt of one amount that it prints again or has in words, whatever it calls it; null where it has several. */
export function onlyAmount({ layout, candidates }: Findings): ExtractedValue | null {
  const amounts = (candidates as readonly PlacedCandidate[]).filter(
    (candidate) => candidate.kind === 'amount' && candidate.layout === layout && /[.,]\d{2}(?!\d)/.test(candidate.text),
  );
  const [first] = amounts;
  const isStated = amounts.length > 1 || layout.lines.some(({ text }) => sumOf.test(text));
  const isOne = isStated && amounts.every(({ value }) => value === first?.value);
  return first && isOne && Number(first.value) > 0 ? candidateValue(first, totalConfidence, ['readings_agree']) : null;
}

/** What a restaurant charges for service, or its guest adds, below a sum; not what a sum already has in it. */
const charge =
  /^(?:\+ ?)?(?:\d{1,2}(?:[.,]\d{1,2})? ?% )?(?:(?:optional|discretionary|suggested) )?(?:service(?: charge| chg| fee)?|s(?:vc|vr|erv|er)?[./]? ?ch(?:arges?|r?gs?)|gratuity|tip|servicio|trinkgeld|bedienung|pourboire|propina|mancia|fooi)(?!\p{L})(?!.*(?:compris|incl|enthalten))/iu;

/**
 * The total with the charge for service or the tip that was added to an earlier sum, and that charge. Of taxes between
 * them the charge alone: what is paid may be rounded below.
 */
export function chargedTotal(layout: Layout): ComposedFields {
  const rows = amountRows(layout);
  for (const [at, tip] of rows.entries()) {
    if (!charge.test(tip.label) || tip.amount <= 0) continue;
    const sums = rows.slice(0, at).filter(({ label }) => isTotalLabel(label));
    const below = rows.slice(at + 1, at + 1 + rowsBelow);
    const makes = ({ amount }: AmountRow, taxed: number) =>
      sums.some((sum) => isSameAmount(sum.amount + tip.amount + taxed, amount));
    const total = below.find((row) => makes(row, 0));
    if (total) return { total_amount: sumValue(total), tip_amount: sumValue(tip) };
    const end = below.findIndex(({ label }) => !taxLabel.test(label));
    const taxed = below.slice(0, Math.max(0, end)).reduce((sum, { amount }) => sum + amount, 0);
    if (taxed > 0 && makes(below[end]!, taxed)) return { tip_amount: sumValue(tip) };
  }
  return {};
}

/** The total below the row that rounds an earlier sum to it: `Rundung -0.01`. */
export function roundedTotal(layout: Layout): ComposedFields {
  const row = layout.lines.slice(0, rowLimit).find(({ text }) => rounding.test(text));
  if (!row) return {};
  const printed = rowOf(layout, row).map(({ text }) => text);
  const by = Number(/(?<![\d.,])0[.,](\d{2})(?!\d)/.exec(printed.join(' '))?.[1] ?? 0) / 100;
  if (by === 0) return {};
  const sums = amountRows(layout).filter(({ label, line }) => isTotalLabel(label) && line.page === row.page);
  const isEarlier = ({ line }: AmountRow) => line.box.y1 <= row.box.y0 + 1;
  const total = sums.find(
    (later) =>
      later.line.box.y0 >= row.box.y1 - 1 &&
      sums.some((sum) => isEarlier(sum) && isSameAmount(Math.abs(sum.amount - later.amount), by)),
  );
  return total ? { total_amount: sumValue(total) } : {};
}

const changeLabel =
  /^\P{L}*(?:change(?: due| given)?|rückgeld|wechselgeld|rendu(?: monnaie)?|monnaie rendue|cambio|resto|troco|wisselgeld|reszta|växel)[\s:]*(?:eur|usd|[$€£])?$/iu;

/** Change is never all that was paid: where it seems to be, the row that is called so has it. */
export function withOwnChange(
  fields: Readonly<Record<string, ExtractedValue>>,
  layout: Layout,
): Record<string, ExtractedValue> {
  const { change_amount: change, ...others } = fields;
  const [given, total, cash] = [change, fields.total_amount, fields.cash_received].map(amountOf);
  if (given == null || given !== total || (cash ?? 0) > total) return { ...fields };
  const row = amountRows(layout).find(({ label, amount }) => changeLabel.test(label) && amount !== total);
  return row ? { ...others, change_amount: sumValue(row) } : others;
}

/** One rate's line in a table of taxes: what is taxed, without the tax or with it, and the tax, which the rate makes of it. */
interface RateLine {
  readonly net: number;
  readonly tax: number;
  readonly line: TextLine;
  /** Whether what is taxed is printed without the tax, as in most tables. */
  readonly isNetPrinted: boolean;
}

const rateInRow = /(?<![\d.,])(\d{1,2}(?:[.,]\d{1,2})?) ?%/u;
/** A rate without its sign, which its column has, behind the letter of the rate: `A=19,00`. It counts where all else adds up. */
const rateAtHead = /^(?:[A-Z\d]{1,2} ?[=:.)]? ?)(\d{1,2}[.,]\d{1,2})(?=\s|$)/u;
const amountsInRow = /(?<![\d.,])(\d{1,6})[.,](\d{2})(?!\d| ?%|[.,]\d)/gu;
/** What rounding makes of the tax at a rate. */
const rateRounding = 0.0151;

function rateLine(row: readonly TextLine[]): RateLine | null {
  const text = row.map((line) => line.text).join('  ');
  const signed = rateInRow.exec(text);
  const [, rate] = signed ?? rateAtHead.exec(text) ?? [];
  if (!rate) return null;
  const amounts = row.flatMap((line) =>
    [...line.text.matchAll(amountsInRow)].map(([, whole, part]) => ({ line, value: Number(`${whole}.${part}`) })),
  );
  const share = Number(rate.replace(',', '.')) / 100;
  for (const net of amounts) {
    const own = amounts.find(
      (other) => other !== net && other.value < net.value && Math.abs(net.value * share - other.value) <= rateRounding,
    );
    const isWhole = amounts.some(({ value }) => own && isSameAmount(net.value + own.value, value));
    if (own && (signed || isWhole)) return { net: net.value, tax: own.value, line: own.line, isNetPrinted: true };
  }
  if (!signed) return null;
  // In what was paid at the rate the tax is in it.
  for (const gross of amounts) {
    const taxed = (gross.value * share) / (1 + share);
    const own = amounts.find((other) => other !== gross && Math.abs(taxed - other.value) <= rateRounding);
    if (own && share > 0) return { net: gross.value - own.value, tax: own.value, line: own.line, isNetPrinted: false };
  }
  return null;
}

/** The lines of a receipt's rates, each once. */
const rateLines = onceFor((layout): readonly RateLine[] => {
  const found = visualRows(layout)
    .slice(0, rowLimit)
    .flatMap((row) => rateLine(row) ?? []);
  return found.filter(({ net, tax }, at) => found.findIndex((other) => other.net === net && other.tax === tax) === at);
});

/**
 * The tax of a receipt whose rates have a line each and no sum: what they add up to, where that makes the total, perhaps
 * with an amount that is not taxed, such as a deposit.
 */
export function withTaxOfRates(
  fields: Readonly<Record<string, ExtractedValue>>,
  layout: Layout,
): Record<string, ExtractedValue> {
  const total = amountOf(fields.total_amount);
  const answered = amountOf(fields.tax_amount);
  if (total === null) return { ...fields };
  const named = taxesWithin(total, layout);
  if (named && (answered === null || named.parts.includes(answered))) return { ...fields, tax_amount: named.value };
  const lines = rateLines(layout);
  const added = lines.reduce((sum, line) => sum + line.tax, 0);
  const gross = lines.reduce((sum, line) => sum + line.net, added);
  const isPart = lines.some((line) => line.tax === answered && line.tax < added - 0.005);
  if (answered !== null && !isPart) return { ...fields };
  const paid = [total, total - (amountOf(fields.tip_amount) ?? 0)];
  const isUntaxed = ({ label, amount }: AmountRow) =>
    Math.abs(total - gross - amount) < 0.015 && !isTotalLabel(label) && !taxLabel.test(label);
  const isAll = paid.some((each) => Math.abs(each - gross) < 0.015) || amountRows(layout).some(isUntaxed);
  if (added <= 0 || !isAll) return { ...fields };
  const value = Math.round(100 * added) / 100;
  return { ...fields, tax_amount: composedValue(value, netConfidence, lines, ['arithmetic_holds']) };
}

/**
 * The taxes of several rates that a total has in it, each on a row of its own without what is taxed, and their sum, where a
 * row before tax has the rest: `dont TVA 10%  12,24`, `dont TVA 20%  3,83`, `TOTAL HT  141,53`. Null where there are none.
 */
function taxesWithin(
  total: number,
  layout: Layout,
): { readonly parts: readonly number[]; readonly value: ExtractedValue } | null {
  const rows = amountRows(layout);
  const taxes = rows.filter(
    ({ label, amount }) => amount > 0 && taxLabel.test(label) && rateInRow.test(label) && !beforeTax.test(label),
  );
  const parts = taxes.map(({ amount }) => amount);
  const sum = Math.round(100 * parts.reduce((all, amount) => all + amount, 0)) / 100;
  const isRest = ({ label, amount }: AmountRow) => beforeTax.test(label) && isSameAmount(total - sum, amount);
  if (taxes.length < 2 || !rows.some(isRest)) return null;
  return { parts, value: composedValue(sum, netConfidence, taxes, ['arithmetic_holds']) };
}

/** The tax of an Indian receipt, levied in two halves, where a row of its table has both and they make its total. */
export function withHalves(
  fields: Readonly<Record<string, ExtractedValue>>,
  layout: Layout,
): Record<string, ExtractedValue> {
  const total = amountOf(fields.total_amount);
  if (total === null || !layout.lines.some(({ text }) => /(?<!\p{L})cgst(?!\p{L})/iu.test(text))) return { ...fields };
  for (const row of visualRows(layout).slice(0, rowLimit)) {
    const amounts = row.flatMap((line) =>
      [...line.text.matchAll(amountsInRow)].map(([, whole, part]) => ({ line, value: Number(`${whole}.${part}`) })),
    );
    if (!amounts.some(({ value }) => isSameAmount(value, total))) continue;
    const halves = amounts.find(
      ({ value }, at) =>
        value > 0 &&
        amounts.some((other, place) => place > at && other.value === value) &&
        amounts.some((net) => net.value > value && isSameAmount(net.value + 2 * value, total)),
    );
    if (!halves) continue;
    const tax = Math.round(200 * halves.value) / 100;
    return { ...fields, tax_amount: composedValue(tax, netConfidence, [halves], ['arithmetic_holds']) };
  }
  return { ...fields };
}

/** Below what the caption of a sum before tax says. */
const netConfidence = 80;

/**
 * What was bought for, before the tax that prices have in them. A receipt's total that nothing calls a sum before tax is
 * none; what the total is without its tax is one, where the table of taxes prints it.
 */
export function withNetSum(
  fields: Readonly<Record<string, ExtractedValue>>,
  layout: Layout,
  candidates: readonly Candidate[],
): Record<string, ExtractedValue> {
  const [subtotal, total, taxed] = ['subtotal', 'total_amount', 'tax_amount'].map((name) => amountOf(fields[name]));
  if (total == null || taxed == null || taxed <= 0) return { ...fields };
  const isCalled = visualRows(layout).some((row) => {
    const found = amountRow(row);
    return found !== null && found.amount === subtotal && beforeTax.test(found.label);
  });
  if (subtotal != null && (isCalled || Math.abs(subtotal - total) > 0.055)) return { ...fields };
  const nets = [total - taxed, total - taxed - (amountOf(fields.tip_amount) ?? 0)];
  const net = candidates.find(
    ({ kind, value, text }) =>
      kind === 'amount' && /[.,]\d{2}(?!\d)/.test(text) && nets.some((each) => isSameAmount(Number(value), each)),
  );
  const { subtotal: _, ...others } = fields;
  if (net) return { ...others, subtotal: candidateValue(net, netConfidence, ['arithmetic_holds']) };
  const added = netOfRates(total, taxed, layout);
  return added ? { ...others, subtotal: added } : others;
}

/** What was taxed at several rates, added up where a total is that with the taxes; null where there are no such lines. */
function netOfRates(total: number, taxed: number, layout: Layout): ExtractedValue | null {
  const lines = rateLines(layout);
  const [net, tax] = [lines.reduce((sum, line) => sum + line.net, 0), lines.reduce((sum, line) => sum + line.tax, 0)];
  const isAll = Math.abs(net + tax - total) < 0.015 && Math.abs(tax - taxed) < 0.015;
  if (lines.length < 2 || !isAll || !lines.every(({ isNetPrinted }) => isNetPrinted)) return null;
  return composedValue(Math.round(100 * net) / 100, netConfidence, lines, ['arithmetic_holds']);
}

function amountOf(value: ExtractedValue | undefined): number | null {
  return typeof value?.value === 'number' ? value.value : null;
}

function sumValue({ line, start, amount }: AmountRow): ExtractedValue {
  return composedValue(amount, chargedConfidence, [{ line, start }], ['arithmetic_holds']);
}
