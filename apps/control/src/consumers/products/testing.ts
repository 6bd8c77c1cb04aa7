import assert from 'node:assert/strict';
import { newId } from '@millrace/identifiers';
import { PlanTerms } from '@millrace/pricing';
import { sql } from 'kysely';
import type { TestCaller, TestControl } from '../../testing.ts';

/** The data of a call that has to succeed. */
export async function done(caller: TestCaller, method: string, path: string, body?: object) {
  const { status, data } = await caller.call(method, path, body);
  assert.ok(status < 300, `${method} ${path} was answered ${status}: ${JSON.stringify(data)}`);
  return data;
}

const unique = () => newId('zzz').slice(-10);

/** A published product; its id. */
export async function addProduct(caller: TestCaller, fields: object = {}): Promise<string> {
  const name = `product-${unique()}`;
  const { id } = await done(caller, 'POST', '/products', { name, displayName: name, ...fields });
  await done(caller, 'POST', `/products/${id}/publish`);
  return id;
}

export async function addDeveloper(caller: TestCaller, fields: object = {}): Promise<string> {
  const name = `dev-${unique()}`;
  return (await done(caller, 'POST', '/developers', { email: `${name}@example.com`, name, ...fields })).id;
}

/** Money that was paid in for a developer before it was assigned to subscriptions. */
export async function addUnassigned(
  { opened }: TestControl,
  organizationId: string,
  developerId: string,
  amountMinor: number,
): Promise<void> {
  await opened.database.system
    .insertInto('prepaid_movements')
    .values({
      id: newId('pmv'),
      organization_id: organizationId,
      developer_id: developerId,
      subscription_id: null,
      kind: 'top_up',
      amount_minor: amountMinor,
      currency: 'EUR',
      created_by: 'usr_test',
      created_by_name: 'Test',
    })
    .execute();
}

/** What somebody of a developer account asked to top up in the portal, the newest last. */
export async function addTopUpRequests(
  { opened }: TestControl,
  of: { readonly organizationId: string; readonly developerId: string; readonly subscriptionId: string },
  amountsMinor: readonly number[],
): Promise<void> {
  for (const amountMinor of amountsMinor) {
    await opened.database.system
      .insertInto('top_up_requests')
      .values({
        id: newId('tur'),
        organization_id: of.organizationId,
        developer_id: of.developerId,
        subscription_id: of.subscriptionId,
        amount_minor: amountMinor,
        currency: 'EUR',
        note: 'Purchase order 4711',
        requested_by: 'pus_test',
        requested_by_name: 'Sam Example',
      })
      .execute();
  }
}

/** An app, of a developer of its own where none is given; its id. */
export async function addApp(caller: TestCaller, developerId?: string): Promise<string> {
  const name = `app-${unique()}`;
  const owner = developerId ?? (await addDeveloper(caller));
  return (await done(caller, 'POST', '/apps', { developerId: owner, name, displayName: name })).id;
}

/** An API proxy with as many routes as asked for. */
export async function addProxy(
  { opened }: TestControl,
  organizationId: string,
  routes = 0,
): Promise<{ readonly proxyId: string; readonly routeIds: readonly string[] }> {
  const proxyId = newId('prx');
  const name = `proxy-${unique()}`;
  await opened.database.system
    .insertInto('proxies')
    .values({
      id: proxyId,
      organization_id: organizationId,
      name,
      display_name: name,
      base_path: `/v1/${name}`,
      protocol: 'rest',
      auth_scheme: 'api_key',
      content_hash: '',
      created_by: 'usr_test',
    })
    .execute();
  const routeIds = Array.from({ length: routes }, () => newId('rte'));
  for (const [position, id] of routeIds.entries()) {
    await opened.database.system
      .insertInto('routes')
      .values({
        id,
        organization_id: organizationId,
        proxy_id: proxyId,
        position,
        method: 'GET',
        path_pattern: `/${position}`,
        target_server: 'orders',
      })
      .execute();
  }
  return { proxyId, routeIds };
}

/** A rate plan of a product that charges 0.01 EUR a call; its id. */
export async function addRatePlan(
  { opened }: TestControl,
  organizationId: string,
  productId: string,
  state: 'draft' | 'published' | 'retired',
): Promise<string> {
  const id = newId('rpl');
  const name = `plan-${unique()}`;
  const charges = [{ name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.01' }];
  const terms = JSON.stringify(PlanTerms.parse({ type: 'pay_as_you_go', currency: 'EUR', charges }));
  const { system } = opened.database;
  await system
    .insertInto('rate_plans')
    .values({ id, organization_id: organizationId, product_id: productId, name, display_name: name, state, terms })
    .execute();
  if (state !== 'draft') {
    await system
      .insertInto('rate_plan_versions')
      .values({
        organization_id: organizationId,
        rate_plan_id: id,
        plan_version: 1,
        display_name: name,
        description: '',
        terms,
        published_by: null,
        published_by_name: null,
      })
      .execute();
  }
  return id;
}

/** A row of calls, as gateway nodes report them. */
export async function addTraffic(
  { opened }: TestControl,
  row: {
    readonly organizationId: string;
    readonly appId: string;
    readonly productId: string;
    readonly hour: Date;
    readonly requests: number;
    readonly limited?: number;
  },
): Promise<void> {
  const { requests, limited = 0 } = row;
  await opened.database.system
    .insertInto('traffic_aggregates')
    .values({
      organization_id: row.organizationId,
      hour: row.hour,
      environment_id: newId('env'),
      proxy_id: newId('prx'),
      app_id: row.appId,
      product_id: row.productId,
      country: 'DE',
      requests,
      status_2xx: requests - limited,
      status_3xx: 0,
      status_4xx: limited,
      status_5xx: 0,
      limited,
      request_bytes: requests * 10,
      response_bytes: requests * 100,
      gateway_time: [],
      target_time: [],
    })
    .execute();
}

/** Consumers by kind and id. */
export type Consumers = Readonly<Record<string, unknown>>;

/** What gateway nodes have been sent so far: every consumer that still exists. */
export async function publishedConsumers({ opened }: TestControl, organizationId: string): Promise<Consumers> {
  const { rows } = await sql<{ name: string; value: unknown }>`
    select kind || ' ' || id as name, value from consumer_changes
    where organization_id = ${organizationId} and value is not null`.execute(opened.database.system);
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** What nodes have to know according to the tables, read independently of the code that sends it. */
export async function storedConsumers({ opened }: TestControl, organizationId: string): Promise<Consumers> {
  const { rows } = await sql<{ name: string; value: unknown }>`
    select 'product ' || id as name, jsonb_build_object('id', id, 'name', name, 'active', state = 'active', 'quota', quota,
      'unitsHeader', units_header, 'passUnitsHeader', pass_units_header,
      'proxies', (select coalesce(jsonb_agg(jsonb_build_object('proxyId', b.proxy_id, 'routeIds', to_jsonb(b.route_ids))
                                            order by b.proxy_id collate "C"), '[]')
                  from product_proxies b where b.product_id = p.id and b.organization_id = p.organization_id)) as value
    from products p where organization_id = ${organizationId}
    union all
    select 'developer ' || id, jsonb_build_object('id', id, 'name', name, 'active', state = 'active')
    from developers where organization_id = ${organizationId}
    union all
    select 'app ' || id, jsonb_build_object('id', id, 'name', name, 'developerId', developer_id, 'active', state = 'active')
    from apps where organization_id = ${organizationId}
    union all
    select 'credential ' || id, jsonb_build_object('id', id, 'appId', app_id, 'keyHash', encode(key_hash, 'hex'),
      'previousKeyHash', encode(previous_key_hash, 'hex'),
      'previousValidUntilMs', (extract(epoch from previous_valid_until) * 1000)::bigint,
      'expiresAtMs', (extract(epoch from expires_at) * 1000)::bigint)
    from credentials where organization_id = ${organizationId} and revoked_at is null
    union all
    select 'subscription ' || id, jsonb_build_object('id', id, 'appId', app_id, 'productId', product_id, 'quota', quota,
      'termId', term_id, 'prepaid', null)
    from subscriptions where organization_id = ${organizationId} and state = 'approved'`.execute(
    opened.database.system,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}
