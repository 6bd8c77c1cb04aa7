import { type Kysely, sql } from 'kysely';
import { openTenantTables } from './tenant-tables.ts';

const tenantTables = ['corrections', 'senders', 'sender_lessons'] as const;

/** Columns that lists read: only what is beside them goes out of the table's own pages. */
const keptInRow = [
  'id',
  'account_id',
  'reference',
  'source',
  'file_name',
  'media_type',
  'sha256',
  'doc_type',
  'state',
  'blob_key',
  'confidences',
  'search_text',
];

/**
 * What people make of documents: corrections, confirmations and what these teach of a sender, and what lists of
 * documents are filtered by. One index holds all that filters ask for, since under row-level security no index on the text
 * itself could be used. Results go out of the table's own pages, so that what is left of a row is small.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table documents
      add column lowest_confidence real,
      add column confidences real[] not null default '{}',
      add column version integer not null default 0,
      add column entered jsonb,
      add column extracted_result jsonb,
      add column confirmed_at timestamptz,
      add column confirmed_by text,
      add column sender_id text,
      add column sender_certain boolean not null default false,
      add column deleted_at timestamptz,
      add column purged_at timestamptz,
      add column search_text text collate "C" generated always as (lower(reference || ' ' || file_name)) stored,
      set (toast_tuple_target = 128);
    alter table documents
      ${sql.join(
        keptInRow.map((column) => sql`alter column ${sql.ref(column)} set storage main`),
        sql`, `,
      )};

    update documents set (lowest_confidence, confidences) = (
      select min(value::real), coalesce((array_agg(value::real order by value::real))[1:100], '{}')
      from jsonb_each_text(documents.result -> 'confidence') as found (name, value)
    ) where state = 'done';

    create index documents_listed on documents (account_id, id)
      include (created_at, doc_type, state, source, lowest_confidence, confirmed_at, search_text)
      where deleted_at is null;
    create index documents_of_type on documents (account_id, doc_type, id) where deleted_at is null;
    create index documents_from_source on documents (account_id, source, id) where deleted_at is null;
    create index documents_in_state on documents (account_id, state, id) where deleted_at is null;
    create index documents_unconfirmed on documents (account_id, id) include (doc_type, lowest_confidence)
      where state = 'done' and confirmed_at is null and deleted_at is null;
    create index documents_age on documents (account_id, created_at) where deleted_at is null;
    create index documents_unpurged on documents (deleted_at) where deleted_at is not null and purged_at is null;

    create table corrections (
      id text not null,
      account_id text not null references accounts,
      document_id text not null,
      user_id text not null,
      version integer not null,
      kind text not null check (kind in ('set', 'add_row', 'remove_row')),
      path jsonb,
      before jsonb not null,
      after jsonb not null,
      created_at timestamptz not null default now(),
      primary key (account_id, id),
      foreign key (account_id, document_id) references documents (account_id, id)
    );
    create index corrections_of_document on corrections (account_id, document_id, id);

    create table senders (
      id text not null,
      account_id text not null references accounts,
      doc_type text not null,
      name text not null,
      created_at timestamptz not null default now(),
      last_confirmed_at timestamptz not null default now(),
      primary key (account_id, id)
    );
    create index senders_latest on senders (account_id, last_confirmed_at desc, id desc);

    create table sender_lessons (
      account_id text not null references accounts,
      document_id text not null,
      sender_id text not null,
      lesson jsonb not null,
      created_at timestamptz not null default now(),
      primary key (account_id, document_id),
      foreign key (account_id, document_id) references documents (account_id, id),
      foreign key (account_id, sender_id) references senders (account_id, id) on delete cascade
    );
    create index sender_lessons_of_sender on sender_lessons (account_id, sender_id, created_at desc);
  `.execute(database);

  await openTenantTables(database, tenantTables);
}
