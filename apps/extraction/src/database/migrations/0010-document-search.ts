import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

/**
 * The searchable text of documents, in its own table with a trigram index, so that a search reads only documents that
 * may match. The hash of the letters includes the account's id, which keeps accounts apart. Under row-level security such
 * an index can't be used, since its operator isn't leakproof. The service sees the table's rows like any other's, and
 * searches them with a function of the owner, to which the table's policy doesn't apply and which only reads the account
 * of the setting.
 *
 * Lists of one type or source have their filters in one index, like all others, and none is read by parallel workers,
 * which cost more than they save.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table document_searches (
      account_id text not null references accounts,
      document_id text not null,
      search_text text collate "C" not null,
      primary key (document_id, account_id),
      foreign key (account_id, document_id) references documents (account_id, id)
    );

    create function search_grams(account text, searched text) returns bigint[]
      language sql immutable strict parallel safe
      begin atomic
        select array(
          select distinct hashtextextended(substr(searched, place, 3), hashtextextended(account, 0))
          from generate_series(1, length(searched) - 2) as place);
      end;

    insert into document_searches (account_id, document_id, search_text)
    select account_id, id, search_text from documents where deleted_at is null;

    create index document_searches_grams on document_searches using gin (search_grams(account_id, search_text))
      with (gin_pending_list_limit = 256);

    create function keep_document_search() returns trigger language plpgsql set search_path from current as $$
      begin
        if tg_op = 'INSERT' then
          insert into document_searches (account_id, document_id, search_text)
          values (new.account_id, new.id, new.search_text);
        else
          delete from document_searches where account_id = new.account_id and document_id = new.id;
        end if;
        return null;
      end $$;
    create trigger search_added after insert on documents for each row execute function keep_document_search();
    create trigger search_removed after update of deleted_at on documents for each row
      when (new.deleted_at is not null) execute function keep_document_search();

    create function search_documents(part text, most integer) returns text[]
      language sql stable security definer
      begin atomic
        select array(
          select document_id from document_searches
          where search_grams(account_id, search_text) @> search_grams(current_setting('millrace.tenant'), part)
            and account_id = current_setting('millrace.tenant') and strpos(search_text, part) > 0
          limit most);
      end;
    revoke execute on function search_documents from public;
    grant execute on function search_documents to ${sql.ref(serviceRole)};

    drop index documents_of_type;
    create index documents_of_type on documents (account_id, doc_type, id)
      include (created_at, state, source, lowest_confidence, confirmed_at, search_text) where deleted_at is null;
    drop index documents_from_source;
    create index documents_from_source on documents (account_id, source, id)
      include (created_at, doc_type, state, lowest_confidence, confirmed_at, search_text) where deleted_at is null;
    alter table documents set (parallel_workers = 0);
  `.execute(database);

  await isolate(database, 'document_searches', sql.ref('account_id'));
  await sql`
    alter table document_searches no force row level security;
    grant select, insert, delete on document_searches to ${sql.ref(serviceRole)}`.execute(database);
}
