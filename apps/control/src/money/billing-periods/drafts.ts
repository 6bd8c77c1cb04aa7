import type * as z from 'zod';
import type { Developer } from '../../consumers/developers/contract.ts';
import type { Issuer } from '../invoices/issuing.ts';
import { buyerOf, totalsOf } from '../invoices/rules.ts';
import type { DraftInvoice, DraftLine } from '../invoices/store.ts';
import type { BilledTerm } from './billing.ts';

type Presented = z.infer<typeof Developer>;

/** The invoices of what was billed: one for each developer and currency with anything to pay or to credit, in their order. */
export function draftsOf(
  billed: readonly BilledTerm[],
  developers: ReadonlyMap<string, Presented>,
  { treatmentOf }: Pick<Issuer, 'treatmentOf'>,
): readonly DraftInvoice[] {
  const groups = Map.groupBy(billed, ({ term }) => `${term.developerId} ${term.terms.currency}`);
  const ordered = [...groups].sort(([first], [second]) => (first < second ? -1 : 1));
  return ordered.flatMap(([, ofInvoice]) => {
    const { developerId, terms } = ofInvoice[0]!.term;
    const lines = ofInvoice.flatMap(linesOf);
    if (lines.every(({ amountMinor }) => amountMinor === 0)) return [];
    const buyer = buyerOf(developers.get(developerId)!);
    const treatment = treatmentOf(buyer);
    const amounts = lines.map(({ amountMinor }) => amountMinor);
    return { developerId, currency: terms.currency, buyer, treatment, totals: totalsOf(amounts, treatment), lines };
  });
}

function linesOf({ lines }: BilledTerm): DraftLine[] {
  return lines.map(({ term, ...line }) => ({
    ...line,
    subscriptionId: term.subscriptionId,
    termId: term.id,
    productId: term.productId,
    productName: term.productName,
    ratePlanId: term.ratePlanId,
    planVersion: term.planVersion,
    planName: term.planName,
    appName: term.appName,
  }));
}
