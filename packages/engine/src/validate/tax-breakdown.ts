import type { Box, ExtractedRow } from '@millrace/document-model';
import type { PlacedCandidate } from '../candidates/placed.ts';

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
const candidateLimits = { rates: 40, amounts: 300 };

/** Lines that take a share of an amount which is no tax. */
export const reductionPattern =
  /(?<!\p{L})(?:skonto|rabatt\p{L}*|nachlass|\p{L}*nachlass|bonus|discount|allowance|escompte|remise|acompte|ristourne|rem\.|sconto|abbuono|descuento|desconto|korting|deposit|anzahlung)(?!\p{L})|% off(?!\p{L})/iu;

/**
 * Finds what a document's tax comes to by arithmetic alone: lines with a rate, the amount that is taxed and the tax at
 * that rate, whose sum over all rates is printed too. A rate in per cent that stands beside its tax alone counts where
 * the taxed amount and the sum of both are printed elsewhere.
 *
 * @param rows the line items; what stands at the height of one is none of the lines.
 * @returns null where there is none, or where the lines' sum is not printed.
 */
export function findTaxBreakdown(
  candidates: readonly PlacedCandidate[],
  rows: readonly ExtractedRow[],
): TaxBreakdown | null {
  const itemCells = rows.flatMap((row) => Object.values(row).flatMap(({ provenance }) => provenance));
  const isFree = ({ page, box, lines }: PlacedCandidate) =>
    !reductionPattern.test(lines[0]!.text) && !itemCells.some((cell) => cell.page === page && isBeside(cell.box, box));
  const amounts = candidates.filter(
    ({ kind, quality, text }) => kind === 'amount' && quality >= 0.5 && /[.,]\s?\d\d?/.test(text),
  );
  if (amounts.length > candidateLimits.amounts) return null;
  const printed = new Set(amounts.map(({ value }) => centsOf(Number(value))));
  const rates = candidates.filter(
    (candidate) => candidate.kind === 'percent' && Math.abs(Number(candidate.value)) <= rateLimit && isFree(candidate),
  );
  if (rates.length > candidateLimits.rates) return null;
  const lines = rates.flatMap((rate) => lineOfRate(rate, amounts, printed));
  return addUp(lines, printed) ?? addUp(linesWithoutSign(amounts, isFree), printed);
}

/** Adds up lines, of which the same may stand in two places, with those that are not taxed or without them. */
function addUp(lines: readonly TaxLine[], printed: ReadonlySet<number>): TaxBreakdown | null {
  const different = new Map(lines.map((line) => [`${line.rate} ${centsOf(line.tax)} ${centsOf(line.net)}`, line]));
  const all = [...different.values()];
  for (const chosen of [all, all.filter(({ tax }) => tax !== 0)]) {
    const net = centsOf(chosen.reduce((sum, line) => sum + line.net, 0));
    const tax = centsOf(chosen.reduce((sum, line) => sum + line.tax, 0));
    if (tax !== 0 && printed.has(net + tax)) return { net: net / 100, tax: tax / 100, gross: (net + tax) / 100 };
  }
  return null;
}

function lineOfRate(
  { value, words, page, box, layout }: PlacedCandidate,
  amounts: readonly PlacedCandidate[],
  printed: ReadonlySet<number>,
): readonly TaxLine[] {
  const rate = Number(value);
  const beside = amounts
    .filter(
      (amount) =>
        amount.page === page &&
        amount.layout === layout &&
        isBeside(amount.box, box) &&
        !amount.words.some((word) => words.includes(word)),
    )
    .map((amount) => Number(amount.value));
  for (const net of beside) {
    const tax = beside.find((other) => other !== net && isTax(other, net, rate));
    if (tax !== undefined) return [{ rate, net, tax }];
  }
  for (const tax of beside.filter((amount) => amount !== 0)) {
    const net = amounts
      .map((amount) => Number(amount.value))
      .find((amount) => isTax(tax, amount, rate) && printed.has(centsOf(amount + tax)));
    if (net !== undefined) return [{ rate, net, tax }];
  }
  return [];
}

/** Lines whose rate stands in a column of its own, the sign of per cent in its heading alone. */
function linesWithoutSign(
  amounts: readonly PlacedCandidate[],
  isFree: (candidate: PlacedCandidate) => boolean,
): readonly TaxLine[] {
  const lines: TaxLine[] = [];
  for (const levied of amounts) {
    const tax = Number(levied.value);
    if (tax === 0) continue;
    for (const taxed of amounts) {
      const net = Number(taxed.value);
      const rate = Math.round((1000 * tax) / net) / 10;
      if (!(rate > 0 && rate <= rateLimit) || !isTax(tax, net, rate)) continue;
      if (taxed.page !== levied.page || !isBeside(taxed.box, levied.box) || !isFree(taxed)) continue;
      if (standsBeside(rate, taxed)) lines.push({ rate, net, tax });
    }
  }
  return lines;
}

/** Whether a rate stands at an amount's height as a number without a sign. */
function standsBeside(rate: number, { page, box, layout }: PlacedCandidate): boolean {
  const words = layout.document.pages.find(({ number }) => number === page)?.words ?? [];
  return words.some(
    (word) =>
      /^\d{1,2}(?:[.,]\d{1,2})?$/.test(word.text) &&
      Number(word.text.replace(',', '.')) === rate &&
      isBeside(word.box, box),
  );
}

function isTax(tax: number, net: number, rate: number): boolean {
  return net !== 0 && tax * net >= 0 && Math.abs((net * rate) / 100 - tax) <= roundingAmount;
}

/** Whether the middle of one box is at the height of the other. */
function isBeside(box: Box, other: Box): boolean {
  const middle = (other.y0 + other.y1) / 2;
  return box.y0 < middle && box.y1 > middle;
}

function centsOf(value: number): number {
  return Math.round(value * 100);
}
