import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

/** Sign-in by an organization's own identity provider, and provisioning by it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table identity_providers (
      organization_id text not null references organizations,
      /* Where it signs people in: the console or the developer portal. */
      realm text not null check (realm in ('console', 'portal')),
      name text not null,
      issuer text not null,
      client_id text not null,
      sealed_client_secret bytea,
      scopes text[] not null,
      groups_claim text,
      group_roles jsonb not null default '[]',
      default_role_ids text[] not null default '{}',
      email_domains text[] not null default '{}',
      creates_users boolean not null default false,
      recheck_seconds integer not null default 45,
      enforced boolean not null default false,
      break_glass_user_id text,
      /* Whoever last decided who may sign in by it. */
      configured_by text[] not null default '{}',
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, realm),
      check (not enforced or break_glass_user_id is not null)
    );
    create index identity_providers_by_domain on identity_providers using gin (email_domains);

    /* Begun here and in progress at the provider. */
    create table provider_sign_ins (
      state_hash bytea primary key,
      browser_hash bytea not null,
      organization_id text not null references organizations,
      realm text not null,
      return_path text not null,
      linked_user_id text,
      expires_at timestamptz not null
    );
    create index provider_sign_ins_by_expiry on provider_sign_ins (expires_at);

    /* Logout tokens that were used: each is good for one logout. */
    create table provider_logouts (
      organization_id text not null references organizations,
      realm text not null,
      token_hash bytea not null,
      expires_at timestamptz not null,
      primary key (organization_id, realm, token_hash)
    );
    create index provider_logouts_by_expiry on provider_logouts (expires_at);
  `.execute(database);
  const tables = ['identity_providers', 'provider_sign_ins', 'provider_logouts'];
  for (const prefix of ['', 'portal_']) {
    const [links, providerSessions] = [`${prefix}provider_links`, `${prefix}provider_sessions`];
    await sql`
      create table ${sql.table(links)} (
        organization_id text not null,
        issuer text not null,
        subject text not null,
        user_id text not null,
        created_at timestamptz not null default now(),
        last_sign_in_at timestamptz,
        primary key (organization_id, issuer, subject),
        foreign key (organization_id, user_id) references ${sql.table(`${prefix}users`)} on delete cascade
      );
      create index ${sql.ref(`${links}_of_user`)} on ${sql.table(links)} (organization_id, user_id);

      /* Sessions that began at a provider, with what ends them there. */
      create table ${sql.table(providerSessions)} (
        organization_id text not null,
        session_id text not null,
        user_id text not null,
        issuer text not null,
        subject text not null,
        provider_session_id text,
        sealed_id_token bytea not null,
        sealed_refresh_token bytea,
        /* When the provider is asked again whether the user is still active; null: it can’t be asked. */
        check_at timestamptz,
        failing_since timestamptz,
        primary key (organization_id, session_id),
        foreign key (organization_id, session_id) references ${sql.table(`${prefix}sessions`)} on delete cascade
      );
      create index ${sql.ref(`${providerSessions}_of_subject`)} on ${sql.table(providerSessions)} (organization_id, issuer, subject);
      create index ${sql.ref(`${providerSessions}_due`)} on ${sql.table(providerSessions)} (check_at) where check_at is not null;
    `.execute(database);
    tables.push(links, providerSessions);
  }
  for (const table of tables) {
    await isolate(database, table, sql.ref('organization_id'));
    await sql`grant select, insert, update, delete on ${sql.table(table)} to ${sql.ref(serviceRole)}`.execute(database);
  }
}
