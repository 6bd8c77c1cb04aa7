import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import type { ControlDatabase, TenantTransaction } from '../../database/schema.ts';
import { csvRow } from '../../frame/csv.ts';

interface ExportFilters {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly state?: 'issued' | 'paid' | 'void' | undefined;
  readonly periodId?: string | undefined;
  readonly developerId?: string | undefined;
}

const columns = [
  'number',
  'state',
  'issueDate',
  'dueDate',
  'developerId',
  'developer',
  'currency',
  'invoiceNetMinor',
  'invoiceTaxMinor',
  'invoiceTotalMinor',
  'paidMinor',
  'creditedMinor',
  'line',
  'product',
  'plan',
  'planVersion',
  'app',
  'kind',
  'charge',
  'meter',
  'tierAbove',
  'tierUpTo',
  'quantity',
  'unitPrice',
  'amountMinor',
  'taxCategory',
  'taxRate',
  'from',
  'to',
  'invoiceId',
  'subscriptionId',
  'termId',
] as const;

type ExportedLine = Readonly<Record<(typeof columns)[number], string | null>>;

const invoicesAtOnce = 200;

/** Numbered invoices and their lines, in the order of their issue; a piece of text at a time. */
export async function* exportCsv(
  database: ControlDatabase,
  organizationId: string,
  filters: ExportFilters,
): AsyncGenerator<string> {
  yield csvRow([...columns]);
  let after: Cursor | null = { issueDate: '', id: '' };
  // Each piece is a transaction of its own, since a slow reader must not keep one open.
  while (after !== null) {
    const from: Cursor = after;
    const { lines, last } = await tenantTransaction(
      database,
      organizationId,
      (transaction) => exportLines(transaction, filters, from),
      { access: 'read only' },
    );
    if (lines.length > 0) yield lines.map((line) => csvRow(columns.map((column) => line[column]))).join('');
    after = last;
  }
}

interface Cursor {
  readonly issueDate: string;
  readonly id: string;
}

/** The lines of the next invoices, and where the ones after those begin; null: there are none. */
async function exportLines(
  transaction: TenantTransaction,
  { from, to, state, periodId, developerId }: ExportFilters,
  after: Cursor,
): Promise<{ readonly lines: readonly ExportedLine[]; readonly last: Cursor | null }> {
  const { rows: invoices } = await sql<Cursor>`
    select id, issue_date as "issueDate" from invoices
    where organization_id = ${transaction.tenantId} and number is not null
      and (issue_date, id) > (${after.issueDate}, ${after.id})
      and issue_date >= ${from ?? ''} and (${to ?? null}::text is null or issue_date <= ${to ?? null})
      and (${state ?? null}::text is null or state = ${state ?? null})
      and (${periodId ?? null}::text is null or period_id = ${periodId ?? null})
      and (${developerId ?? null}::text is null or developer_id = ${developerId ?? null})
    order by issue_date, id limit ${invoicesAtOnce}`.execute(transaction);
  const ids = invoices.map(({ id }) => id);
  const { rows: lines } = await sql<ExportedLine>`
    select i.number, i.state, i.issue_date as "issueDate", i.due_date as "dueDate", i.developer_id as "developerId",
      i.buyer ->> 'name' as developer, i.currency, i.lines_minor::text as "invoiceNetMinor",
      i.tax_minor::text as "invoiceTaxMinor", i.total_minor::text as "invoiceTotalMinor", i.paid_minor::text as "paidMinor",
      i.credited_minor::text as "creditedMinor", l.position::text as line, l.product_name as product,
      l.plan_name as plan, l.plan_version::text as "planVersion", l.app_name as app, l.kind, l.charge, l.meter,
      l.tier ->> 'from' as "tierAbove", l.tier ->> 'upTo' as "tierUpTo", l.quantity::text as quantity,
      l.unit_price::text as "unitPrice", l.amount_minor::text as "amountMinor", i.tax_category as "taxCategory",
      i.tax_rate as "taxRate", to_char(l.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "from",
      to_char(l.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "to", i.id as "invoiceId",
      l.subscription_id as "subscriptionId", l.term_id as "termId"
    from invoices i
    join invoice_lines l on l.organization_id = i.organization_id and l.invoice_id = i.id
    where i.organization_id = ${transaction.tenantId} and i.id = any(${ids}::text[])
    order by i.issue_date, i.id, l.position`.execute(transaction);
  return { lines, last: invoices.length < invoicesAtOnce ? null : invoices.at(-1)! };
}
