import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createSealer } from '@millrace/encryption';
import { newSealingKeys } from '@millrace/gateway-configuration/sealing';
import { newId } from '@millrace/identifiers';
import { tenantTransaction } from '@millrace/postgres';
import { hashPassword } from '@millrace/sign-in/passwords';
import { startTestProvider, type TestProvider } from '@millrace/sign-in/provider-testing';
import { newSecret } from '@millrace/sign-in/secrets';
import { sql } from 'kysely';
import { Client } from 'pg';
import { createKeySealers } from '../consumers/apps/key-sealers.ts';
import { exampleDeveloperBilling } from '../consumers/developers/billing.ts';
import { nodeTokenPrefix, portalSessionCookieName, sessionCookieName } from '../frame/authenticate.ts';
import { type PortalRole, portalRoles } from '../frame/operation.ts';
import { type BuiltInRoleId, builtInRoles, type Permission } from '../frame/permissions.ts';
import { portalSessions } from '../frame/sessions.ts';
import { exampleSeller } from '../money/billing-settings/contract.ts';
import { exampleInvoiceWithLines } from '../money/invoices/contract.ts';
import { examplePng } from '../portal/settings/contract.ts';
import type { TestControl } from '../testing.ts';
import { exampleIncident } from '../watch/incidents/contract.ts';
import { applyAlerts } from '../watch/incidents/transitions.ts';
import { secretContext } from '../watch/integrations/store.ts';
import { exampleSilence } from '../watch/silences/contract.ts';
import { type Answer, examplePassword, send } from './requests.ts';

/** Somebody of an organization, one for each built-in role, and Robin, whose e-mail address and password the examples have. */
export type Person = BuiltInRoleId | 'robin';

/** Somebody who signs in to an organization's developer portal. */
export type PortalPerson = PortalRole | 'other' | 'suspended';

const portalPersons: readonly PortalPerson[] = [...portalRoles, 'other', 'suspended'];

/** Who calls: the headers that prove it, and the id that the audit trail has. */
export interface Caller {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** An organization with one of everything. */
export interface FullOrganization {
  /** Distinguishes its e-mail addresses and names from those of the others. */
  readonly key: string;
  readonly id: string;
  readonly people: Readonly<Record<Person, Caller>>;
  /**
   * Who is signed in to its developer portal: one of each role for Sam's developer account, the owner of another account,
   * and the owner of a suspended one.
   */
  readonly portal: Readonly<Record<PortalPerson, Caller>>;
  /** A gateway node of its environment, which has registered and never reported. */
  readonly node: Caller;
  /** The real id of each example's id. */
  readonly ids: ReadonlyMap<string, string>;
  call(person: Person, method: string, path: string, body?: unknown): Promise<Answer>;
}

/** Nobody listens there. */
const exampleWebhook = {
  name: 'Pager webhook',
  settings: { kind: 'webhook', url: 'http://127.0.0.1:1024/hook' },
};

const ruleset = 'rules: {titled: {given: $.info, severity: warn, then: {field: title, function: truthy}}}';

const roleIds = Object.keys(builtInRoles) as readonly BuiltInRoleId[];

/** The address of the person whom an example calls so. */
function addressIn(key: string, localPart: string): string {
  return `${localPart}.${key}@example.com`;
}

/** A service account with exactly these permissions. */
export async function addServiceAccount(
  { opened }: TestControl,
  organizationId: string,
  permissions: readonly Permission[],
): Promise<Caller> {
  const id = newId('sva');
  const { secret, hash } = newSecret('mrs_');
  const { system } = opened.database;
  await sql`
    with account as (
      insert into service_accounts (id, organization_id, name, permissions, owner_ids)
      values (${id}, ${organizationId}, ${id}, ${permissions}::text[], ${['usr_elsewhere']}::text[]))
    insert into service_account_tokens (id, organization_id, service_account_id, name, prefix, token_hash)
    values (${newId('tok')}, ${organizationId}, ${id}, 'Test', ${secret.slice(0, 10)}, ${hash})`.execute(system);
  return { id, headers: { authorization: `Bearer ${secret}` } };
}

let provider: Promise<TestProvider> | undefined;

/** The identity provider of every organization of the fixture. */
export function sharedProvider(): Promise<TestProvider> {
  provider ??= startTestProvider();
  return provider;
}

/** Makes an organization with one of everything through the API, each thing by somebody who may. */
export async function makeOrganization(control: TestControl): Promise<FullOrganization> {
  const key = randomBytes(5).toString('hex');
  const id = await control.addOrganization(`full-${key}`);
  const people = await addPeople(control, id, key);
  const call: FullOrganization['call'] = (person, method, path, body) =>
    send(control.baseUrl, { method, path: `/api${path}`, body, headers: people[person].headers });
  const ids = new Map<string, string>([
    ['org', id],
    ['usr', people.robin.id],
  ]);
  /** Makes one thing and returns the answer's data. */
  const made = async (person: Person, path: string, body: object, method = 'POST') => {
    const { status, json } = await call(person, method, path, body);
    assert(status < 300, `the fixture's ${method} ${path} was answered ${status}: ${JSON.stringify(json)}`);
    return json.data;
  };

  const admin = 'organization_administrator';
  ids.set('env', (await made(admin, '/environments', { name: 'test', displayName: 'Test' })).id);
  const environmentId = ids.get('env');
  await made(admin, `/environments/${environmentId}/variables/UPSTREAM_REGION`, { value: 'eu-central' }, 'PUT');
  const target = { environmentId, name: 'orders-backend', scheme: 'http', host: 'localhost', port: 9 };
  ids.set('tgt', (await made(admin, '/target-servers', target)).id);
  const proxy = { name: 'orders', displayName: 'Orders', basePath: '/v1/orders', authScheme: 'api_key' };
  ids.set('prx', (await made('developer', '/proxies', { ...proxy, description: 'Orders and their lines' })).id);
  const ofProxy = `/proxies/${ids.get('prx')}`;
  const route = { method: 'GET', pathPattern: '/{orderId}', targetServer: 'orders-backend', timeoutMs: 5_000 };
  const described = { summary: 'Show an order', description: 'Shows one order with its lines.' };
  ids.set('rte', (await made('developer', `${ofProxy}/routes`, { ...route, ...described })).id);
  ids.set('pol', (await made('developer', `${ofProxy}/policies`, { kind: 'verify-api-key' })).id);
  const template = { name: 'partner-limit', kind: 'spike-arrest' };
  const configuration = { ratePerSecond: 100, burst: 20, per: 'app', mode: 'fast' };
  ids.set('tpl', (await made('developer', '/policy-templates', { ...template, configuration })).id);
  ids.set('spc', (await made('developer', `${ofProxy}/specifications`, {})).id);
  await made(admin, '/governance/standards', { code: 'CUS-001', name: 'Titled', ruleset });
  const endsAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const waiver = { proxyId: ids.get('prx'), code: 'REL-001', reason: 'Until the batch is replaced.', endsAt };
  ids.set('wvr', (await made(admin, '/governance/waivers', waiver)).id);
  await made('developer', `${ofProxy}/revisions`, { note: 'First' });
  const deployed = { proxyId: ids.get('prx'), environmentId, revision: 1 };
  ids.set('dep', (await made('developer', '/deployments', deployed)).id);
  await made('developer', `${ofProxy}`, { tags: ['sales'], description: 'Orders, their lines and more' }, 'PATCH');
  await made('developer', `${ofProxy}/governance/evaluate`, {});
  const request = await made('developer', `${ofProxy}/lifecycle/requests`, { toStage: 'approved', note: 'First' });
  ids.set('lcr', request.id);
  const ofRequest = `/lifecycle/requests/${request.id}/comments`;
  ids.set('cmt', (await made('auditor', ofRequest, { text: 'Why so long?' })).id);
  await addConsumers(control, id, key, ids, made);
  await addInvoice(control, id, ids, made);
  const portal = await addPortalUsers(control, id, key, ids, made);
  await addPortalContent(key, ids, made);
  await addWatched(ids, made);
  const node = await made(admin, '/gateway-nodes', { environmentId, name: 'frankfurt-1' });
  ids.set('gwn', node.id);
  const registration = { registrationToken: node.registrationToken, publicKey: newSealingKeys().publicKey };
  const { nodeToken } = await made(admin, '/gateway/registrations', registration);
  ids.set('itg', (await made(admin, '/integrations', exampleWebhook)).id);
  ids.set('idl', newId('idl'));
  await sql`insert into integration_deliveries (id, organization_id, integration_id, notification_id, kind, subject_type,
      subject_id, data, state, due_at, run_at)
    values (${ids.get('idl')}, ${id}, ${ids.get('itg')}, 'first', 'deployment.failed', 'deployment', ${ids.get('dep')}, '{}',
      'failed', now(), now())`.execute(control.opened.database.system);
  ids.set('inc', await addIncident(control, id, ids));
  const { issuer, clientId } = await sharedProvider();
  const signsIn = { name: 'Example ID', issuer, clientId, clientSecret: null };
  await made(admin, '/identity-provider', { ...signsIn, createsUsers: true, defaultRoleIds: ['developer'] }, 'PUT');
  const signsInToPortal = { ...signsIn, emailDomains: [`${key}.example.com`] };
  await made(admin, `/developers/${ids.get('dev')}/identity-provider`, signsInToPortal, 'PUT');
  ids.set('sct', (await made(admin, '/scim-tokens', { name: 'Example ID' })).id);
  const role = { name: 'Release manager', permissions: ['proxy.read', 'deployment.read', 'deployment.write'] };
  ids.set('pch', await hold(control, id, environmentId, made));
  ids.set('rol', (await made(admin, '/roles', role)).id);
  const account = { name: 'Release pipeline', permissions: ['proxy.read', 'deployment.read', 'deployment.write'] };
  ids.set('sva', (await made(admin, '/service-accounts', account)).id);
  ids.set('tok', (await made(admin, `/service-accounts/${ids.get('sva')}/tokens`, { name: 'Build server' })).id);
  const invited = { email: addressIn(key, 'kim'), name: 'Kim Example', roleIds: ['developer'] };
  ids.set('inv', (await made(admin, '/invitations', invited)).id);
  const view = { name: 'Errors today', section: 'errors', query: { range: '24h' }, shared: true };
  ids.set('avw', (await made(admin, '/analytics/views', view)).id);
  const entries = await call('auditor', 'GET', '/audit?pageSize=1');
  ids.set('aud', entries.json.data.entries[0].id);
  const { system } = control.opened.database;
  ids.set('ntf', newId('ntf'));
  await sql`insert into notifications (id, organization_id, user_id, kind, title)
    values (${ids.get('ntf')}, ${id}, ${people.robin.id}, 'test', 'Look at this')`.execute(system);
  ids.set('fnd', await firstId(control, id, 'governance_findings'));
  ids.set('mov', await firstId(control, id, 'lifecycle_moves'));
  const session = await sql<{ id: string }>`select id from sessions
    where organization_id = ${id} and user_id = ${people.robin.id}`.execute(system);
  ids.set('ses', session.rows[0]!.id);
  return { key, id, people, portal, node: nodeCaller(node.id, nodeToken), ids: exampleIds(ids), call };
}

/** An open incident of a rule that nobody is notified of. */
async function addIncident(
  { opened }: TestControl,
  organizationId: string,
  ids: ReadonlyMap<string, string>,
): Promise<string> {
  const { incidentId } = await tenantTransaction(opened.database, organizationId, (transaction) =>
    applyAlerts(transaction, {
      rule: { ...exampleIncident.rule, integrationIds: [], environmentId: ids.get('env')!, proxyId: ids.get('prx')! },
      group: { environmentId: ids.get('env')! },
      alerts: [
        {
          fingerprint: '0c2f9a3d51e86b74',
          labels: { proxyId: ids.get('prx')!, proxy: 'orders' },
          state: 'firing',
          value: 12.5,
          threshold: 5,
          since: new Date(),
          suppressedBy: null,
          inhibitedBy: null,
        },
      ],
      now: new Date(),
    }),
  );
  assert(incidentId !== null);
  return incidentId;
}

/** A change to production that waits, requested by an operations engineer. */
async function hold(
  { opened }: TestControl,
  organizationId: string,
  environmentId: string | undefined,
  made: (person: Person, path: string, body: object, method?: string) => Promise<{ readonly id: string }>,
): Promise<string> {
  const { system } = opened.database;
  const approval = { requiredFor: ['approved'], productionChanges: true };
  await made('organization_administrator', `/organizations/${organizationId}/settings`, { approval }, 'PATCH');
  const live = { name: 'live', displayName: 'Live', production: true };
  const { id } = await made('operations_engineer', '/environments', live);
  assert(environmentId !== undefined);
  await sql`update organizations set settings = '{}', version = 1 where id = ${organizationId}`.execute(system);
  return id;
}

function nodeCaller(id: string, token: string): Caller {
  return { id, headers: { authorization: `Bearer ${token}` } };
}

/** A product with its plan and a subscription that waits, and the developer, app and credential that it is for. */
async function addConsumers(
  control: TestControl,
  organizationId: string,
  key: string,
  ids: Map<string, string>,
  made: (person: Person, path: string, body: object, method?: string) => Promise<{ readonly id: string }>,
): Promise<void> {
  const admin = 'organization_administrator';
  const product = await made(admin, '/products', { name: 'orders', displayName: 'Orders', public: true });
  ids.set('prd', product.id);
  await made(admin, `/products/${product.id}/proxies/${ids.get('prx')}`, {}, 'PUT');
  await made(admin, `/products/${product.id}/publish`, {});
  const calls = { name: 'calls', meter: 'requests', allowance: '1000', model: 'per_unit', unitPrice: '0.067' };
  const plan = { name: 'standard', displayName: 'Standard', type: 'pay_as_you_go', currency: 'EUR', charges: [calls] };
  ids.set('rpl', (await made(admin, '/rate-plans', { ...plan, productId: product.id })).id);
  await made(admin, `/rate-plans/${ids.get('rpl')}/publish`, {});
  const developer = await made(admin, '/developers', {
    email: addressIn(key, 'sam'),
    name: 'Sam Example',
    billing: exampleDeveloperBilling,
  });
  ids.set('dev', developer.id);
  const app = await made(admin, '/apps', { developerId: developer.id, name: 'shop', displayName: 'Shop' });
  ids.set('app', app.id);
  ids.set('crd', (await made(admin, `/apps/${app.id}/credentials`, { name: 'Production' })).id);
  // Administrators approve it, which who asked for it cannot.
  ids.set('sub', (await made('super_admin', '/subscriptions', { appId: app.id, productId: product.id })).id);
  const { system } = control.opened.database;
  await system
    .insertInto('prepaid_accounts')
    .values({ organization_id: organizationId, subscription_id: ids.get('sub')!, currency: 'EUR' })
    .execute();
  ids.set('trm', newId('trm'));
  await system
    .insertInto('subscription_terms')
    .values({
      id: ids.get('trm')!,
      organization_id: organizationId,
      subscription_id: ids.get('sub')!,
      developer_id: developer.id,
      app_id: app.id,
      app_name: 'Shop',
      product_id: product.id,
      rate_plan_id: ids.get('rpl')!,
      plan_version: 1,
      starts_at: new Date(),
      ends_at: new Date(Date.now() + 1),
    })
    .execute();
  // Administrators approve one that waits, which who asked for it cannot.
  const topUp = await made('super_admin', `/subscriptions/${ids.get('sub')}/top-ups`, { amountMinor: 1_000 });
  ids.set('tup', topUp.id);
  ids.set('pmv', await firstId(control, organizationId, 'prepaid_movements'));
  ids.set('tur', newId('tur'));
  await system
    .insertInto('top_up_requests')
    .values({
      id: ids.get('tur')!,
      organization_id: organizationId,
      developer_id: developer.id,
      subscription_id: ids.get('sub')!,
      amount_minor: 50_000,
      currency: 'EUR',
      note: 'Purchase order 4711',
      requested_by: developer.id,
      requested_by_name: 'Sam Example',
    })
    .execute();
}

/** A seller, and an issued invoice of the present period with one line. */
async function addInvoice(
  { opened }: TestControl,
  organizationId: string,
  ids: Map<string, string>,
  made: (person: Person, path: string, body: object, method?: string) => Promise<{ readonly id: string }>,
): Promise<void> {
  const admin = 'organization_administrator';
  await made(admin, '/billing/settings', { seller: exampleSeller }, 'PATCH');
  ids.set('bpd', (await made(admin, '/billing/periods', {})).id);
  ids.set('ivc', newId('ivc'));
  const { buyer, lines } = exampleInvoiceWithLines;
  const taxes = [{ category: 'AE', rate: '0', basisMinor: 369, taxMinor: 0 }];
  const line = lines[0]!;
  await sql`
    with invoice as (
      insert into invoices (id, organization_id, period_id, developer_id, currency, state, number, number_prefix,
        number_sequence, issue_date, due_date, seller, buyer, tax_category, tax_rate, taxes, lines_minor, tax_minor,
        total_minor)
      values (${ids.get('ivc')}, ${organizationId}, ${ids.get('bpd')}, ${ids.get('dev')}, 'EUR', 'issued', 'OLD-1', 'OLD-', 1,
        '2026-02-01', '2026-02-15', ${JSON.stringify(exampleSeller)}::jsonb, ${JSON.stringify(buyer)}::jsonb, 'AE', '0',
        ${JSON.stringify(taxes)}::jsonb, 369, 0, 369))
    insert into invoice_lines (organization_id, invoice_id, position, subscription_id, term_id, product_id, rate_plan_id,
      plan_version, product_name, plan_name, app_name, kind, charge, meter, is_flat_fee, quantity, unit_price, amount_minor,
      starts_at, ends_at)
    select ${organizationId}, ${ids.get('ivc')}, 1, ${ids.get('sub')}, ${ids.get('trm')}, ${ids.get('prd')},
      ${ids.get('rpl')}, 1, 'Orders', 'Standard', 'Shop', 'usage', 'calls', 'requests', false, ${line.quantity},
      ${line.unitPrice}, 369, starts_at, ends_at
    from billing_periods where organization_id = ${organizationId}`.execute(opened.database.system);
  const credit = { reason: 'Calls of a load test.', credit: { scope: 'amount', totalMinor: 10 } };
  // Administrators approve one that waits, which who asked for it cannot.
  const note = await made('super_admin', `/billing/invoices/${ids.get('ivc')}/credit-notes`, credit);
  ids.set('crn', note.id);
}

/** An open developer portal, and who is signed in to it. Sam, whose address and password the examples have, is the owner. */
async function addPortalUsers(
  { opened }: TestControl,
  organizationId: string,
  key: string,
  ids: Map<string, string>,
  made: (person: Person, path: string, body: object, method?: string) => Promise<{ readonly id: string }>,
): Promise<FullOrganization['portal']> {
  const admin = 'organization_administrator';
  const { system } = opened.database;
  await system.insertInto('portal_settings').values({ organization_id: organizationId, open: true }).execute();
  const callers: Partial<Record<PortalPerson, Caller>> = {};
  for (const person of portalPersons) {
    const isOther = person === 'other' || person === 'suspended';
    const developer = { email: addressIn(key, person), name: `Developer ${person}` };
    const developerId = isOther ? (await made(admin, '/developers', developer)).id : ids.get('dev')!;
    if (person === 'suspended') await made(admin, `/developers/${developerId}/suspend`, {});
    const { secret, hash } = newSecret();
    const id = newId('pus');
    await system
      .insertInto('portal_users')
      .values({
        id,
        organization_id: organizationId,
        developer_id: developerId,
        email: addressIn(key, person === 'owner' ? 'sam' : `portal-${person}`),
        name: person === 'owner' ? 'Sam Example' : `Portal ${person}`,
        role: isOther ? 'owner' : person,
        password_hash: await passwordHash,
      })
      .execute();
    const sessionId = newId('pss');
    await portalSessions.begin(system, organizationId, id, {
      id: sessionId,
      tokenHash: hash,
      address: '127.0.0.1',
      userAgent: 'test',
    });
    callers[person] = { id, headers: { cookie: `${portalSessionCookieName}=${secret}` } };
    if (person === 'owner') ids.set('pus', id).set('pss', sessionId);
  }
  ids.set('piv', newId('piv')).set('prg', newId('prg'));
  const invitedBy = {
    invited_by: callers.owner!.id,
    invited_by_kind: 'portal_user',
    invited_by_name: 'Sam Example',
  } as const;
  await system
    .insertInto('portal_invitations')
    .values({
      id: ids.get('piv')!,
      organization_id: organizationId,
      developer_id: ids.get('dev')!,
      email: addressIn(key, 'kim'),
      role: 'developer',
      token_hash: newSecret().hash,
      ...invitedBy,
      expires_at: new Date(Date.now() + 86_400_000),
    })
    .execute();
  await system
    .insertInto('portal_registrations')
    .values({
      id: ids.get('prg')!,
      organization_id: organizationId,
      email: addressIn(key, 'lee'),
      name: 'Lee Example',
      company: 'Example Freight',
      locale: 'en',
      state: 'pending',
      password_hash: await passwordHash,
      terms_accepted_at: new Date(),
      expires_at: new Date(),
      confirmed_at: new Date(),
    })
    .execute();
  return callers as Record<PortalPerson, Caller>;
}

/** A logo, a guide of which the first of two versions is published, and a domain. */
async function addPortalContent(
  key: string,
  ids: Map<string, string>,
  made: (person: Person, path: string, body: object, method?: string) => Promise<{ readonly id: string }>,
): Promise<void> {
  const admin = 'organization_administrator';
  await made(admin, '/portal-settings/logo', { png: examplePng }, 'PUT');
  const written = { slug: 'first-call', title: 'Your first call', source: '# Key\n', productIds: [ids.get('prd')] };
  ids.set('gde', (await made(admin, '/portal-guides', written)).id);
  await made(admin, `/portal-guides/${ids.get('gde')}/publish`, {});
  await made(admin, `/portal-guides/${ids.get('gde')}`, { source: '# Key and call\n' }, 'PATCH');
  ids.set('pdm', (await made(admin, '/portal-domains', { hostName: `developers-${key}.example.com` })).id);
}

/** An alert rule and a silence. */
async function addWatched(
  ids: Map<string, string>,
  made: (person: Person, path: string, body: object) => Promise<{ readonly id: string }>,
): Promise<void> {
  const admin = 'organization_administrator';
  const watched = { environmentId: ids.get('env'), proxyId: ids.get('prx'), metric: 'error_rate', threshold: 5 };
  ids.set('alr', (await made(admin, '/alert-rules', { name: 'Orders fail', ...watched })).id);
  const silence = { matchers: exampleSilence.matchers, schedule: exampleSilence.schedule };
  ids.set('sil', (await made(admin, '/silences', { comment: 'Database maintenance', ...silence })).id);
}

function exampleIds(byPrefix: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...byPrefix].map(([prefix, id]) => [exampleId(prefix), id]));
}

/** The id that the examples of the reference have of this kind of thing. */
export function exampleId(prefix: string): string {
  return `${prefix}_00000000000000000000000001`;
}

async function firstId({ opened }: TestControl, organizationId: string, table: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}
    where organization_id = ${organizationId} limit 1`.execute(opened.database.system);
  assert(rows[0], `the fixture has no row in ${table}`);
  return rows[0].id;
}

/** The hash of the examples' password is the same everywhere, and costs time once. */
const passwordHash = hashPassword(examplePassword);

async function addPeople(
  control: TestControl,
  organizationId: string,
  key: string,
): Promise<Readonly<Record<Person, Caller>>> {
  const people: Partial<Record<Person, Caller>> = {};
  for (const person of [...roleIds, 'robin'] as const) {
    const { userId, sessionToken } = await control.addUser(organizationId, [person === 'robin' ? 'developer' : person]);
    people[person] = { id: userId, headers: { cookie: `${sessionCookieName}=${sessionToken}` } };
  }
  await sql`update users set email = ${addressIn(key, 'robin')}, name = 'Robin Example', password_hash = ${await passwordHash}
    where id = ${people.robin!.id}`.execute(control.opened.database.system);
  return people as Record<Person, Caller>;
}

/** Copies organizations by one statement each, which takes a fraction of the time of making them. */
export interface Copier {
  /**
   * A copy in which everything has the same id but the organization, its people, service accounts, sessions and tokens.
   * It has no audit trail yet.
   */
  copy(): Promise<FullOrganization>;
  close(): Promise<void>;
}

const copiedTables = [
  'organizations',
  'users',
  'user_roles',
  'roles',
  'identity_providers',
  'scim_tokens',
  'sessions',
  'invitations',
  'service_accounts',
  'service_account_tokens',
  'environments',
  'environment_variables',
  'target_servers',
  'proxies',
  'proxy_authors',
  'routes',
  'policy_templates',
  'policy_attachments',
  'revisions',
  'specifications',
  'governance_standards',
  'governance_evaluations',
  'governance_findings',
  'governance_waivers',
  'lifecycle_requests',
  'lifecycle_comments',
  'lifecycle_moves',
  'production_changes',
  'deployments',
  'configuration_snapshots',
  'notifications',
  'products',
  'product_proxies',
  'rate_plans',
  'rate_plan_versions',
  'developers',
  'portal_settings',
  'portal_stamps',
  'portal_guides',
  'portal_guide_versions',
  'portal_changes',
  'portal_domains',
  'alert_rules',
  'alert_clocks',
  'silences',
  'portal_users',
  'portal_sessions',
  'portal_invitations',
  'portal_registrations',
  'portal_identity_providers',
  'apps',
  'credentials',
  'subscriptions',
  'subscription_terms',
  'prepaid_accounts',
  'prepaid_movements',
  'top_ups',
  'portal_budgets',
  'top_up_requests',
  'recent_requests',
  'billing_settings',
  'billing_periods',
  'billed_terms',
  'usage_sums',
  'invoices',
  'invoice_lines',
  'payments',
  'credit_notes',
  'credit_note_lines',
  'consumer_changes',
  'gateway_heads',
  'gateway_nodes',
  'integrations',
  'integration_states',
  'integration_deliveries',
  'incidents',
  'incident_members',
  'incident_entries',
  'analytics_views',
] as const;

/** A copier of this organization as it is now. */
export async function openCopier(control: TestControl, original: FullOrganization): Promise<Copier> {
  const owner = new Client(control.opened.owner);
  await owner.connect();
  await owner.query(`select set_config('millrace.tenant', '*', false)`);
  const { rows: columns } = await owner.query<{ table: string; columns: string; schema: string }>(`
    select table_name as table, min(table_schema) as schema, string_agg(quote_ident(column_name), ', ') as columns
    from information_schema.columns
    where table_schema not in ('pg_catalog', 'information_schema') and is_generated = 'NEVER' group by table_name`);
  const schema = columns.find(({ table }) => table === 'organizations')!.schema;
  await owner.query(`set search_path to ${schema}`);
  await owner.query('create index on audit_entries (request_id)');
  const tables: Record<string, string> = {};
  for (const table of copiedTables) {
    const key = table === 'organizations' ? 'id' : 'organization_id';
    const { rows } = await owner.query(
      `select coalesce(json_agg(t), '[]')::text as rows from ${table} t where ${key} = $1`,
      [original.id],
    );
    const sealed = sealedColumns[table];
    tables[table] = sealed === undefined ? rows[0].rows : openToCopies(control, original.id, rows[0].rows, sealed);
  }
  const text = Object.values(tables).join();
  // A parameter for each table: of one for all of them, each insertion would parse the whole.
  const insertions = copiedTables.map((table, index) => {
    const names = columns.find((one) => one.table === table)!.columns;
    return `i_${table} as (insert into ${table} (${names})
      select ${names} from json_populate_recordset(null::${table}, $${index + 1}::json))`;
  });
  const statement = { name: 'copy organization', text: `with ${insertions.join(', ')} select 1` };
  const unique = [...new Set(text.match(/\b(?:org|usr|sva|tok|ses|inv|pus|pss)_[0-9a-z]{26}\b/g))];
  const [{ token_hash: nodeHash }] = JSON.parse(tables.gateway_nodes!);
  const hashes = [...new Set(text.match(/\\\\x[0-9a-f]{64}(?=")/g))];

  return {
    copy: async () => {
      const key = randomBytes(5).toString('hex');
      const ids = new Map(unique.map((id) => [id, newId(id.slice(0, 3))]));
      const secrets = new Map(hashes.map((hash) => [hash, newSecret(hash === `\\${nodeHash}` ? nodeTokenPrefix : '')]));
      const sessions = new Map(
        [tables.sessions, tables.portal_sessions]
          .flatMap((rows) => JSON.parse(rows!))
          .map(({ user_id: userId, token_hash: hash }: Record<string, string>) => [
            userId,
            secrets.get(`\\${hash}`)!.secret,
          ]),
      );
      const renamed = (rows: string) =>
        rows
          .replaceAll(/\b(?:org|usr|sva|tok|ses|inv|pus|pss)_[0-9a-z]{26}\b/g, (id) => ids.get(id)!)
          .replaceAll(/\\\\x[0-9a-f]{64}(?=")/g, (hash) => `\\\\x${secrets.get(hash)!.hash.toString('hex')}`)
          .replaceAll(original.key, key);
      await owner.query({ ...statement, values: copiedTables.map((table) => renamed(tables[table]!)) });
      const copyOf = ({ id }: Caller): Caller => ({
        id: ids.get(id)!,
        headers: { cookie: `${sessionCookieName}=${sessions.get(id)}` },
      });
      const people = mapPeople(original.people, copyOf);
      const portal = { ...original.portal };
      for (const person of portalPersons) {
        const { id } = original.portal[person];
        portal[person] = { id: ids.get(id)!, headers: { cookie: `${portalSessionCookieName}=${sessions.get(id)}` } };
      }
      return {
        key,
        id: ids.get(original.id)!,
        people,
        portal,
        node: nodeCaller(original.node.id, secrets.get(`\\${nodeHash}`)!.secret),
        ids: new Map([...original.ids].map(([example, id]) => [example, ids.get(id) ?? id])),
        call: (person, method, path, body) =>
          send(control.baseUrl, { method, path: `/api${path}`, body, headers: people[person].headers }),
      };
    },
    close: () => owner.end(),
  };
}

/** What an organization sealed for itself, by table, and the context that it was sealed with. */
const sealedColumns: Readonly<Record<string, SealedColumn>> = {
  credentials: { column: 'sealed_key', contextOf: (id) => id },
  integrations: { column: 'sealed_secret', contextOf: secretContext },
};

interface SealedColumn {
  readonly column: string;
  contextOf(id: string): string;
}

/** Rows whose secrets are sealed by the service, as they once were: what an organization sealed opens for no other. */
function openToCopies(
  { encryptionKey }: TestControl,
  organizationId: string,
  text: string,
  { column, contextOf }: SealedColumn,
): string {
  const service = createSealer([encryptionKey], 'control secrets');
  const own = createKeySealers(encryptionKey, service)(organizationId);
  const rows: Record<string, string>[] = JSON.parse(text);
  for (const row of rows) {
    const sealed = Buffer.from(row[column]!.slice('\\x'.length), 'hex');
    if (sealed.length === 0) continue;
    const context = contextOf(row.id!);
    row[column] = `\\x${service.seal(own.open(sealed, context), context).toString('hex')}`;
  }
  return JSON.stringify(rows);
}

function mapPeople(people: FullOrganization['people'], change: (caller: Caller) => Caller): FullOrganization['people'] {
  const changed = { ...people };
  for (const person of [...roleIds, 'robin'] as const) changed[person] = change(people[person]);
  return changed;
}

/** Sessions record every call, and governance is evaluated before a write. */
const notDigested: readonly string[] = ['sessions', 'portal_sessions', 'governance_evaluations', 'governance_findings'];

/** A digest of all that the organizations' rows say, but their audit trails and what a call leaves beside its change. */
export async function digestOf({ opened }: TestControl, organizationIds: readonly string[]): Promise<string> {
  const parts = [
    ...copiedTables.filter((table) => !notDigested.includes(table)),
    'password_resets',
    'portal_password_resets',
    'outbox',
  ].map(
    (table) => sql`select ${table} as name, md5(coalesce(string_agg(t::text, '' order by t::text), '')) as digest
      from ${sql.table(table)} t
      where ${sql.ref(table === 'organizations' ? 'id' : 'organization_id')} = any(${organizationIds})`,
  );
  const { rows } = await sql`${sql.join(parts, sql` union all `)}`.execute(opened.database.system);
  return JSON.stringify(rows);
}
