import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

const tenantTables = [
  'rate_plans',
  'products',
  'product_proxies',
  'developers',
  'apps',
  'credentials',
  'subscriptions',
  'balance_movements',
  'consumer_changes',
  'gateway_heads',
  'gateway_nodes',
  'gateway_node_metrics',
  'deployment_nodes',
  'usage_batches',
  'traffic_aggregates',
  'deployment_traffic',
  'route_traffic',
] as const;

/** Products and who may call them; gateway nodes, what they are sent, and what they count. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table products (
      id text not null,
      organization_id text not null references organizations,
      name text not null,
      display_name text not null,
      description text not null default '',
      /* Shown in the portal to those who have not signed in. */
      public boolean not null default false,
      auto_approve boolean not null default false,
      published boolean not null default false,
      state text not null default 'active' check (state in ('active', 'suspended')),
      /* {limit, window: {unit, count}}; null: the limit of the Quota policy holds. */
      quota jsonb,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      unique (organization_id, name)
    );
    create index products_by_creation on products (organization_id, created_at, id);

    create table product_proxies (
      organization_id text not null,
      product_id text not null,
      proxy_id text not null,
      /* Null: all routes. */
      route_ids text[],
      created_at timestamptz not null default now(),
      primary key (organization_id, product_id, proxy_id),
      foreign key (organization_id, product_id) references products on delete cascade,
      foreign key (organization_id, proxy_id) references proxies
    );
    create index product_proxies_by_proxy on product_proxies (organization_id, proxy_id);

    create table developers (
      id text not null,
      organization_id text not null references organizations,
      email text not null,
      name text not null,
      company text not null default '',
      /* The portal's user, where it signs in there. */
      user_id text,
      state text not null default 'active' check (state in ('active', 'suspended')),
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      unique (organization_id, email)
    );
    create index developers_by_creation on developers (organization_id, created_at, id);

    create table apps (
      id text not null,
      organization_id text not null,
      developer_id text not null,
      name text not null,
      display_name text not null,
      description text not null default '',
      callback_url text,
      state text not null default 'active' check (state in ('active', 'suspended')),
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      unique (organization_id, developer_id, name),
      foreign key (organization_id, developer_id) references developers
    );
    create index apps_by_creation on apps (organization_id, created_at, id);

    create table credentials (
      id text not null,
      organization_id text not null,
      app_id text not null,
      name text not null,
      /* The first characters of the key, by which people tell keys apart. */
      prefix text not null,
      key_hash bytea not null unique,
      /* Encrypted with the organization's key, for a reveal. */
      sealed_key bytea not null,
      previous_key_hash bytea unique,
      previous_valid_until timestamptz,
      expires_at timestamptz,
      revoked_at timestamptz,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      foreign key (organization_id, app_id) references apps on delete cascade
    );
    create index credentials_of_app on credentials (organization_id, app_id, created_at, id);

    create table rate_plans (
      id text not null,
      organization_id text not null,
      product_id text not null,
      name text not null,
      display_name text not null,
      type text not null check (type in ('pay_as_you_go', 'flat', 'tiered', 'prepaid')),
      state text not null default 'draft' check (state in ('draft', 'published', 'retired')),
      currency text not null,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      foreign key (organization_id, product_id) references products on delete cascade
    );
    create index rate_plans_of_product on rate_plans (organization_id, product_id, created_at, id);

    create table subscriptions (
      id text not null,
      organization_id text not null,
      app_id text not null,
      product_id text not null,
      rate_plan_id text,
      state text not null check (state in ('pending', 'approved', 'rejected', 'revoked', 'cancelled')),
      /* Replaces the product's quota. */
      quota jsonb,
      reason text,
      requested_by text not null,
      requested_by_name text not null,
      /* Who may not approve it: the requester, whoever stands behind it, and who changed what is asked for. */
      author_ids text[] not null,
      decided_by text,
      decided_by_name text,
      decided_at timestamptz,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      foreign key (organization_id, app_id) references apps on delete cascade,
      foreign key (organization_id, product_id) references products,
      foreign key (organization_id, rate_plan_id) references rate_plans
    );
    create unique index subscriptions_open on subscriptions (organization_id, app_id, product_id)
      where state in ('pending', 'approved');
    create index subscriptions_by_creation on subscriptions (organization_id, created_at, id);
    create index subscriptions_by_state on subscriptions (organization_id, state, created_at);
    create index subscriptions_of_app on subscriptions (organization_id, app_id, created_at);
    create index subscriptions_of_product on subscriptions (organization_id, product_id, created_at);
    /* Of a product the apps that it lets in, from this index alone. */
    create index subscriptions_approved on subscriptions (organization_id, product_id, app_id) where state = 'approved';

    /* Prepaid money: every movement of a developer's balance, in minor units of its currency. */
    create table balance_movements (
      id text not null,
      organization_id text not null,
      developer_id text not null,
      kind text not null check (kind in ('top_up', 'charge', 'correction')),
      amount_minor bigint not null,
      currency text not null,
      note text not null default '',
      created_by text not null,
      created_by_name text not null,
      created_at timestamptz not null default now(),
      primary key (organization_id, id),
      foreign key (organization_id, developer_id) references developers on delete cascade
    );
    create index balance_movements_of_developer on balance_movements (organization_id, developer_id, created_at, id);

    /* The newest sequence number of consumer changes: locked by every write that nodes have to get. */
    create table gateway_heads (
      organization_id text primary key references organizations,
      sequence bigint not null
    );

    /* Each consumer as nodes know it, with the sequence of its last change; a null value: it is gone. */
    create table consumer_changes (
      organization_id text not null references organizations,
      kind text not null check (kind in ('product', 'developer', 'app', 'credential', 'subscription')),
      id text not null,
      sequence bigint not null,
      value jsonb,
      changed_at timestamptz not null default now(),
      primary key (organization_id, kind, id)
    );
    create index consumer_changes_by_sequence on consumer_changes (organization_id, sequence);

    create table gateway_nodes (
      id text not null,
      organization_id text not null,
      environment_id text not null,
      name text not null,
      description text not null default '',
      /* Taken once, at the node's registration; null afterwards. */
      registration_hash bytea unique,
      registration_expires_at timestamptz,
      token_hash bytea unique,
      /* X25519, for the secrets that it is sent. */
      public_key text,
      registered_at timestamptz,
      drain text not null default 'none' check (drain in ('none', 'draining', 'drained')),
      last_heartbeat_at timestamptz,
      heartbeat jsonb,
      /* Of the snapshot that its last heartbeat says it serves; null where it serves none of this control plane's. */
      held_sequence integer,
      /* Since when it has refused what it last refused. */
      refused_since timestamptz,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      unique (organization_id, name),
      foreign key (organization_id, environment_id) references environments
    );

    create index gateway_nodes_of_environment on gateway_nodes (organization_id, environment_id);

    /* What a node reported about itself: a row for every ten seconds of the last hour, overwritten in rotation. */
    create table gateway_node_metrics (
      organization_id text not null,
      node_id text not null,
      slot smallint not null,
      at timestamptz not null,
      metrics jsonb not null,
      primary key (organization_id, node_id, slot),
      foreign key (organization_id, node_id) references gateway_nodes on delete cascade
    );

    /* Since when a node serves a deployment. */
    create table deployment_nodes (
      organization_id text not null,
      deployment_id text not null,
      node_id text not null,
      serving_since timestamptz not null,
      primary key (organization_id, deployment_id, node_id),
      foreign key (organization_id, deployment_id) references deployments on delete cascade,
      foreign key (organization_id, node_id) references gateway_nodes on delete cascade
    );
    create index deployment_nodes_of_node on deployment_nodes (organization_id, node_id);

    /* Batches that were applied, so that none is applied twice. */
    create table usage_batches (
      organization_id text not null references organizations,
      id text not null,
      node_id text not null,
      applied_at timestamptz not null default now(),
      primary key (organization_id, id)
    );
    create index usage_batches_by_time on usage_batches (applied_at);

    create table traffic_aggregates (
      organization_id text not null references organizations,
      hour timestamptz not null,
      environment_id text not null,
      proxy_id text not null,
      /* Empty where no policy found the caller. */
      app_id text not null,
      product_id text not null,
      country text not null,
      requests bigint not null,
      status_2xx bigint not null,
      status_3xx bigint not null,
      status_4xx bigint not null,
      status_5xx bigint not null,
      limited bigint not null,
      request_bytes bigint not null,
      response_bytes bigint not null,
      /* Bucket, count, bucket, count, … of microseconds. */
      gateway_time bigint[] not null,
      target_time bigint[] not null,
      primary key (organization_id, hour, environment_id, proxy_id, app_id, product_id, country)
    );
    create index traffic_by_app on traffic_aggregates (organization_id, app_id, hour);
    create index traffic_by_proxy on traffic_aggregates (organization_id, proxy_id, hour);

    create table deployment_traffic (
      organization_id text not null references organizations,
      deployment_id text not null,
      minute timestamptz not null,
      requests bigint not null,
      status_2xx bigint not null,
      status_3xx bigint not null,
      status_4xx bigint not null,
      status_5xx bigint not null,
      latency bigint[] not null,
      primary key (organization_id, deployment_id, minute)
    );

    create table route_traffic (
      organization_id text not null references organizations,
      hour timestamptz not null,
      environment_id text not null,
      proxy_id text not null,
      route_id text not null,
      requests bigint not null,
      status_2xx bigint not null,
      status_3xx bigint not null,
      status_4xx bigint not null,
      status_5xx bigint not null,
      primary key (organization_id, hour, environment_id, proxy_id, route_id)
    );

    /* When its mails went out: those of a day before the last one, and that one. */
    alter table invitations add column mailed_at timestamptz[] not null default '{}';
    create index invitations_by_email on invitations (organization_id, email);
  `.execute(database);

  const role = sql.ref(serviceRole);
  for (const table of tenantTables) {
    await isolate(database, table, sql.ref('organization_id'));
    await sql`grant select, insert, update, delete on ${sql.table(table)} to ${role}`.execute(database);
  }
}
