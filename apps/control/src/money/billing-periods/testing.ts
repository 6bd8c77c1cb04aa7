import assert from 'node:assert/strict';
import { eventually } from '@millrace/eventually';
import { newId } from '@millrace/identifiers';
import { PlanTerms } from '@millrace/pricing';
import { sql } from 'kysely';
import { addApp, addDeveloper, addProduct, done } from '../../consumers/products/testing.ts';
import type { TestCaller, TestControl } from '../../testing.ts';
import { exampleSeller } from '../billing-settings/contract.ts';

export { exampleSeller };

/** The first days of the three months before this one, oldest first, as `2026-01-01`. */
export function pastMonths(): readonly [string, string, string] {
  const now = new Date();
  const firstDay = (back: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 10);
  return [firstDay(3), firstDay(2), firstDay(1)];
}

const buyer = {
  name: 'Example Shops',
  address: { lines: ['12 High Street'], postalCode: 'D02 XY00', city: 'Dublin', countryCode: 'IE' },
};

/** An organization that can bill: a seller, a tax rate of 19 %, and no waiting for late usage. */
export async function setUpBilling(caller: TestCaller, settings: object = {}): Promise<void> {
  await done(caller, 'PATCH', '/billing/settings', { seller: exampleSeller, graceHours: 0, ...settings });
  const tax = { name: 'VAT', ratePercent: '19', registrationId: null };
  await done(caller, 'PATCH', `/organizations/${caller.organizationId}/settings`, { tax });
}

/** Who is billed, for what. */
export interface BilledSubscription {
  readonly developerId: string;
  readonly appId: string;
  readonly productId: string;
  readonly subscriptionId: string;
  readonly ratePlanId: string;
  readonly termId: string;
}

/** A published plan with these terms; its id. */
async function addPlan(
  { opened }: TestControl,
  organizationId: string,
  productId: string,
  terms: object,
): Promise<string> {
  const id = newId('rpl');
  const json = JSON.stringify(PlanTerms.parse({ type: 'pay_as_you_go', currency: 'EUR', ...terms }));
  await sql`
    with plan as (
      insert into rate_plans (id, organization_id, product_id, name, display_name, state, terms)
      values (${id}, ${organizationId}, ${productId}, ${id.replace('_', '-')}, 'Standard', 'published', ${json}::jsonb))
    insert into rate_plan_versions (organization_id, rate_plan_id, plan_version, display_name, description, terms)
    values (${organizationId}, ${id}, 1, 'Standard', '', ${json}::jsonb)`.execute(opened.database.system);
  return id;
}

/** A developer's term on a plan of its own, as if it had been subscribed at that time. */
export async function addBilled(
  control: TestControl,
  caller: TestCaller,
  terms: object,
  {
    startsAt,
    endsAt = null,
    developerId,
  }: { readonly startsAt: string; readonly endsAt?: string | null; readonly developerId?: string },
): Promise<BilledSubscription> {
  const productId = await addProduct(caller);
  const ratePlanId = await addPlan(control, caller.organizationId, productId, terms);
  const owner = developerId ?? (await addDeveloper(caller, { billing: buyer }));
  const appId = await addApp(caller, owner);
  const subscription = { developerId: owner, appId, productId, subscriptionId: newId('sub'), ratePlanId };
  const termId = await addTerm(control, caller.organizationId, subscription, { startsAt, endsAt });
  return { ...subscription, termId };
}

export async function addTerm(
  { opened }: TestControl,
  organizationId: string,
  of: Omit<BilledSubscription, 'termId'>,
  { startsAt, endsAt = null, planVersion = 1 }: { startsAt: string; endsAt?: string | null; planVersion?: number },
): Promise<string> {
  const id = newId('trm');
  await sql`
    insert into subscription_terms (id, organization_id, subscription_id, developer_id, app_id, app_name, product_id,
      rate_plan_id, plan_version, starts_at, ends_at)
    values (${id}, ${organizationId}, ${of.subscriptionId}, ${of.developerId}, ${of.appId}, 'Shop', ${of.productId},
      ${of.ratePlanId}, ${planVersion}, ${startsAt}, ${endsAt})`.execute(opened.database.system);
  return id;
}

/** Calls of a term at a time, as a gateway node reports them: late if the time is closed already. */
export async function addCalls(
  { opened }: TestControl,
  organizationId: string,
  { termId, appId, productId }: Pick<BilledSubscription, 'termId' | 'appId' | 'productId'>,
  calls: {
    readonly at: string;
    readonly requests: number;
    readonly statusClass?: number;
    readonly proxyId?: string;
    readonly units?: string;
  },
): Promise<void> {
  const { at, requests, statusClass = 2, proxyId = 'prx_1', units = '0' } = calls;
  await sql`
    with closing as (select coalesce((select closed_until from usage_closings where organization_id = ${organizationId}),
      '-infinity') as until), metered as (
      insert into metered_usage as present (organization_id, term_id, quarter, environment_id, proxy_id, status_class,
        late_after, requests, request_bytes, response_bytes, units, without_units, unreadable_units)
      select ${organizationId}, ${termId}, date_bin('15 minutes', ${at}::timestamptz, '2000-01-01'), 'env_1', ${proxyId},
        ${statusClass}, case when ${at}::timestamptz < until then until else '-infinity' end, ${requests}, 0, 0, ${units}, 0, 0
      from closing
      on conflict (organization_id, term_id, quarter, environment_id, proxy_id, status_class, late_after)
      do update set requests = present.requests + excluded.requests, units = present.units + excluded.units)
    insert into traffic_aggregates as present (organization_id, hour, environment_id, proxy_id, app_id, product_id, country,
      requests, status_2xx, status_3xx, status_4xx, status_5xx, limited, request_bytes, response_bytes, gateway_time,
      target_time)
    values (${organizationId}, date_trunc('hour', ${at}::timestamptz), 'env_1', ${proxyId}, ${appId}, ${productId}, 'DE',
      ${requests}, ${requests}, 0, 0, 0, 0, 0, 0, '{}', '{}')
    on conflict (organization_id, hour, environment_id, proxy_id, app_id, product_id, country)
    do update set requests = present.requests + excluded.requests`.execute(opened.database.system);
}

/** Opens the periods since a day. */
export async function openPeriods(caller: TestCaller, firstDay: string): Promise<string> {
  return (await done(caller, 'POST', '/billing/periods', { firstDay })).id;
}

/** Closes the oldest period that is not closed; its data once all invoices are made. */
export async function closeNext(caller: TestCaller) {
  const { periods } = await done(caller, 'GET', '/billing/periods?state=open&sort=startsAt');
  const { id } = periods[0];
  const closing = await done(caller, 'POST', `/billing/periods/${id}/close`, { ignoreNodesBehind: true });
  assert.ok(['closing', 'closed'].includes(closing.state));
  return closedPeriod(caller, id);
}

/** Waits until a period that is being closed is closed. */
async function closedPeriod(caller: TestCaller, id: string) {
  return eventually(`the period ${id} to be closed`, async () => {
    const period = await done(caller, 'GET', `/billing/periods/${id}`);
    return period.state === 'closed' && period;
  });
}

/** All invoices of a period, with their lines, by developer and currency. */
export async function invoicesOf(caller: TestCaller, periodId: string) {
  const { invoices } = await done(caller, 'GET', `/billing/invoices?periodId=${periodId}&pageSize=100`);
  const whole = await Promise.all(
    invoices.map(({ id }: { id: string }) => done(caller, 'GET', `/billing/invoices/${id}`)),
  );
  return whole.toSorted((first, second) =>
    `${first.developerId} ${first.currency}` < `${second.developerId} ${second.currency}` ? -1 : 1,
  );
}
