import { exactAmount } from './currencies.ts';
import { PricingError } from './decimal.ts';
import { splitByLargestRemainder } from './split.ts';
import { plainRate, type TaxCategory, type TaxedAmount, taxOn } from './taxes.ts';

/** An invoice's line and how much of its net amount has been credited so far. */
export interface CreditableLine extends TaxedAmount {
  readonly creditedMinor: number;
}

/** An invoice's tax of one category and rate, and how much of it has been credited so far. */
export interface CreditableTax {
  readonly category: TaxCategory;
  readonly rate: string;
  readonly taxMinor: number;
  readonly creditedMinor: number;
}

export interface CreditRequest {
  readonly lines: readonly CreditableLine[];
  readonly taxes: readonly CreditableTax[];
  /**
   * `rest`: all that is left. A gross amount: spread over all lines and taxes that are left. Net amounts of lines, by
   * their index: with the tax of their category and rate.
   */
  readonly credit: 'rest' | { readonly grossMinor: number } | { readonly lines: readonly CreditedLine[] };
}

export interface CreditedLine {
  readonly index: number;
  readonly amountMinor: number;
}

/** The parts of one credit note; they are what it adds to `creditedMinor`. */
export interface CreditParts {
  /** Net, one for each line of the invoice. */
  readonly lines: readonly number[];
  /** One for each tax of the invoice. */
  readonly taxes: readonly number[];
  readonly totalMinor: number;
}

/** A credit of more than is left of the invoice. */
export class CreditTooLarge extends PricingError {
  readonly leftMinor: number;

  constructor(leftMinor: number) {
    super('The credit is larger than what is left of the invoice. Credit less.');
    this.leftMinor = leftMinor;
  }
}

/**
 * The parts of a credit note: shares of the invoice's own rounded amounts, by largest remainder of what is left of them.
 * Crediting an invoice in any number of steps comes to exactly its amounts.
 *
 * @throws CreditTooLarge for more than is left
 * @throws PricingError for a credit that is not above 0, or a line that the invoice lacks
 */
export function creditParts({ lines, taxes, credit }: CreditRequest): CreditParts {
  const leftOfLines = lines.map(({ amountMinor, creditedMinor }) => exactAmount(amountMinor - creditedMinor));
  const leftOfTaxes = taxes.map(({ taxMinor, creditedMinor }) => exactAmount(taxMinor - creditedMinor));
  const leftMinor = sum([...leftOfLines, ...leftOfTaxes]);
  const parts =
    credit === 'rest'
      ? { lines: leftOfLines, taxes: leftOfTaxes }
      : 'grossMinor' in credit
        ? grossParts(credit.grossMinor, leftOfLines, leftOfTaxes)
        : lineParts(credit.lines, lines, taxes, leftOfLines, leftOfTaxes);
  const totalMinor = sum([...parts.lines, ...parts.taxes]);
  if (totalMinor > leftMinor) throw new CreditTooLarge(leftMinor);
  if (totalMinor <= 0) throw new PricingError('Nothing would be credited. Enter an amount above 0.');
  return { ...parts, totalMinor };
}

type Parts = Pick<CreditParts, 'lines' | 'taxes'>;

function grossParts(grossMinor: number, leftOfLines: readonly number[], leftOfTaxes: readonly number[]): Parts {
  const left = [...leftOfLines, ...leftOfTaxes];
  const leftMinor = sum(left);
  if (grossMinor > leftMinor) throw new CreditTooLarge(leftMinor);
  if (!(grossMinor > 0)) throw new PricingError('Nothing would be credited. Enter an amount above 0.');
  const parts = splitByLargestRemainder(grossMinor, left);
  return { lines: parts.slice(0, leftOfLines.length), taxes: parts.slice(leftOfLines.length) };
}

function lineParts(
  credited: readonly CreditedLine[],
  lines: readonly CreditableLine[],
  taxes: readonly CreditableTax[],
  leftOfLines: readonly number[],
  leftOfTaxes: readonly number[],
): Parts {
  const parts = lines.map(() => 0);
  for (const { index, amountMinor } of credited) {
    const left = leftOfLines[index];
    if (left === undefined) throw new PricingError(`The invoice has no line at index ${index}.`);
    if (parts[index] !== 0) throw new PricingError(`The line at index ${index} is credited twice. Add up its amounts.`);
    exactAmount(amountMinor);
    if (Math.sign(amountMinor) !== Math.sign(left) || Math.abs(amountMinor) > Math.abs(left))
      throw new CreditTooLarge(left);
    parts[index] = amountMinor;
  }
  const taxParts = taxes.map(({ category, rate }, index) => {
    const ofTax = lines.map(
      (line) => line.taxCategory === category && plainRate(category, line.taxRate) === plainRate(category, rate),
    );
    // The last of its lines takes all that is left of a tax, whatever was rounded before.
    if (leftOfLines.every((left, line) => !ofTax[line] || parts[line] === left)) return leftOfTaxes[index]!;
    const basis = sum(parts.filter((_, line) => ofTax[line]));
    return shareOfTax(leftOfTaxes[index]!, basis, sum(leftOfLines.filter((_, line) => ofTax[line])), rate);
  });
  return { lines: parts, taxes: taxParts };
}

/** Where negative lines leave no basis of which this is a part, the rate decides. */
function shareOfTax(taxLeft: number, basis: number, basisLeft: number, rate: string): number {
  if (basisLeft <= 0 || basis < 0 || basis > basisLeft) return taxOn(basis, rate);
  return splitByLargestRemainder(taxLeft, [basis, basisLeft - basis])[0]!;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => exactAmount(total + amount), 0);
}
