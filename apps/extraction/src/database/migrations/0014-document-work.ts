import { type Kysely, sql } from 'kysely';
import { openTenantTables } from './tenant-tables.ts';

/**
 * Work on many documents: bulk actions with their progress, the supplier that lists are filtered by, and the columns
 * that each user has chosen.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table bulk_actions (
      id text not null,
      account_id text not null references accounts,
      user_id text not null,
      action text not null check (action in ('delete', 'retry', 'confirm')),
      doc_type text,
      document_ids text[] not null,
      finished_count integer not null default 0,
      failures jsonb not null default '[]',
      state text not null default 'queued' check (state in ('queued', 'processing', 'done')),
      attempts integer not null default 0,
      run_at timestamptz not null default now(),
      created_at timestamptz not null default now(),
      finished_at timestamptz,
      primary key (account_id, id)
    );
    create index bulk_actions_due on bulk_actions (run_at) where state in ('queued', 'processing');
    create index bulk_actions_age on bulk_actions (created_at);

    alter table users add column document_columns text[];

    alter table documents add column supplier text, alter column supplier set storage main;
    update documents set supplier = left(result -> 'fields' ->> case doc_type
      when 'invoice' then 'vendor_name'
      when 'credit_note' then 'vendor_name'
      when 'quote' then 'vendor_name'
      when 'receipt' then 'merchant_name'
      when 'purchase_order' then 'buyer_name'
      when 'delivery_note' then 'sender_name'
      when 'bank_statement' then 'bank_name'
      when 'utility_bill' then 'provider_name'
      when 'payslip' then 'employer_name'
      when 'insurance_card' then 'insurer_name'
    end, 200) where state = 'done' and deleted_at is null;
    create index documents_of_supplier on documents (account_id, id)
      include (created_at, doc_type, state, source, lowest_confidence, confirmed_at, search_text, supplier)
      where supplier is not null and deleted_at is null;
  `.execute(database);

  await openTenantTables(database, ['bulk_actions']);
}
