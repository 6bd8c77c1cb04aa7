import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

/** Billing: its settings, periods, invoices with their payments, and credit notes. Dates are civil, as `2026-01-31`. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    /* To whom and how a developer is billed; null: not known yet. */
    alter table developers add column billing jsonb;

    create table billing_settings (
      organization_id text primary key references organizations,
      settings jsonb not null default '{}',
      /* A PNG file. */
      logo bytea,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );

    /* They begin where the one before ends. */
    create table billing_periods (
      id text not null,
      organization_id text not null references organizations,
      unit text not null check (unit in ('week', 'month', 'quarter')),
      time_zone text not null,
      starts_at timestamptz not null,
      ends_at timestamptz not null check (ends_at > starts_at),
      state text not null default 'open' check (state in ('open', 'closing', 'closed')),
      /* While it is closing: developers up to this id have their invoices. */
      billed_through text not null default '',
      closing_since timestamptz,
      closed_at timestamptz,
      /* Who closed it. */
      closed_by text,
      closed_by_name text,
      totals jsonb,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      unique (organization_id, starts_at),
      unique (organization_id, ends_at)
    );
    create index billing_periods_not_closed on billing_periods (state, ends_at) where state <> 'closed';

    /* What a closing found and billed of a term, in calls. */
    create table billed_terms (
      organization_id text not null references organizations,
      period_id text not null,
      term_id text not null,
      developer_id text not null,
      currency text not null,
      /* In metered rows of the period that had arrived in time. */
      requests bigint not null,
      /* Of them, those that a charge applies to. */
      billed bigint not null,
      /* The others, by the reason. */
      not_billable jsonb not null,
      /* Of earlier periods, which had arrived since the closing before. */
      late_requests bigint not null,
      amount_minor bigint not null,
      primary key (organization_id, period_id, term_id),
      foreign key (organization_id, period_id) references billing_periods,
      foreign key (organization_id, term_id) references subscription_terms
    );

    create table invoices (
      id text not null,
      organization_id text not null references organizations,
      period_id text not null,
      developer_id text not null,
      currency text not null,
      state text not null check (state in ('draft', 'issued', 'paid', 'void')),
      /* Number and dates are given when it is issued. */
      number text,
      number_prefix text,
      number_sequence integer,
      issue_date text,
      due_date text,
      /* As they were when it was issued; of a draft, when it was made. */
      seller jsonb,
      buyer jsonb not null,
      tax_category text not null,
      tax_rate text not null,
      exemption_reason text,
      taxes jsonb not null,
      lines_minor bigint not null,
      tax_minor bigint not null,
      total_minor bigint not null,
      paid_minor bigint not null default 0,
      /* By issued credit notes. */
      credited_minor bigint not null default 0,
      sent_at timestamptz,
      sent_to text,
      reminders_sent integer not null default 0,
      reminded_at timestamptz,
      void_reason text,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      constraint invoices_once unique (organization_id, developer_id, currency, period_id),
      constraint invoices_number unique (organization_id, number),
      foreign key (organization_id, period_id) references billing_periods,
      foreign key (organization_id, developer_id) references developers,
      check ((number is null) = (issue_date is null) and (state in ('draft', 'void') or number is not null))
    );
    create index invoices_by_creation on invoices (organization_id, created_at, id);
    create index invoices_of_period on invoices (organization_id, period_id, created_at, id);
    create index invoices_by_issue on invoices (organization_id, issue_date, id);
    create index invoices_unpaid on invoices (due_date) where state = 'issued';

    create table invoice_lines (
      organization_id text not null references organizations,
      invoice_id text not null,
      position integer not null,
      subscription_id text not null,
      term_id text not null,
      product_id text not null,
      rate_plan_id text not null,
      plan_version integer not null,
      product_name text not null,
      plan_name text not null,
      app_name text not null,
      kind text not null,
      charge text,
      meter text,
      tier jsonb,
      is_flat_fee boolean not null,
      quantity numeric not null,
      unit_price numeric not null,
      amount_minor bigint not null,
      share jsonb,
      /* The time that it bills, which for late usage and fees in advance is not the invoice's. */
      starts_at timestamptz not null,
      ends_at timestamptz not null,
      primary key (organization_id, invoice_id, position),
      foreign key (organization_id, invoice_id) references invoices on delete cascade
    );

    create table payments (
      id text not null,
      organization_id text not null references organizations,
      invoice_id text not null,
      amount_minor bigint not null check (amount_minor <> 0),
      paid_on text not null,
      reference text not null default '',
      created_by text not null,
      created_by_name text not null,
      created_at timestamptz not null default now(),
      primary key (organization_id, id),
      foreign key (organization_id, invoice_id) references invoices
    );
    create index payments_of_invoice on payments (organization_id, invoice_id);

    create table credit_notes (
      id text not null,
      organization_id text not null references organizations,
      invoice_id text not null,
      state text not null check (state in ('pending', 'issued', 'rejected')),
      number text,
      number_prefix text,
      number_sequence integer,
      issue_date text,
      reason text not null,
      taxes jsonb not null,
      lines_minor bigint not null,
      tax_minor bigint not null,
      total_minor bigint not null check (total_minor > 0),
      requested_by text not null,
      requested_by_name text not null,
      /* Who may not approve it: see author keys of production_changes. */
      author_keys text[] not null,
      decided_by text,
      decided_by_name text,
      decided_at timestamptz,
      decision_reason text,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      constraint credit_notes_number unique (organization_id, number),
      foreign key (organization_id, invoice_id) references invoices,
      check ((state = 'issued') = (number is not null) and (number is null) = (issue_date is null))
    );
    create index credit_notes_of_invoice on credit_notes (organization_id, invoice_id);
    create index credit_notes_by_creation on credit_notes (organization_id, created_at, id);

    /* Shares of the invoice's lines, by their positions. */
    create table credit_note_lines (
      organization_id text not null references organizations,
      credit_note_id text not null,
      position integer not null,
      amount_minor bigint not null,
      primary key (organization_id, credit_note_id, position),
      foreign key (organization_id, credit_note_id) references credit_notes on delete cascade
    );
  `.execute(database);
  const role = sql.ref(serviceRole);
  for (const table of [
    'billing_settings',
    'billing_periods',
    'billed_terms',
    'invoices',
    'invoice_lines',
    'payments',
    'credit_notes',
    'credit_note_lines',
  ]) {
    await isolate(database, table, sql.ref('organization_id'));
    await sql`grant select, insert, update, delete on ${sql.table(table)} to ${role}`.execute(database);
  }
}
