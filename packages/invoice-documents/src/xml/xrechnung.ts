import type { InvoiceDocument } from '../document.ts';
import type { CiiProfile } from './cii.ts';
import { isPresent } from './factur-x.ts';

/** XRechnung 3.0, the German specification for invoices to public buyers. */
export const xrechnung: CiiProfile = {
  guideline: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
  process: 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0',
  linePeriodsOutside: false,
};

/** BR-DE-28: one @ that no space or point touches, and two characters on both sides. */
const email = /^[^@\s.]([^@\s]*[^@\s.])?@[^@\s.]([^@\s]*[^@\s.])$/;

/**
 * What a document lacks for XRechnung beyond EN 16931, each as a clause with the rule that demands it; empty where
 * nothing does.
 */
export function xrechnungProblems(document: InvoiceDocument): readonly string[] {
  const { seller, buyer, paymentTerms } = document;
  const demands: readonly (readonly [met: boolean, problem: string])[] = [
    [isPresent(buyer.reference), 'the buyer has no reference, such as the Leitweg-ID (BR-DE-15)'],
    [seller.bank !== null, 'the seller has no bank account (BR-DE-1)'],
    [isPresent(seller.contactName), 'the seller has no contact name (BR-DE-5)'],
    [(seller.phone?.match(/\d/g) ?? []).length >= 3, 'the seller has no phone number (BR-DE-6)'],
    [email.test(seller.email), 'the seller has no valid email address (BR-DE-7)'],
    [isPresent(seller.address.city), 'the seller has no city (BR-DE-3)'],
    [isPresent(seller.address.postalCode), 'the seller has no postal code (BR-DE-4)'],
    [isPresent(buyer.address.city), 'the buyer has no city (BR-DE-8)'],
    [isPresent(buyer.address.postalCode), 'the buyer has no postal code (BR-DE-9)'],
    [isPresent(buyer.email), 'the buyer has no email address as the electronic address (PEPPOL-EN16931-R010)'],
    [!/^\s*#/m.test(paymentTerms), 'a line of the payment terms begins with # (BR-DE-18)'],
  ];
  return demands.filter(([met]) => !met).map(([, problem]) => problem);
}
