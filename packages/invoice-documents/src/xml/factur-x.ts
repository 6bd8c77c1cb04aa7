import type { InvoiceDocument } from '../document.ts';
import type { CiiProfile } from './cii.ts';

/** Factur-X and ZUGFeRD in the profile EN 16931. */
export const facturX: CiiProfile = {
  guideline: 'urn:cen.eu:en16931:2017',
  process: null,
  linePeriodsOutside: true,
};

/**
 * What a document lacks for EN 16931, each as a clause such as "the seller has no VAT ID"; empty where nothing does.
 */
export function facturXProblems(document: InvoiceDocument): readonly string[] {
  const { seller, buyer, taxes } = document;
  const categories = new Set(taxes.map((tax) => tax.category));
  const has = (...wanted: readonly string[]) => wanted.some((category) => categories.has(category as never));
  const problems: string[] = [];
  const require = (met: boolean, problem: string) => {
    if (!met) problems.push(problem);
  };
  require(amountsOf(document).every(
    (amountMinor) => document.minorUnit !== 3 || amountMinor % 10 === 0,
  ), `an amount in ${document.currency} needs three decimals, and electronic invoices allow two`);
  require(!has('O') || categories.size === 1, 'lines outside the scope of VAT stand beside lines with VAT');
  require(isPresent(seller.registration) ||
    isPresent(seller.vatId) ||
    (has('O') && isPresent(seller.taxNumber)), 'the seller has no VAT ID and no registration');
  require(!has('S', 'Z', 'E') ||
    isPresent(seller.vatId) ||
    isPresent(seller.taxNumber), 'the seller has no VAT ID and no tax number');
  require(!has('AE') ||
    isPresent(seller.vatId) ||
    isPresent(seller.taxNumber), 'reverse charge needs the VAT ID or tax number of the seller');
  require(!has('G', 'K') || isPresent(seller.vatId), 'supplies abroad need the VAT ID of the seller');
  require(!has('AE', 'K') ||
    isPresent(buyer.vatId), 'reverse charge and supplies within the EU need the VAT ID of the buyer');
  require(document.dueMinor <= 0 ||
    document.dueDate !== null ||
    isPresent(document.paymentTerms), 'an amount is due without a due date or payment terms');
  return problems;
}

export function isPresent(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== '';
}

function amountsOf(document: InvoiceDocument): readonly number[] {
  return [
    ...document.lines.map((line) => line.amountMinor),
    ...document.taxes.flatMap((tax) => [tax.basisMinor, tax.taxMinor]),
    document.linesMinor,
    document.taxMinor,
    document.totalMinor,
    document.paidMinor,
    document.dueMinor,
  ];
}
