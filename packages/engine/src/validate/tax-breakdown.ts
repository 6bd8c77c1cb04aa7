import type { Box, ExtractedRow, Layout } from '@millrace/document-model';
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
  /** Which of several taxes on the same amount it is, where its line says so: `CGST`. */
  readonly name: string;
}

/** What distinguishes one of several taxes on the same amount from another. */
const taxName = /(?<!\p{L})(?:output )?(cgst|sgst|utgst|igst|gst|hst|pst|qst|tps|tvq|state|county|city)(?!\p{L})/iu;

function taxNameOf({ lines, start }: PlacedCandidate): string {
  const [line] = lines;
  return line ? (taxName.exec(line.text.slice(0, Math.max(start, 1)))?.[1] ?? '').toLowerCase() : '';
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

/** What is charged for service, for paying by card or for carriage, which is no tax unless it says so: `Service 10%`. */
export const chargePattern =
  /(?<!\p{L})(?:service(?: charge| fee)?|\p{L}*surcharge|(?:card|processing|convenience|booking) fee|\p{L}*zuschlag|suppl[ée]ment|recargo|supplemento|toeslag|gratuity|tip|servicio|coperto|trinkgeld|bedienung|pourboire|propina|mancia|delivery|shipping|postage|freight|packing|packaging|verpackung|emballage|imballaggio|embalaje|verpakking|versand(?:kosten)?|fracht(?:kosten)?|frais de (?:port|livraison)|spese (?:di )?(?:trasporto|spedizione)|verzendkosten|bezorgkosten)(?!\p{L})(?!.*(?<!\p{L})(?:tax|vat|gst|iva|tva|mwst|ust|btw)(?!\p{L}))/iu;

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
    !reductionPattern.test(lines[0]!.text) &&
    !chargePattern.test(lines[0]!.text) &&
    !itemCells.some((cell) => cell.page === page && isBeside(cell.box, box));
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
  return (
    addUp(lines, printed) ??
    addUp(linesWithoutSign(amounts, isFree), printed) ??
    (isHalved(amounts[0]?.layout) ? (addUp(lines, printed, 2) ?? rowOfHalves(amounts)) : null) ??
    rowOfSums(amounts.filter(isFree), rows)
  );
}

/**
 * The row below the items that has their net sum, its tax and the sum of both side by side: `Razem 100,00 23,00 123,00`. What
 * is added to the sum is the tax if it has a usual rate, or is what the items' own taxes come to.
 */
function rowOfSums(amounts: readonly PlacedCandidate[], rows: readonly ExtractedRow[]): TaxBreakdown | null {
  const sumOf = (column: string) =>
    rows.reduce((sum, { [column]: cell }) => sum + centsOf(Number(cell?.value ?? 0)), 0);
  const [sum, taxes] = [sumOf('amount'), sumOf('tax_amount')];
  if (sum === 0) return null;
  for (const first of amounts) {
    const net = centsOf(Number(first.value));
    const behind = amounts.filter(
      ({ page, box }) => page === first.page && box.x0 >= first.box.x1 && isBeside(box, first.box),
    );
    const own = new Set(behind.map(({ value }) => centsOf(Number(value))));
    for (const tax of own) {
      const gross = net + tax;
      const isItems = net === sum || gross === sum;
      if (isItems && own.has(gross) && (tax === taxes || hasUsualRate(tax / 100, net / 100)))
        return { net: net / 100, tax: tax / 100, gross: gross / 100 };
    }
  }
  return null;
}

/**
 * The last row of a table that has what is taxed, two equal halves of its tax and the sum of all side by side, with the
 * rates in no row of it: `T: 1310.90 60.05 60.05 1431.00`. Where several rows do, it is the one that the others' taxes add up to.
 */
function rowOfHalves(amounts: readonly PlacedCandidate[]): TaxBreakdown | null {
  const rows = amounts.flatMap((first) => {
    const net = centsOf(Number(first.value));
    const behind = amounts
      .filter(({ page, box }) => page === first.page && box.x0 >= first.box.x1 && isBeside(box, first.box))
      .map(({ value }) => centsOf(Number(value)));
    const half = behind.find(
      (tax, at) => tax > 0 && behind.lastIndexOf(tax) !== at && behind.includes(net + 2 * tax) && net > tax,
    );
    return half === undefined ? [] : [{ net, tax: 2 * half, gross: net + 2 * half }];
  });
  const last = rows.toSorted((a, b) => b.gross - a.gross)[0];
  const others = rows.filter(({ gross }) => gross !== last?.gross);
  const isSum = others.reduce((sum, { tax }) => sum + tax, 0) === last?.tax;
  return last && (others.length === 0 || isSum)
    ? { net: last.net / 100, tax: last.tax / 100, gross: last.gross / 100 }
    : null;
}

/** Rates of taxes are whole or half per cents, and none is lower than this. */
const leastRate = 2;

function hasUsualRate(tax: number, net: number): boolean {
  const rate = Math.round((200 * tax) / net) / 2;
  return tax * net > 0 && rate >= leastRate && rate <= rateLimit && isTax(tax, net, rate);
}

/** Whether taxes are levied in two halves of the same rate, as in India. */
function isHalved(layout: Layout | undefined): boolean {
  const texts = layout?.lines.map(({ text }) => text) ?? [];
  return (
    texts.some((text) => /(?<!\p{L})(?:cgst|central tax)/iu.test(text)) &&
    texts.some((text) => /(?<!\p{L})(?:sgst|utgst|state tax)/iu.test(text))
  );
}

/**
 * Adds up lines, of which the same may stand in two places, with those that are not taxed or without them.
 *
 * @param times how often each tax is levied
 */
function addUp(lines: readonly TaxLine[], printed: ReadonlySet<number>, times = 1): TaxBreakdown | null {
  const different = new Map(
    lines.map((line) => [`${line.rate} ${centsOf(line.tax)} ${centsOf(line.net)} ${line.name}`, line]),
  );
  const all = [...different.values()];
  const named = all.filter(({ name }) => name !== '');
  for (const chosen of [all, all.filter(({ tax }) => tax !== 0), named]) {
    // What several named taxes are levied on counts once.
    const levied = chosen.filter(
      ({ name, net }, at) => name === '' || chosen.findIndex((other) => other.name !== '' && other.net === net) === at,
    );
    const net = centsOf(levied.reduce((sum, line) => sum + line.net, 0));
    const tax = times * centsOf(chosen.reduce((sum, line) => sum + line.tax, 0));
    const gross = [net + tax, roundedOff(net + tax, printed)].find((sum) => printed.has(sum));
    if (tax !== 0 && gross !== undefined) return { net: net / 100, tax: tax / 100, gross: gross / 100 };
  }
  return null;
}

/** A sum in hundredths rounded to whole units, where the document says by how much: `Round off 0.20`. */
function roundedOff(sum: number, printed: ReadonlySet<number>): number {
  const rounded = 100 * Math.round(sum / 100);
  return printed.has(rounded - sum) || printed.has(sum - rounded) ? rounded : sum;
}

function lineOfRate(
  candidate: PlacedCandidate,
  amounts: readonly PlacedCandidate[],
  printed: ReadonlySet<number>,
): readonly TaxLine[] {
  const { value, words, page, box, layout } = candidate;
  const rate = Number(value);
  const name = taxNameOf(candidate);
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
    if (tax !== undefined) return [{ rate, net: signedAs(tax, net), tax, name }];
  }
  for (const gross of beside) {
    const tax = beside.find((other) => other !== gross && isTaxWithin(other, gross, rate));
    if (tax !== undefined) return [{ rate, net: gross - tax, tax, name }];
  }
  for (const tax of beside.filter((amount) => amount !== 0)) {
    const net = amounts
      .map((amount) => Number(amount.value))
      // Of two halves of a tax neither makes the total with the net amount alone.
      .find(
        (amount) =>
          isTax(tax, amount, rate) &&
          (printed.has(centsOf(signedAs(tax, amount) + tax)) ||
            (name !== '' && printed.has(centsOf(signedAs(tax, amount) + 2 * tax)))),
      );
    if (net !== undefined) return [{ rate, net: signedAs(tax, net), tax, name }];
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
      if (taxed.page !== levied.page || !isBeside(taxed.box, levied.box) || !isFree(taxed)) continue;
      const rate = rateOf(tax, net);
      if (isRate(rate) && isTax(tax, net, rate) && standsBeside(rate, taxed)) lines.push({ rate, net, tax, name: '' });
      // Swiss tills print what was paid at each rate, with the tax that it has in it.
      const within = rateOf(tax, net - tax);
      if (isRate(within) && isTaxWithin(tax, net, within) && standsBeside(within, taxed))
        lines.push({ rate: within, net: net - tax, tax, name: '' });
    }
  }
  return lines;
}

function rateOf(tax: number, net: number): number {
  return Math.round((1000 * tax) / net) / 10;
}

function isRate(rate: number): boolean {
  return rate > 0 && rate <= rateLimit;
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

/** A taxed amount with the sign of its tax: a credit note may print the one without its minus. */
function signedAs(tax: number, net: number): number {
  return tax < 0 ? -Math.abs(net) : net;
}

/** Whether a tax is what a rate, in percent, makes of an amount before it. */
export function isTax(tax: number, net: number, rate: number): boolean {
  const isSigned = tax * net >= 0 || tax < 0;
  return net !== 0 && isSigned && Math.abs((Math.abs(net) * rate) / 100 - Math.abs(tax)) <= roundingAmount;
}

/** Whether a tax is the one that an amount has in it: `10% MwSt aus 178,00: 16,18`. */
function isTaxWithin(tax: number, gross: number, rate: number): boolean {
  return rate > 0 && gross * tax > 0 && Math.abs((gross * rate) / (100 + rate) - tax) <= roundingAmount;
}

/** Whether the middle of one box is at the height of the other. */
export function isBeside(box: Box, other: Box): boolean {
  const middle = (other.y0 + other.y1) / 2;
  return box.y0 < middle && box.y1 > middle;
}

function centsOf(value: number): number {
  return Math.round(value * 100);
}
