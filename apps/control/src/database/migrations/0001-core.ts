import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

/** Tables whose rows belong to one organization, by `organization_id`. */
const tenantTables = [
  'users',
  'user_roles',
  'roles',
  'sessions',
  'password_resets',
  'mfa_recovery_codes',
  'invitations',
  'service_accounts',
  'service_account_tokens',
  'environments',
  'environment_variables',
  'target_servers',
  'proxies',
  'proxy_authors',
  'routes',
  'policy_attachments',
  'policy_templates',
  'revisions',
  'specifications',
  'governance_standards',
  'governance_evaluations',
  'governance_findings',
  'governance_waivers',
  'lifecycle_requests',
  'lifecycle_comments',
  'lifecycle_moves',
  'deployments',
  'configuration_snapshots',
  'notifications',
  'idempotency_keys',
  'outbox',
] as const;

/**
 * Every row of a tenant's table is known by (organization, id), and foreign keys carry the organization, so that no
 * reference crosses organizations. Row-level security shows a connection the rows of the organization in its setting
 * `millrace.tenant`, all rows where it is `*`, and none where it is empty.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table organizations (
      id text primary key,
      name text not null unique,
      display_name text not null,
      platform boolean not null default false,
      state text not null default 'active' check (state in ('active', 'suspended')),
      settings jsonb not null default '{}',
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );

    create table users (
      id text not null,
      organization_id text not null references organizations,
      email text not null unique check (email = lower(email)),
      name text not null,
      time_zone text not null default 'UTC',
      locale text not null default 'en',
      password_hash text,
      state text not null default 'active' check (state in ('active', 'suspended')),
      mfa_secret bytea,
      mfa_pending_secret bytea,
      mfa_last_step bigint,
      last_sign_in_at timestamptz,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id)
    );
    create index users_listing on users (organization_id, created_at desc, id);

    create table roles (
      id text not null,
      organization_id text not null references organizations,
      name text not null,
      description text not null default '',
      permissions text[] not null,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      unique (organization_id, name)
    );

    /* A built-in role is known by its name; a custom one by the id of its row, which the rules check. */
    create table user_roles (
      organization_id text not null,
      user_id text not null,
      role_id text not null,
      primary key (organization_id, user_id, role_id),
      foreign key (organization_id, user_id) references users on delete cascade
    );
    create index user_roles_by_role on user_roles (organization_id, role_id);

    create table sessions (
      id text not null,
      organization_id text not null,
      user_id text not null,
      token_hash bytea not null unique,
      previous_token_hash bytea unique,
      previous_valid_until timestamptz,
      rotate boolean not null default false,
      ip text not null,
      user_agent text not null,
      created_at timestamptz not null default now(),
      last_seen_at timestamptz not null default now(),
      absolute_expires_at timestamptz not null,
      primary key (organization_id, id),
      foreign key (organization_id, user_id) references users on delete cascade
    );
    create index sessions_of_user on sessions (organization_id, user_id);

    create table password_resets (
      id text not null,
      organization_id text not null,
      user_id text not null,
      token_hash bytea not null unique,
      expires_at timestamptz not null,
      used_at timestamptz,
      created_at timestamptz not null default now(),
      primary key (organization_id, id),
      foreign key (organization_id, user_id) references users on delete cascade
    );

    create table mfa_recovery_codes (
      organization_id text not null,
      user_id text not null,
      code_hash bytea not null,
      used_at timestamptz,
      primary key (organization_id, user_id, code_hash),
      foreign key (organization_id, user_id) references users on delete cascade
    );

    create table invitations (
      id text not null,
      organization_id text not null references organizations,
      email text not null,
      name text not null,
      role_ids text[] not null,
      token_hash bytea not null unique,
      state text not null default 'pending' check (state in ('pending', 'accepted', 'withdrawn')),
      invited_by text not null,
      expires_at timestamptz not null,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id)
    );
    create unique index invitations_pending on invitations (organization_id, email) where state = 'pending';

    create table service_accounts (
      id text not null,
      organization_id text not null references organizations,
      name text not null,
      description text not null default '',
      permissions text[] not null,
      state text not null default 'active' check (state in ('active', 'suspended')),
      /* Who may be behind its calls: the users that made it or issued a token of it. */
      owner_ids text[] not null,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      unique (organization_id, name)
    );

    create table service_account_tokens (
      id text not null,
      organization_id text not null,
      service_account_id text not null,
      name text not null,
      prefix text not null,
      token_hash bytea not null unique,
      expires_at timestamptz,
      last_used_at timestamptz,
      revoked_at timestamptz,
      created_at timestamptz not null default now(),
      primary key (organization_id, id),
      foreign key (organization_id, service_account_id) references service_accounts on delete cascade
    );

    /* Attempts in the present window that did not succeed, by account and by address. */
    create table sign_in_windows (
      key text primary key,
      window_start timestamptz not null,
      failures integer not null,
      blocked_until timestamptz not null
    );

    create table environments (
      id text not null,
      organization_id text not null references organizations,
      name text not null,
      display_name text not null,
      description text not null default '',
      production boolean not null,
      host_names text[] not null default '{}',
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      unique (organization_id, name)
    );

    create table environment_variables (
      organization_id text not null,
      environment_id text not null,
      name text not null,
      secret boolean not null,
      value text,
      sealed_value bytea,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, environment_id, name),
      foreign key (organization_id, environment_id) references environments on delete cascade,
      check (secret = (sealed_value is not null) and secret = (value is null))
    );

    create table target_servers (
      id text not null,
      organization_id text not null references organizations,
      environment_id text not null,
      name text not null,
      description text not null default '',
      scheme text not null check (scheme in ('http', 'https')),
      host text not null,
      port integer not null check (port between 1 and 65535),
      /* Of the calls, beside those of the further endpoints. */
      weight integer not null default 1 check (weight between 1 and 100),
      enabled boolean not null default true,
      health_path text,
      /* Further hosts that share its calls: host, port, weight. */
      endpoints jsonb not null default '[]',
      /* Name to ask for and to verify; PEM of its authorities and of the certificate that the gateway shows. */
      tls_server_name text,
      tls_certificate_authorities text,
      tls_client_certificate text,
      sealed_tls_client_key bytea,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      unique (organization_id, environment_id, name),
      foreign key (organization_id, environment_id) references environments
    );
    create index target_servers_by_name on target_servers (organization_id, name);

    create table proxies (
      id text not null,
      organization_id text not null references organizations,
      name text not null,
      display_name text not null,
      description text not null default '',
      base_path text not null,
      protocol text not null,
      auth_scheme text not null,
      tags text[] not null default '{}',
      stage text not null default 'draft'
        check (stage in ('draft', 'review', 'approved', 'published', 'deprecated', 'retired')),
      /* Of the working copy, kept by every write of it. */
      content_hash text not null,
      /* What was approved; null where nothing is. */
      approved_hash text,
      approved_revision integer,
      latest_revision integer not null default 0,
      created_by text not null,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      /* What a list's search looks at, so that it reads an index alone. */
      search_text text not null generated always as (lower(name || ' ' || display_name || ' ' || base_path)) stored,
      /* A proxy that was deployed stays, with its revisions, and gives its name and base path free. */
      deleted_at timestamptz,
      primary key (organization_id, id)
    );
    create unique index proxies_name on proxies (organization_id, name) where deleted_at is null;
    create unique index proxies_base_path on proxies (organization_id, base_path) where deleted_at is null;
    create index proxies_by_creation on proxies (organization_id, created_at, id) where deleted_at is null;
    create index proxies_by_change on proxies (organization_id, updated_at, id) where deleted_at is null;
    create index proxies_by_stage on proxies (organization_id, stage) where deleted_at is null;
    create index proxies_by_text on proxies (organization_id, search_text) where deleted_at is null;

    /* Users who wrote what stands in the working copy since it was last approved, themselves or by a service account. */
    create table proxy_authors (
      organization_id text not null,
      proxy_id text not null,
      user_id text not null,
      primary key (organization_id, proxy_id, user_id),
      foreign key (organization_id, proxy_id) references proxies on delete cascade
    );

    create table routes (
      id text not null,
      organization_id text not null,
      proxy_id text not null,
      position integer not null,
      method text not null,
      path_pattern text not null,
      target_server text not null,
      target_path text,
      timeout_ms integer,
      summary text not null default '',
      description text not null default '',
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      foreign key (organization_id, proxy_id) references proxies on delete cascade
    );
    create index routes_of_proxy on routes (organization_id, proxy_id, position);
    create index routes_by_target on routes (organization_id, target_server);

    create table policy_templates (
      id text not null,
      organization_id text not null references organizations,
      name text not null,
      description text not null default '',
      kind text not null,
      configuration jsonb not null,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      unique (organization_id, name)
    );

    create table policy_attachments (
      id text not null,
      organization_id text not null,
      proxy_id text not null,
      flow text not null check (flow in ('request', 'response')),
      position integer not null,
      kind text not null,
      name text not null,
      enabled boolean not null default true,
      route_ids text[],
      configuration jsonb not null,
      template_id text,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      foreign key (organization_id, proxy_id) references proxies on delete cascade,
      foreign key (organization_id, template_id) references policy_templates
    );
    create index policies_of_proxy on policy_attachments (organization_id, proxy_id, flow, position);

    create table revisions (
      organization_id text not null,
      proxy_id text not null,
      revision integer not null,
      content jsonb not null,
      content_hash text not null,
      note text not null default '',
      created_by text not null,
      /* Users who wrote its content. */
      author_ids text[] not null,
      /* Cut by an edit of a deployed proxy; the next edit puts another in its place until somebody uses it. */
      automatic boolean not null default false,
      approved_by text,
      approved_at timestamptz,
      first_deployed_at timestamptz,
      created_at timestamptz not null default now(),
      primary key (organization_id, proxy_id, revision),
      foreign key (organization_id, proxy_id) references proxies on delete cascade
    );

    create table specifications (
      id text not null,
      organization_id text not null references organizations,
      proxy_id text,
      title text not null,
      description text not null default '',
      api_version text not null,
      source text not null check (source in ('generated', 'imported', 'uploaded')),
      state text not null default 'draft' check (state in ('draft', 'published')),
      /* json, not jsonb: the order of paths and schemas is the author's. */
      document json not null,
      /* Of the working copy that it was generated from, itself included; another hash there: it is out of date. */
      content_hash text,
      published_document json,
      published_at timestamptz,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      foreign key (organization_id, proxy_id) references proxies on delete cascade
    );
    create index specifications_of_proxy on specifications (organization_id, proxy_id, created_at desc);

    create table governance_standards (
      organization_id text not null references organizations,
      code text not null,
      name text not null,
      description text not null default '',
      severity text not null check (severity in ('error', 'warning', 'information')),
      blocking boolean not null,
      enabled boolean not null,
      /* A Spectral ruleset; null for a built-in rule. */
      ruleset jsonb,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, code)
    );

    create table governance_evaluations (
      organization_id text not null,
      proxy_id text not null,
      content_hash text not null,
      score integer not null check (score between 0 and 100),
      evaluated_at timestamptz not null,
      primary key (organization_id, proxy_id),
      foreign key (organization_id, proxy_id) references proxies on delete cascade
    );

    create table governance_findings (
      id text not null,
      organization_id text not null,
      proxy_id text not null,
      code text not null,
      location text not null,
      message text not null,
      remedy text not null,
      /* What has to be changed, for a link: its kind and id. */
      fix jsonb not null,
      severity text not null,
      blocking boolean not null,
      waiver_id text,
      first_seen_at timestamptz not null default now(),
      primary key (organization_id, id),
      foreign key (organization_id, proxy_id) references proxies on delete cascade
    );
    create unique index findings_of_proxy on governance_findings (organization_id, proxy_id, code, location);
    create index findings_by_waiver on governance_findings (organization_id, waiver_id) where waiver_id is not null;

    create table governance_waivers (
      id text not null,
      organization_id text not null,
      proxy_id text not null,
      code text not null,
      /* Null: every finding of the rule in the proxy. */
      location text,
      reason text not null,
      ends_at timestamptz not null,
      ended_at timestamptz,
      created_by text not null,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      foreign key (organization_id, proxy_id) references proxies on delete cascade
    );

    create table lifecycle_requests (
      id text not null,
      organization_id text not null,
      proxy_id text not null,
      from_stage text not null,
      to_stage text not null,
      state text not null default 'pending' check (state in ('pending', 'approved', 'rejected', 'withdrawn', 'void')),
      note text not null default '',
      revision integer not null,
      content_hash text not null,
      requested_by text not null,
      requested_by_name text not null,
      /* Users that may not approve it: the requester, and who wrote the content. */
      author_ids text[] not null,
      findings jsonb not null,
      diff jsonb not null,
      decided_by text,
      decided_by_name text,
      decided_at timestamptz,
      reason text,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      foreign key (organization_id, proxy_id) references proxies on delete cascade
    );
    create unique index lifecycle_requests_pending on lifecycle_requests (organization_id, proxy_id)
      where state = 'pending';
    create index lifecycle_requests_by_state on lifecycle_requests (organization_id, state, created_at desc);

    create table lifecycle_comments (
      id text not null,
      organization_id text not null,
      request_id text not null,
      author_id text not null,
      author_name text not null,
      text text not null,
      created_at timestamptz not null default now(),
      primary key (organization_id, id),
      foreign key (organization_id, request_id) references lifecycle_requests on delete cascade
    );

    create table lifecycle_moves (
      id text not null,
      organization_id text not null,
      proxy_id text not null,
      from_stage text not null,
      to_stage text not null,
      request_id text,
      moved_by text not null,
      moved_by_name text not null,
      reason text not null default '',
      created_at timestamptz not null default now(),
      primary key (organization_id, id),
      foreign key (organization_id, proxy_id) references proxies on delete cascade
    );

    create table deployments (
      id text not null,
      organization_id text not null,
      environment_id text not null,
      proxy_id text not null,
      revision integer not null,
      strategy text not null check (strategy in ('direct', 'canary')),
      weight integer not null check (weight between 0 and 100),
      state text not null
        check (state in ('pending', 'rolling_out', 'live', 'superseded', 'rolled_back', 'undeployed', 'failed')),
      content_hash text not null,
      /* The deployment that served before, and, after a rollback, what was rolled back from. */
      previous_id text,
      rolled_back_from jsonb,
      diff jsonb not null,
      note text not null default '',
      failure text,
      /* What a canary may cost before it is rolled back; null: it is never rolled back automatically. */
      budget jsonb,
      /* Of the first snapshot that it stands in: nodes that hold this one or a later one serve it. */
      snapshot_sequence integer,
      /* What the revision's content uses, so that a snapshot is compiled without reading contents. */
      base_path text not null,
      target_servers text[] not null,
      variables text[] not null,
      created_by text not null,
      created_by_name text not null,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      ended_at timestamptz,
      primary key (organization_id, id),
      foreign key (organization_id, environment_id) references environments,
      foreign key (organization_id, proxy_id, revision) references revisions
    );
    create index deployments_serving on deployments (organization_id, environment_id, proxy_id)
      where ended_at is null;
    create index deployments_unsettled on deployments (organization_id, environment_id)
      where ended_at is null and state in ('pending', 'rolling_out');
    /* Of those that serve a proxy in an environment, at most one gets all calls. */
    create unique index deployments_whole on deployments (organization_id, environment_id, proxy_id)
      where ended_at is null and weight = 100;
    create index deployments_by_content on deployments (organization_id, environment_id, content_hash)
      where ended_at is null;
    create index deployments_by_base_path on deployments (organization_id, environment_id, base_path)
      where ended_at is null;
    create index deployments_by_creation on deployments (organization_id, created_at desc, id);
    create index deployments_of_revision on deployments (organization_id, proxy_id, revision);

    create table configuration_snapshots (
      organization_id text not null,
      environment_id text not null,
      sequence integer not null,
      content text not null,
      hash text not null,
      signature bytea not null,
      /* Of the secrets that a node of it needs: names, and the hash that is part of the content. */
      secret_names text[] not null,
      secrets_hash text not null,
      created_at timestamptz not null default now(),
      primary key (organization_id, environment_id, sequence),
      foreign key (organization_id, environment_id) references environments on delete cascade
    );

    create table notifications (
      id text not null,
      organization_id text not null,
      user_id text not null,
      kind text not null,
      title text not null,
      link text,
      read_at timestamptz,
      created_at timestamptz not null default now(),
      primary key (organization_id, id),
      foreign key (organization_id, user_id) references users on delete cascade
    );
    create index notifications_of_user on notifications (organization_id, user_id, created_at desc);

    create table idempotency_keys (
      organization_id text not null,
      caller_id text not null,
      key text not null,
      operation text not null,
      request_hash bytea not null,
      status integer,
      sealed_answer bytea,
      created_at timestamptz not null default now(),
      primary key (organization_id, caller_id, key)
    );
    create index idempotency_keys_by_age on idempotency_keys (created_at);

    /* What has to happen outside the database because of a commit: mail to send. Worked off as a queue. */
    create table outbox (
      id text not null,
      organization_id text not null,
      kind text not null,
      sealed_payload bytea not null,
      state text not null default 'queued' check (state in ('queued', 'processing', 'done', 'failed')),
      attempts integer not null default 0,
      run_at timestamptz not null default now(),
      error text,
      created_at timestamptz not null default now(),
      primary key (organization_id, id)
    );
    create index outbox_due on outbox (run_at) where state in ('queued', 'processing');

    create table audit_heads (
      organization_id text primary key,
      sequence bigint not null,
      hash bytea not null,
      seal bytea not null
    );

    create table audit_entries (
      organization_id text not null,
      sequence bigint not null,
      id text not null,
      at timestamptz not null,
      actor_kind text not null check (actor_kind in ('user', 'service_account', 'gateway_node', 'anonymous', 'system')),
      actor_id text,
      actor_name text not null,
      operation text not null,
      entity_type text not null,
      entity_id text,
      category text not null check (category in ('configuration', 'deployment', 'security', 'governance')),
      severity text not null check (severity in ('low', 'medium', 'high')),
      outcome text not null check (outcome in ('done', 'denied', 'failed')),
      ip text not null,
      user_agent text not null,
      request_id text not null,
      note text not null default '',
      /* json, not jsonb: the text that was hashed is the text that is kept. */
      changes json not null,
      hash bytea not null,
      primary key (organization_id, sequence)
    );
    create unique index audit_entries_by_id on audit_entries (organization_id, id);
    create index audit_entries_by_time on audit_entries (organization_id, at, sequence);
    create index audit_entries_by_entity on audit_entries (organization_id, entity_id, at, sequence);
    create index audit_entries_by_entity_type on audit_entries (organization_id, entity_type, at, sequence);
    create index audit_entries_by_actor on audit_entries (organization_id, actor_id, at, sequence);
    create index audit_entries_by_category on audit_entries (organization_id, category, at, sequence);
    create index audit_entries_by_operation on audit_entries (organization_id, operation, at, sequence);
    create index audit_entries_by_severity on audit_entries (organization_id, severity, at, sequence)
      where severity <> 'low';
    create index audit_entries_by_outcome on audit_entries (organization_id, outcome, at, sequence)
      where outcome <> 'done';
  `.execute(database);

  // What was deployed once is what was approved and what a rollback returns to: it never changes again.
  await sql`
    create function refuse_change_of_deployed_revision() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        if old.first_deployed_at is not null then
          raise exception 'revision % of % was deployed and is immutable', old.revision, old.proxy_id
            using errcode = 'restrict_violation';
        end if;
        return old;
      end if;
      -- What was deployed may be approved afterwards; nothing else about it changes.
      if old.first_deployed_at is not null
         and to_jsonb(new) - '{approved_by,approved_at}'::text[]
           is distinct from to_jsonb(old) - '{approved_by,approved_at}'::text[] then
        raise exception 'revision % of % was deployed and is immutable', old.revision, old.proxy_id
          using errcode = 'restrict_violation';
      end if;
      if (new.content::text, new.content_hash, new.revision, new.proxy_id, new.organization_id)
         is distinct from (old.content::text, old.content_hash, old.revision, old.proxy_id, old.organization_id) then
        raise exception 'the content of a revision does not change: cut another'
          using errcode = 'restrict_violation';
      end if;
      return new;
    end $$;
    create trigger revisions_immutable before update or delete on revisions
      for each row execute function refuse_change_of_deployed_revision();

    create function refuse_change_of_audit() returns trigger language plpgsql as $$
    begin
      raise exception 'the audit trail is append-only' using errcode = 'restrict_violation';
    end $$;
    create trigger audit_entries_append_only before update or delete on audit_entries
      for each row execute function refuse_change_of_audit();
    create trigger audit_entries_not_truncated before truncate on audit_entries
      for each statement execute function refuse_change_of_audit();
  `.execute(database);

  const role = sql.ref(serviceRole);
  for (const table of [...tenantTables, 'audit_entries', 'audit_heads'] as const) {
    await isolate(database, table, sql.ref('organization_id'));
  }
  await isolate(database, 'organizations', sql.ref('id'));
  for (const table of tenantTables) {
    await sql`grant select, insert, update, delete on ${sql.table(table)} to ${role}`.execute(database);
  }
  await sql`
    grant select, insert, update, delete on organizations, sign_in_windows to ${role};
    grant select, insert, update on audit_heads to ${role};
    grant select, insert on audit_entries to ${role}`.execute(database);
}
