import { formatMinor, type TaxCategory, taxTotals } from '@millrace/pricing';
import type * as z from 'zod';
import type { Developer } from '../../consumers/developers/contract.ts';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { OrganizationSettings } from '../../identity/organizations/contract.ts';
import type { BillingSettings } from '../billing-settings/contract.ts';
import type { Buyer, Invoice } from './contract.ts';

/** VAT category and rate of a customer's invoices. */
export interface TaxTreatment {
  readonly category: TaxCategory;
  /** In percent. */
  readonly rate: string;
  readonly exemptionReason: string | null;
}

type Presented = z.infer<typeof Developer>;

/** How a developer is addressed on invoices; without a billing profile the address is missing. */
export function buyerOf({
  name,
  company,
  email,
  billing,
}: Pick<Presented, 'name' | 'company' | 'email' | 'billing'>): Buyer {
  if (billing === null) {
    return {
      name: company === '' ? name : company,
      contactName: company === '' ? null : name,
      address: null,
      vatId: null,
      email,
      reference: null,
      language: 'en',
      taxTreatment: 'standard',
    };
  }
  return { ...billing, email: billing.email ?? email };
}

const untaxed = { reverse_charge: 'AE', exempt: 'E', export: 'G', outside: 'O' } as const;

/** The tax of a customer's invoices: as the organization's settings say, unless the customer is treated otherwise. */
export function taxTreatmentOf(
  { taxTreatment }: Pick<Buyer, 'taxTreatment'>,
  { tax }: Pick<BillingSettings, 'tax'>,
  organization: Pick<OrganizationSettings, 'tax'>,
): TaxTreatment {
  if (taxTreatment !== 'standard') {
    const category = untaxed[taxTreatment];
    return { category, rate: '0', exemptionReason: category === 'E' ? tax.exemptionReason : null };
  }
  if (tax.category !== 'S') return { category: tax.category, rate: '0', exemptionReason: tax.exemptionReason };
  const rate = String(Number(organization.tax.ratePercent));
  // The standard rate is above 0 by EN 16931 (BR-S-5).
  return { category: rate === '0' ? 'Z' : 'S', rate, exemptionReason: null };
}

/** Taxes and totals of amounts that have one tax treatment. */
export function totalsOf(amounts: readonly number[], { category, rate }: TaxTreatment) {
  const taxes = taxTotals(amounts.map((amountMinor) => ({ amountMinor, taxCategory: category, taxRate: rate })));
  const linesMinor = taxes.reduce((total, { basisMinor }) => total + basisMinor, 0);
  const taxMinor = taxes.reduce((total, tax) => total + tax.taxMinor, 0);
  return { taxes, linesMinor, taxMinor, totalMinor: linesMinor + taxMinor };
}

/** What is left to pay. */
export function dueOf({
  state,
  totalMinor,
  paidMinor,
  creditedMinor,
}: Pick<Invoice, 'state' | 'totalMinor' | 'paidMinor' | 'creditedMinor'>): number {
  return state === 'void' ? 0 : totalMinor - paidMinor - creditedMinor;
}

/** Rejects an issue of what is no draft, or can't be issued. */
export function refuseIssue({ state }: Pick<Invoice, 'state'>, problems: readonly string[]): void {
  if (state !== 'draft') {
    throw new ApiError('conflict', { message: `The invoice is ${state}. Only a draft can be issued.` });
  }
  if (problems.length > 0) {
    throw new ApiError('conflict', { message: `The invoice can’t be issued yet. ${problems.join(' ')}` });
  }
}

/** Rejects the document of an invoice that has no number. */
export function refuseUnnumbered(
  { number, state }: Pick<Invoice, 'number' | 'state'>,
  doing: 'sent' | 'downloaded',
): void {
  if (number === null) {
    throw new ApiError('conflict', { message: `A draft can’t be ${doing}. Issue the invoice first.` });
  }
  if (doing === 'sent' && state === 'void') {
    throw new ApiError('conflict', { message: 'The invoice is void. Send another one.' });
  }
}

/** Rejects a payment of what isn't due. */
export function refusePayment(
  invoice: Invoice,
  { amountMinor, paidOn }: { amountMinor: number; paidOn: string },
  today: string,
) {
  const { state, dueMinor, currency } = invoice;
  if (state === 'draft' || state === 'void') {
    const advice = state === 'draft' ? ' Issue it first.' : '';
    throw new ApiError('conflict', { message: `The invoice is ${state === 'draft' ? 'a draft' : state}.${advice}` });
  }
  if (dueMinor === 0) throw new ApiError('conflict', { message: 'Nothing is due of this invoice.' });
  if (Math.sign(amountMinor) !== Math.sign(dueMinor) || Math.abs(amountMinor) > Math.abs(dueMinor)) {
    throw fieldError(
      'amountMinor',
      `${formatMinor(dueMinor, currency, 'en')} is due. Enter that amount or a part of it.`,
    );
  }
  if (paidOn > today) throw fieldError('paidOn', 'Choose today or an earlier day.');
}

/** Rejects voiding an invoice whose money has moved. */
export function refuseVoid({ state, paidMinor }: Invoice, creditNotes: readonly { readonly state: string }[]): void {
  if (state === 'void') throw new ApiError('conflict', { message: 'The invoice is void already.' });
  if (state === 'paid' || paidMinor !== 0) {
    throw new ApiError('conflict', { message: 'The invoice has payments and can’t be voided. Credit it instead.' });
  }
  if (creditNotes.some((note) => note.state !== 'rejected')) {
    throw new ApiError('conflict', {
      message: 'The invoice has credit notes and can’t be voided. Credit what is left of it instead.',
    });
  }
}
