import { civilDayOf } from '@millrace/pricing';
import type { TenantTransaction } from '../../database/schema.ts';
import { found } from '../../frame/errors.ts';
import { findOrganization } from '../../identity/organizations/store.ts';
import { findBillingSettings } from '../billing-settings/store.ts';
import type { Buyer } from './contract.ts';
import { type DocumentedLine, problemsOf } from './documents.ts';
import { type TaxTreatment, taxTreatmentOf, totalsOf } from './rules.ts';
import type { Issuing } from './store.ts';

/** How an organization issues invoices now. */
export interface Issuer extends Issuing {
  readonly autoIssue: boolean;
  treatmentOf(buyer: Buyer): TaxTreatment;
  /** Why an invoice can't be issued to a buyer yet, as sentences. */
  problemsOf(invoice: ToIssue, lines: readonly DocumentedLine[]): string[];
}

interface ToIssue {
  readonly currency: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly buyer: Buyer;
}

/** Reads what issuing depends on: seller, taxes, and the dates in the organization's time zone. */
export async function loadIssuer(transaction: TenantTransaction, now: Date): Promise<Issuer> {
  const settings = await findBillingSettings(transaction);
  const { settings: organization } = found(await findOrganization(transaction, transaction.tenantId));
  const { seller, timeZone, paymentTermDays, autoIssue } = settings;
  const issueDate = civilDayOf(now.toISOString(), timeZone);
  const dueDate = civilDayOf(now.toISOString(), timeZone, paymentTermDays);
  const treatmentOf = (buyer: Buyer) => taxTreatmentOf(buyer, settings, organization);
  return {
    seller,
    issueDate,
    dueDate,
    autoIssue,
    treatmentOf,
    problemsOf: ({ currency, firstDay, lastDay, buyer }, lines) => {
      const treatment = treatmentOf(buyer);
      const { taxes } = totalsOf(
        lines.map(({ amountMinor }) => amountMinor),
        treatment,
      );
      return problemsOf(
        {
          kind: 'invoice',
          // Any number: it is given by the issue.
          number: '1',
          issueDate,
          dueDate,
          firstDay,
          lastDay,
          currency,
          seller,
          buyer,
          taxes,
          taxCategory: treatment.category,
          taxRate: treatment.rate,
          exemptionReason: treatment.exemptionReason,
          precedingInvoice: null,
          notes: [],
          logo: null,
        },
        lines,
      );
    },
  };
}
