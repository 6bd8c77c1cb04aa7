import { newId } from '@millrace/identifiers';
import { civilDays } from '@millrace/pricing';
import { type Selectable, sql } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { emit } from '../../frame/events.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { GivenNumber } from '../billing-settings/store.ts';
import { takeInvoiceNumbers } from '../billing-settings/store.ts';
import { invoiceMoved } from '../events.ts';
import type { Buyer, Invoice, InvoiceLine, InvoiceWithLines } from './contract.ts';
import { dueOf, type TaxTreatment, type totalsOf } from './rules.ts';

type Row = Selectable<Schema['invoices']> & {
  readonly developer_name: string;
  readonly starts_at: Date;
  readonly ends_at: Date;
  readonly time_zone: string;
  readonly today: string;
};

interface Filters extends Listing {
  readonly state?: Invoice['state'] | undefined;
  readonly overdue?: boolean | undefined;
  readonly periodId?: string | undefined;
  readonly developerId?: string | undefined;
  readonly currency?: string | undefined;
  /** Without drafts. */
  readonly isNumbered?: boolean;
}

const columns = {
  createdAt: 'invoices.created_at',
  issueDate: 'invoices.issue_date',
  dueDate: 'invoices.due_date',
  totalMinor: 'invoices.total_minor',
};

/** In the organization's time zone. */
const today = sql<string>`to_char(now() at time zone coalesce((
  select settings ->> 'timeZone' from billing_settings where organization_id = invoices.organization_id), 'UTC'), 'YYYY-MM-DD')`;
const isOverdue = sql<boolean>`(invoices.state = 'issued' and invoices.due_date < ${today})`;

export async function listInvoices(transaction: TenantTransaction, filters: Filters) {
  let query = invoices(transaction).where((builder) =>
    matches(builder, ['invoices.number', 'developer.name', 'developer.company'], filters.search),
  );
  const { state, overdue, periodId, developerId, currency } = filters;
  if (state !== undefined) query = query.where('invoices.state', '=', state);
  if (overdue !== undefined) query = query.where(overdue ? isOverdue : sql<boolean>`not ${isOverdue}`);
  if (periodId !== undefined) query = query.where('invoices.period_id', '=', periodId);
  if (developerId !== undefined) query = query.where('invoices.developer_id', '=', developerId);
  if (currency !== undefined) query = query.where('invoices.currency', '=', currency);
  if (filters.isNumbered) query = query.where('invoices.number', 'is not', null);
  const { rows, total } = await readPage(query, filters, columns, 'invoices.id');
  return { invoices: rows.map(present), total };
}

export async function findInvoice(transaction: TenantTransaction, id: string): Promise<Invoice | null> {
  const row = await invoices(transaction).where('invoices.id', '=', id).executeTakeFirst();
  return row === undefined ? null : present(row);
}

/** Locks an invoice until the commit: its state, payments and credits change one after another. */
export async function lockInvoice(transaction: TenantTransaction, id: string): Promise<Invoice | null> {
  const { rows } = await sql`
    select from invoices where organization_id = ${transaction.tenantId} and id = ${id} for no key update`.execute(
    transaction,
  );
  return rows.length === 0 ? null : findInvoice(transaction, id);
}

/** An invoice with everything but its problems. */
export async function findWithLines(
  transaction: TenantTransaction,
  id: string,
): Promise<Omit<InvoiceWithLines, 'problems'> | null> {
  const row = await invoices(transaction).where('invoices.id', '=', id).executeTakeFirst();
  if (row === undefined) return null;
  return {
    ...present(row),
    // Written in this form by the closing and by the issue.
    seller: row.seller as InvoiceWithLines['seller'],
    buyer: row.buyer as unknown as Buyer,
    taxes: [...row.taxes],
    exemptionReason: row.exemption_reason,
    lines: await listLines(transaction, id),
    payments: await listPayments(transaction, id),
    creditNotes: await listCreditNotesOf(transaction, id),
  };
}

async function listLines(transaction: TenantTransaction, invoiceId: string): Promise<InvoiceLine[]> {
  const rows = await transaction
    .selectFrom('invoice_lines')
    .innerJoin('invoices', (join) =>
      join
        .onRef('invoices.organization_id', '=', 'invoice_lines.organization_id')
        .onRef('invoices.id', '=', 'invoice_lines.invoice_id'),
    )
    .innerJoin('billing_periods as period', (join) =>
      join
        .onRef('period.organization_id', '=', 'invoices.organization_id')
        .onRef('period.id', '=', 'invoices.period_id'),
    )
    .selectAll('invoice_lines')
    .select('period.time_zone')
    .where('invoice_lines.organization_id', '=', transaction.tenantId)
    .where('invoice_lines.invoice_id', '=', invoiceId)
    .orderBy('invoice_lines.position')
    .execute();
  return rows.map((row) => presentLine(row, row.time_zone));
}

function presentLine(row: Selectable<Schema['invoice_lines']>, timeZone: string): InvoiceLine {
  const days = civilDays({ from: row.starts_at.toISOString(), to: row.ends_at.toISOString() }, timeZone);
  return {
    position: row.position,
    kind: row.kind,
    charge: row.charge,
    tier: row.tier,
    isFlatFee: row.is_flat_fee,
    quantity: row.quantity,
    unitPrice: row.unit_price,
    amountMinor: Number(row.amount_minor),
    share: row.share,
    subscriptionId: row.subscription_id,
    termId: row.term_id,
    productId: row.product_id,
    productName: row.product_name,
    ratePlanId: row.rate_plan_id,
    planVersion: row.plan_version,
    planName: row.plan_name,
    appName: row.app_name,
    meter: row.meter,
    usage: row.usage,
    firstDay: days.from,
    lastDay: days.to,
  };
}

async function listPayments(transaction: TenantTransaction, invoiceId: string): Promise<InvoiceWithLines['payments']> {
  const rows = await transaction
    .selectFrom('payments')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('invoice_id', '=', invoiceId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    amountMinor: Number(row.amount_minor),
    paidOn: row.paid_on,
    reference: row.reference,
    createdByName: row.created_by_name,
    createdAt: row.created_at.toISOString(),
  }));
}

async function listCreditNotesOf(
  transaction: TenantTransaction,
  invoiceId: string,
): Promise<InvoiceWithLines['creditNotes']> {
  const rows = await transaction
    .selectFrom('credit_notes')
    .select(['id', 'number', 'state', 'total_minor'])
    .where('organization_id', '=', transaction.tenantId)
    .where('invoice_id', '=', invoiceId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id, number, state, total_minor }) => ({ id, number, state, totalMinor: Number(total_minor) }));
}

/** An invoice to be: what a closing comes to for one developer and currency. */
export interface DraftInvoice {
  readonly developerId: string;
  readonly currency: string;
  readonly buyer: Buyer;
  readonly treatment: TaxTreatment;
  readonly totals: ReturnType<typeof totalsOf>;
  readonly lines: readonly DraftLine[];
}

/** A line to be; its position is its place in the list. */
export type DraftLine = Omit<InvoiceLine, 'position' | 'firstDay' | 'lastDay'> & {
  readonly startsAt: string;
  readonly endsAt: string;
};

/** An invoice that is new: a repeated closing adds none to a developer who has theirs. */
export interface AddedInvoice {
  readonly id: string;
  readonly draft: DraftInvoice;
}

/** Adds drafts of a period with their lines, but for developers who have an invoice of that period and currency. */
export async function insertInvoices(
  transaction: TenantTransaction,
  periodId: string,
  drafts: readonly DraftInvoice[],
): Promise<readonly AddedInvoice[]> {
  if (drafts.length === 0) return [];
  const given = new Map(drafts.map((draft) => [newId('ivc'), draft]));
  const rows = [...given].map(([id, { developerId, currency, buyer, treatment, totals }]) => ({
    id,
    developer_id: developerId,
    currency,
    buyer,
    tax_category: treatment.category,
    tax_rate: treatment.rate,
    exemption_reason: treatment.exemptionReason,
    taxes: totals.taxes,
    lines_minor: totals.linesMinor,
    tax_minor: totals.taxMinor,
    total_minor: totals.totalMinor,
  }));
  const { rows: inserted } = await sql<{ id: string }>`
    insert into invoices (id, organization_id, period_id, developer_id, currency, state, buyer, tax_category, tax_rate,
      exemption_reason, taxes, lines_minor, tax_minor, total_minor)
    select id, ${transaction.tenantId}, ${periodId}, developer_id, currency, 'draft', buyer, tax_category, tax_rate,
      exemption_reason, taxes, lines_minor, tax_minor, total_minor
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id text, developer_id text, currency text, buyer jsonb,
      tax_category text, tax_rate text, exemption_reason text, taxes jsonb, lines_minor bigint, tax_minor bigint,
      total_minor bigint)
    order by developer_id, currency
    on conflict on constraint invoices_once do nothing
    returning id`.execute(transaction);
  const added = new Set(inserted.map(({ id }) => id));
  // In the order of the drafts, which is that of their numbers.
  const invoices = [...given].flatMap(([id, draft]) => (added.has(id) ? [{ id, draft }] : []));
  await insertLines(transaction, invoices);
  return invoices;
}

async function insertLines(transaction: TenantTransaction, added: readonly AddedInvoice[]): Promise<void> {
  const rows = added.flatMap(({ id, draft }) =>
    draft.lines.map((line, index) => ({
      invoice_id: id,
      position: index + 1,
      subscription_id: line.subscriptionId,
      term_id: line.termId,
      product_id: line.productId,
      rate_plan_id: line.ratePlanId,
      plan_version: line.planVersion,
      product_name: line.productName,
      plan_name: line.planName,
      app_name: line.appName,
      kind: line.kind,
      charge: line.charge,
      meter: line.meter,
      tier: line.tier,
      is_flat_fee: line.isFlatFee,
      quantity: line.quantity,
      unit_price: line.unitPrice,
      amount_minor: line.amountMinor,
      share: line.share,
      starts_at: line.startsAt,
      ends_at: line.endsAt,
      usage: line.usage,
    })),
  );
  await sql`
    insert into invoice_lines (organization_id, invoice_id, position, subscription_id, term_id, product_id, rate_plan_id,
      plan_version, product_name, plan_name, app_name, kind, charge, meter, tier, is_flat_fee, quantity, unit_price,
      amount_minor, share, starts_at, ends_at, usage)
    select ${transaction.tenantId}, given.*
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (invoice_id text, position integer,
      subscription_id text, term_id text, product_id text, rate_plan_id text, plan_version integer, product_name text,
      plan_name text, app_name text, kind text, charge text, meter text, tier jsonb, is_flat_fee boolean, quantity numeric,
      unit_price numeric, amount_minor bigint, share jsonb, starts_at timestamptz, ends_at timestamptz,
      usage jsonb)`.execute(transaction);
}

/** What a draft gets when it is issued. */
export interface Issue {
  readonly id: string;
  readonly buyer: Buyer;
  readonly treatment: TaxTreatment;
  readonly totals: ReturnType<typeof totalsOf>;
}

/** The dates of invoices that are issued together, and who issues them. */
export interface Issuing {
  readonly seller: InvoiceWithLines['seller'];
  readonly issueDate: string;
  readonly dueDate: string;
}

/**
 * Issues drafts with the next numbers of the series, in their order. The organization stays locked until the commit: the
 * series has no gaps.
 */
export async function issueInvoices(
  transaction: TenantTransaction,
  issues: readonly Issue[],
  { seller, issueDate, dueDate }: Issuing,
): Promise<void> {
  if (issues.length === 0) return;
  const numbers = await takeInvoiceNumbers(transaction, issues.length);
  const rows = issues.map(({ id, buyer, treatment, totals }, index) => ({
    id,
    number: numberText(numbers[index]!),
    number_prefix: numbers[index]!.prefix,
    number_sequence: numbers[index]!.sequence,
    buyer,
    tax_category: treatment.category,
    tax_rate: treatment.rate,
    exemption_reason: treatment.exemptionReason,
    taxes: totals.taxes,
    tax_minor: totals.taxMinor,
    total_minor: totals.totalMinor,
  }));
  await sql`
    update invoices set state = case when given.total_minor = 0 then 'paid' else 'issued' end, number = given.number,
      number_prefix = given.number_prefix, number_sequence = given.number_sequence, issue_date = ${issueDate},
      due_date = ${dueDate}, seller = ${JSON.stringify(seller)}::jsonb, buyer = given.buyer,
      tax_category = given.tax_category, tax_rate = given.tax_rate, exemption_reason = given.exemption_reason,
      taxes = given.taxes, tax_minor = given.tax_minor, total_minor = given.total_minor,
      version = version + 1, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id text, number text, number_prefix text,
      number_sequence integer, buyer jsonb, tax_category text, tax_rate text, exemption_reason text, taxes jsonb,
      tax_minor bigint, total_minor bigint)
    where invoices.organization_id = ${transaction.tenantId} and invoices.id = given.id and invoices.state = 'draft'`.execute(
    transaction,
  );
  for (const { id } of issues) emit(transaction, invoiceMoved, { invoiceId: id, move: 'created' });
}

/** A number of a series, as documents state it. */
export function numberText({ prefix, sequence }: GivenNumber): string {
  return `${prefix}${sequence}`;
}

/** Adds a payment; an invoice with nothing left to pay is paid. */
export async function insertPayment(
  transaction: TenantTransaction,
  { id: invoiceId }: Pick<Invoice, 'id'>,
  values: {
    readonly amountMinor: number;
    readonly paidOn: string;
    readonly reference: string;
    readonly createdBy: string;
    readonly createdByName: string;
  },
): Promise<Invoice> {
  await transaction
    .insertInto('payments')
    .values({
      id: newId('pay'),
      organization_id: transaction.tenantId,
      invoice_id: invoiceId,
      amount_minor: values.amountMinor,
      paid_on: values.paidOn,
      reference: values.reference,
      created_by: values.createdBy,
      created_by_name: values.createdByName,
    })
    .execute();
  return changeMoney(transaction, invoiceId, { paidMinor: values.amountMinor });
}

/** Adds to what was paid or credited of an issued invoice, which is paid while nothing is left to pay. */
export async function changeMoney(
  transaction: TenantTransaction,
  id: string,
  { paidMinor = 0, creditedMinor = 0 }: { readonly paidMinor?: number; readonly creditedMinor?: number },
): Promise<Invoice> {
  const { rows } = await sql<{ was_paid: boolean; is_paid: boolean }>`
    update invoices set paid_minor = paid_minor + ${paidMinor}, credited_minor = credited_minor + ${creditedMinor},
      state = case
        when sign(total_minor) * (total_minor - paid_minor - credited_minor - ${paidMinor}::bigint - ${creditedMinor}::bigint) <= 0
        then 'paid' else 'issued' end,
      version = version + 1, updated_at = now()
    where organization_id = ${transaction.tenantId} and id = ${id}
    returning state = 'paid' as is_paid, (select before.state = 'paid' from invoices before
      where before.organization_id = invoices.organization_id and before.id = invoices.id) as was_paid`.execute(
    transaction,
  );
  if (rows[0]?.is_paid && !rows[0].was_paid) emit(transaction, invoiceMoved, { invoiceId: id, move: 'paid' });
  return (await findInvoice(transaction, id))!;
}

/** Changes what no document states. */
export async function updateInvoice(
  transaction: TenantTransaction,
  id: string,
  changes: { readonly sentTo: string; readonly sentAt: Date } | { readonly voidReason: string },
): Promise<Invoice> {
  await transaction
    .updateTable('invoices')
    .set({
      ...('voidReason' in changes
        ? { state: 'void' as const, void_reason: changes.voidReason }
        : { sent_to: changes.sentTo, sent_at: changes.sentAt }),
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  return (await findInvoice(transaction, id))!;
}

function invoices(transaction: TenantTransaction) {
  return transaction
    .selectFrom('invoices')
    .innerJoin('developers as developer', (join) =>
      join
        .onRef('developer.organization_id', '=', 'invoices.organization_id')
        .onRef('developer.id', '=', 'invoices.developer_id'),
    )
    .innerJoin('billing_periods as period', (join) =>
      join
        .onRef('period.organization_id', '=', 'invoices.organization_id')
        .onRef('period.id', '=', 'invoices.period_id'),
    )
    .selectAll('invoices')
    .select([
      'developer.name as developer_name',
      'period.starts_at',
      'period.ends_at',
      'period.time_zone',
      today.as('today'),
    ])
    .where('invoices.organization_id', '=', transaction.tenantId);
}

function present(row: Row): Invoice {
  const days = civilDays({ from: row.starts_at.toISOString(), to: row.ends_at.toISOString() }, row.time_zone);
  const money = {
    state: row.state,
    totalMinor: Number(row.total_minor),
    paidMinor: Number(row.paid_minor),
    creditedMinor: Number(row.credited_minor),
  };
  return {
    id: row.id,
    number: row.number,
    overdue: row.state === 'issued' && row.due_date !== null && row.due_date < row.today,
    periodId: row.period_id,
    firstDay: days.from,
    lastDay: days.to,
    developerId: row.developer_id,
    developerName: row.developer_name,
    currency: row.currency,
    issueDate: row.issue_date,
    dueDate: row.due_date,
    linesMinor: Number(row.lines_minor),
    taxMinor: Number(row.tax_minor),
    ...money,
    dueMinor: dueOf(money),
    sentAt: row.sent_at?.toISOString() ?? null,
    sentTo: row.sent_to,
    remindersSent: row.reminders_sent,
    voidReason: row.void_reason,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
