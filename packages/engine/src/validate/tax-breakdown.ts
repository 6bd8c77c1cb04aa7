import type { PlacedCandidate } from '../candidates/placed.ts';
import type { ExtractedRow } from '../document.ts';

/** What the printed lines of a document's taxes add up to: `net` and `tax` make `gross`, which is printed as well. */
export interface TaxBreakdown {
  readonly net: number;
  readonly tax: number;
  readonly gross: number;
}

/** One rate's line: `tax` is `rate` per cent of `net`, both printed. */
interface TaxLine {
  readonly rate: number;
  readonly net: number;
  readonly tax: number;
}

/** No country's value-added or sales tax is higher. */
const rateLimit = 30;
/** What rounding makes of a rate's tax: it may be added up item by item. */
const roundingAmount = 0.021;
/** A document with more of either is a list in which everything adds up to something. */
const candidateLimits = { rates: 40, amounts: 400 };

/** Lines that take a share of an amount which is no tax. */
const reductionPattern =
  /(?<!\p{L})(?:skonto|rabatt\p{L}*|nachlass|\p{L}*nachlass|bonus|discount|allowance|escompte|remise|acompte|ristourne|rem\.|sconto|abbuono|descuento|desconto|korting|deposit|anzahlung)(?!\p{L})/iu;

/**
 * Finds what a document's tax comes to by arithmetic alone: lines with a rate, the amount that is taxed and the tax at
 * that rate, whose sum over all rates is printed too. A rate that stands beside its tax alone counts where the taxed
 * amount and the sum of both are printed elsewhere.
 *
 * @param rows the line items; what stands at the height of one is none of the lines.
 * @returns null where there is none, or where the lines' sum is not printed.
 */
export function findTaxBreakdown(
  candidates: readonly PlacedCandidate[],
  rows: readonly ExtractedRow[],
): TaxBreakdown | null {
  const itemCells = rows.flatMap((row) => Object.values(row).flatMap(({ provenance }) => provenance));
  const isInItem = ({ page, box }: PlacedCandidate) =>
    itemCells.some((cell) => cell.page === page && cell.box.y0 < middleOf(box) && cell.box.y1 > middleOf(box));
  const rates = candidates.filter(
    ({ kind, value, lines }) =>
      kind === 'percent' && Number(value) >= 0 && Number(value) <= rateLimit && !reductionPattern.test(lines[0]!.text),
  );
  if (rates.length === 0 || rates.length > candidateLimits.rates) return null;
  const amounts = candidates.filter(
    ({ kind, quality, text }) => kind === 'amount' && quality >= 0.5 && /[.,]\s?\d\d?/.test(text),
  );
  if (amounts.length > candidateLimits.amounts) return null;
  const printed = new Set(amounts.map(({ value }) => centsOf(Number(value))));
  const lines = new Map<string, TaxLine>();
  for (const rate of rates.filter((candidate) => !isInItem(candidate))) {
    const line = taxLineOf(Number(rate.value), amountsBeside(rate, amounts), amounts, printed);
    // The same line may be repeated, on another page or beside the total.
    if (line) lines.set(`${line.rate} ${centsOf(line.tax)} ${centsOf(line.net)}`, line);
  }
  return addUp([...lines.values()], printed) ?? addUp([...lines.values()].filter(({ tax }) => tax !== 0), printed);
}

function addUp(lines: readonly TaxLine[], printed: ReadonlySet<number>): TaxBreakdown | null {
  const net = lines.reduce((sum, line) => sum + line.net, 0);
  const tax = lines.reduce((sum, line) => sum + line.tax, 0);
  if (tax === 0 || !printed.has(centsOf(net + tax))) return null;
  return { net: centsOf(net) / 100, tax: centsOf(tax) / 100, gross: centsOf(net + tax) / 100 };
}

/** The amounts at the height of a rate, without that which is the rate itself. */
function amountsBeside(rate: PlacedCandidate, amounts: readonly PlacedCandidate[]): readonly PlacedCandidate[] {
  return amounts.filter(
    ({ page, box, words, layout }) =>
      page === rate.page &&
      layout === rate.layout &&
      box.y0 < middleOf(rate.box) &&
      box.y1 > middleOf(rate.box) &&
      !words.some((word) => rate.words.includes(word)),
  );
}

function taxLineOf(
  rate: number,
  beside: readonly PlacedCandidate[],
  amounts: readonly PlacedCandidate[],
  printed: ReadonlySet<number>,
): TaxLine | null {
  const values = beside.map(({ value }) => Number(value));
  for (const net of values) {
    const tax = values.find((value) => value !== net && isTax(value, net, rate));
    if (tax !== undefined) return { rate, net, tax };
  }
  for (const tax of values) {
    const taxed = amounts.find(
      ({ value }) => isTax(tax, Number(value), rate) && tax !== 0 && printed.has(centsOf(Number(value) + tax)),
    );
    if (taxed) return { rate, net: Number(taxed.value), tax };
  }
  return null;
}

function isTax(tax: number, net: number, rate: number): boolean {
  return net !== 0 && tax * net >= 0 && Math.abs((net * rate) / 100 - tax) <= roundingAmount;
}

function middleOf(box: { readonly y0: number; readonly y1: number }): number {
  return (box.y0 + box.y1) / 2;
}

function centsOf(value: number): number {
  return Math.round(value * 100);
}
