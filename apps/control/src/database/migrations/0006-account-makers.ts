import { serviceRole } from '@millrace/postgres';
import { type Kysely, sql } from 'kysely';

/**
 * Who may be the same person as whom, for approvals: who had a hand in an account lately, and which accounts had the same
 * e-mail address at any time. Both outlive the account and cross organizations, as a Super Admin does; they hold ids and
 * digests alone.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table account_makers (
      user_id text not null,
      /* A user who created the account, invited its owner or changed its address. */
      maker_id text not null,
      /* In the organization's first day, when one person makes every account. */
      founding boolean not null,
      at timestamptz not null default now(),
      primary key (user_id, maker_id)
    );
    create index account_makers_by_time on account_makers (at);

    create table account_addresses (
      /* SHA-256 of the address in lower case, without the tag after a plus sign: one mailbox, one digest. */
      address_digest bytea not null,
      user_id text not null,
      primary key (user_id, address_digest)
    );
    create index account_addresses_by_digest on account_addresses (address_digest);

    create function address_digest(email text) returns bytea immutable language sql as $$
      select sha256(convert_to(regexp_replace(lower(email), '^([^+@]+)\\+[^@]*@', '\\1@'), 'UTF8'))
    $$;
    create function remember_address() returns trigger language plpgsql as $$
    begin
      insert into account_addresses (address_digest, user_id) values (address_digest(new.email), new.id)
      on conflict do nothing;
      return null;
    end $$;
    create trigger users_address_remembered after insert or update of email on users
      for each row execute function remember_address();
    insert into account_addresses (address_digest, user_id) select address_digest(email), id from users;

    /* Who sent the invitation or sent it again: users, a service account's owners among them. */
    alter table invitations add column sender_ids text[] not null default '{}';
    update invitations set sender_ids = coalesce(
      (select account.owner_ids from service_accounts account
       where account.organization_id = invitations.organization_id and account.id = invited_by),
      array[invited_by]);
  `.execute(database);
  await sql`
    grant select, insert, update, delete on account_makers to ${sql.ref(serviceRole)};
    grant select, insert on account_addresses to ${sql.ref(serviceRole)}`.execute(database);
}
