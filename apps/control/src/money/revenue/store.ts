import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';

interface Asked {
  readonly by: 'product' | 'plan' | 'developer' | 'month';
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface Row {
  readonly key: string;
  readonly name: string;
  readonly currency: string;
  readonly billed: string;
  readonly credited: string;
}

/** What a row of revenue is about, and its name; a plan's and a product's are those of today. */
const keys = {
  product: {
    key: sql`line.product_id`,
    name: sql`(select display_name from products where organization_id = sums.organization_id and id = key)`,
  },
  plan: {
    key: sql`line.rate_plan_id`,
    name: sql`(select display_name from rate_plans where organization_id = sums.organization_id and id = key)`,
  },
  developer: {
    key: sql`invoice.developer_id`,
    name: sql`(select name from developers where organization_id = sums.organization_id and id = key)`,
  },
  month: { key: sql`left(day, 7)`, name: sql`key` },
} as const;

const mostRows = 1_000;

/** Revenue without tax, by currency: what issued invoices have, less what issued credit notes do. */
export async function readRevenue(transaction: TenantTransaction, { by, from, to }: Asked) {
  const { key, name } = keys[by];
  const inRange = sql`day >= ${from ?? ''} and (${to ?? null}::text is null or day <= ${to ?? null})`;
  const { rows } = await sql<Row>`
    with moved as (
      select invoice.organization_id, invoice.id as invoice_id, line.position, invoice.issue_date as day,
        line.amount_minor as billed, 0::bigint as credited
      from invoices invoice
      join invoice_lines line on line.organization_id = invoice.organization_id and line.invoice_id = invoice.id
      where invoice.organization_id = ${transaction.tenantId} and invoice.state in ('issued', 'paid')
      union all
      select note.organization_id, note.invoice_id, part.position, note.issue_date, 0, part.amount_minor
      from credit_notes note
      join credit_note_lines part on part.organization_id = note.organization_id and part.credit_note_id = note.id
      where note.organization_id = ${transaction.tenantId} and note.state = 'issued'
    ), sums as (
      select moved.organization_id, ${key} as key, invoice.currency, sum(billed) as billed, sum(credited) as credited
      from moved
      join invoices invoice on invoice.organization_id = moved.organization_id and invoice.id = moved.invoice_id
      join invoice_lines line on line.organization_id = moved.organization_id and line.invoice_id = moved.invoice_id
        and line.position = moved.position
      where ${inRange}
      group by 1, 2, 3
    )
    select key, coalesce(${name}, '') as name, currency, billed, credited from sums
    order by ${by === 'month' ? sql`key desc, currency` : sql`currency, billed - credited desc, key`}
    limit ${mostRows}`.execute(transaction);
  return rows.map((row) => {
    const [billedMinor, creditedMinor] = [Number(row.billed), Number(row.credited)];
    const { currency } = row;
    return {
      key: row.key,
      name: row.name,
      currency,
      billedMinor,
      creditedMinor,
      netMinor: billedMinor - creditedMinor,
    };
  });
}
