import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

/** Sign-in to the developer portal by the identity provider of a developer account. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table portal_identity_providers (
      organization_id text not null,
      developer_id text not null,
      name text not null,
      issuer text not null,
      client_id text not null,
      sealed_client_secret bytea,
      scopes text[] not null,
      groups_claim text,
      group_roles jsonb not null default '[]',
      role text not null check (role in ('owner', 'developer', 'billing', 'viewer')),
      email_domains text[] not null,
      creates_users boolean not null,
      enforced boolean not null,
      recheck_seconds integer not null,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, developer_id),
      foreign key (organization_id, developer_id) references developers on delete cascade
    );
    create index portal_identity_providers_by_domain on portal_identity_providers using gin (email_domains);

    alter table provider_sign_ins add column developer_id text;
  `.execute(database);
  await isolate(database, 'portal_identity_providers', sql.ref('organization_id'));
  await sql`grant select, insert, update, delete on portal_identity_providers to ${sql.ref(serviceRole)}`.execute(
    database,
  );
}
