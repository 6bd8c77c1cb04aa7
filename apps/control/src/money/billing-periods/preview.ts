import { sql } from 'kysely';
import type * as z from 'zod';
import { listDevelopersByIds } from '../../consumers/developers/store.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { withDays } from '../invoices/documents.ts';
import { loadIssuer } from '../invoices/issuing.ts';
import type { billingPeriodOperations } from './contract.ts';
import { draftsOf } from './drafts.ts';
import { type Billing, billDevelopers } from './terms.ts';

type Preview = z.infer<
  Extract<(typeof billingPeriodOperations)[number], { readonly id: 'previewBillingPeriod' }>['responses'][200]['body']
>['data'];

interface Asked {
  readonly developerId?: string | undefined;
  readonly page: number;
  readonly pageSize: number;
}

/** The invoices that closing the period now would make, for a page of developers. */
export async function previewInvoices(
  transaction: TenantTransaction,
  billing: Billing,
  asked: Asked,
  now: Date,
): Promise<Preview> {
  const { period } = billing;
  const { ids, total } = await listDevelopers(transaction, billing, asked);
  const developers = await listDevelopersByIds(transaction, ids);
  const issuer = await loadIssuer(transaction, now);
  const drafts = draftsOf(await billDevelopers(transaction, billing, ids), developers, issuer);
  const days = withDays(period, period.timeZone);
  return {
    invoices: drafts.map((draft) => {
      const lines = draft.lines.map((line, index) => {
        const { startsAt: _, endsAt: __, ...fields } = withDays(line, period.timeZone);
        return { ...fields, position: index + 1 };
      });
      const { taxes, ...totals } = draft.totals;
      return {
        developerId: draft.developerId,
        developerName: developers.get(draft.developerId)!.name,
        currency: draft.currency,
        ...totals,
        buyer: draft.buyer,
        taxes,
        lines,
        problems: issuer.problemsOf({ ...draft, ...days }, lines),
      };
    }),
    totalDevelopers: total,
  };
}

async function listDevelopers(
  transaction: TenantTransaction,
  { period }: Billing,
  { developerId, page, pageSize }: Asked,
): Promise<{ readonly ids: readonly string[]; readonly total: number }> {
  const ofPeriod = sql`from subscription_terms
    where organization_id = ${transaction.tenantId} and starts_at < ${period.endsAt}::timestamptz
      and (${developerId ?? null}::text is null or developer_id = ${developerId ?? null})`;
  const { rows } = await sql<{ id: string }>`
    select distinct developer_id as id ${ofPeriod} order by developer_id
    limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(transaction);
  const counted = await sql<{ count: number }>`
    select count(distinct developer_id)::int as count ${ofPeriod}`.execute(transaction);
  return { ids: rows.map(({ id }) => id), total: counted.rows[0]?.count ?? 0 };
}
