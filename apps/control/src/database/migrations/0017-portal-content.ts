import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

const tables = ['portal_stamps', 'portal_guides', 'portal_guide_versions', 'portal_changes', 'portal_domains'] as const;

/** What the developer portal shows: settings and logos, guides, the change log, and the host names it is at. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table portal_settings
      /* Those that were set; defaults apply to the others. */
      add column settings jsonb not null default '{}',
      add column logo bytea,
      add column logo_dark bytea;

    /* Counts the changes of what public pages show; a table of its own, so that settings are not locked by them. */
    create table portal_stamps (
      organization_id text primary key references organizations,
      stamp bigint not null default 1
    );

    alter table specifications
      /* Version of the API that the published document describes; the other one is the draft's. */
      add column published_api_version text;
    update specifications set published_api_version = coalesce(published_document -> 'info' ->> 'version', api_version)
      where state = 'published';

    create index products_in_catalog on products (organization_id, display_name, id)
      where published and state = 'active';
    create index specifications_published on specifications (organization_id, proxy_id, published_at desc)
      where state = 'published';

    create table portal_guides (
      id text not null,
      organization_id text not null references organizations,
      slug text not null,
      language text not null check (language in ('en', 'de')),
      position integer not null default 0,
      product_ids text[] not null default '{}',
      guide_version integer not null default 1,
      /* What the portal shows; null: nothing. */
      published_version integer,
      published_at timestamptz,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      constraint portal_guides_slug_key unique (organization_id, slug, language),
      check ((published_version is null) = (published_at is null))
    );

    /* Never changed. */
    create table portal_guide_versions (
      organization_id text not null,
      guide_id text not null,
      guide_version integer not null check (guide_version > 0),
      title text not null,
      summary text not null,
      source text not null,
      created_by text not null,
      created_by_name text not null,
      created_at timestamptz not null default now(),
      primary key (organization_id, guide_id, guide_version),
      foreign key (organization_id, guide_id) references portal_guides on delete cascade
    );

    /* What publications of specifications changed for callers. */
    create table portal_changes (
      id text not null,
      organization_id text not null,
      proxy_id text not null,
      kind text not null check (kind in ('published', 'changed', 'withdrawn')),
      api_version text not null,
      breaking boolean not null,
      /* [{operation, kind, breaking, text}], breaking ones first, at most 100. */
      changes jsonb not null,
      total integer not null,
      created_at timestamptz not null default now(),
      primary key (organization_id, id),
      foreign key (organization_id, proxy_id) references proxies on delete cascade
    );
    create index portal_changes_of_proxy on portal_changes (organization_id, proxy_id, created_at desc);
    create index portal_changes_by_time on portal_changes (organization_id, created_at desc, id);

    create table portal_domains (
      id text not null,
      organization_id text not null references organizations,
      host_name text not null check (host_name = lower(host_name)),
      /* Whether links to the portal use it. */
      is_primary boolean not null default false,
      token text not null,
      verified_at timestamptz,
      checked_at timestamptz,
      problem text,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      constraint portal_domains_host_name_key unique (organization_id, host_name),
      check (not is_primary or verified_at is not null)
    );
    /* Over all organizations: whoever adds a name owns nothing, whoever verifies it does. */
    create unique index portal_domains_verified on portal_domains (host_name) where verified_at is not null;
    create unique index portal_domains_primary on portal_domains (organization_id) where is_primary;
  `.execute(database);
  const role = sql.ref(serviceRole);
  for (const table of tables) {
    await isolate(database, table, sql.ref('organization_id'));
    const rights = table === 'portal_guide_versions' ? sql`select, insert` : sql`select, insert, update, delete`;
    await sql`grant ${rights} on ${sql.table(table)} to ${role}`.execute(database);
  }
}
