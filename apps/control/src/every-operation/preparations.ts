import assert from 'node:assert/strict';
import { newId } from '@millrace/identifiers';
import { newSecret } from '@millrace/sign-in/secrets';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import type { operations } from '../contracts.ts';
import { allPermissions, builtInRoles, type Permission } from '../frame/permissions.ts';
import type { TestControl } from '../testing.ts';
import { exampleId, type FullOrganization, type Person, type PortalPerson, sharedProvider } from './organizations.ts';
import { examplePassword, send } from './requests.ts';

export type OperationId = (typeof operations)[number]['id'];

/** What an operation's example needs beside the fixture. */
export interface Prepared {
  /** Who calls, where that is not an administrator. */
  readonly person?: Person;
  /** Who calls an operation of the portal that visitors may call too. */
  readonly portalPerson?: PortalPerson;
  /** Replaces the example's own. */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  /** Fields that replace the example's own. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Sent as well, such as the cookie of a browser. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What a domain rule asks for beside the operation's own permission, such as to hold what is given to others. */
  readonly domainPermissions?: readonly Permission[];
  /** Organizations beside the fixture's in which the call may change something. */
  readonly organizationIds?: readonly string[];
}

/** Brings an organization into the state that an operation's example needs. */
type Preparation = (organization: FullOrganization, control: TestControl) => Promise<Prepared>;

const admin = 'organization_administrator';
const robin = async (): Promise<Prepared> => ({ person: 'robin' });

/** Nobody gives what they do not hold, or changes who holds more. */
const holding =
  (...domainPermissions: readonly Permission[]): Preparation =>
  async () => ({ domainPermissions });
const aboutDeveloper = holding(...builtInRoles.developer.permissions);
const releaseManager = ['proxy.read', 'deployment.read', 'deployment.write'] as const;

/** Visitors see the product, with the reference of its API. */
const inCatalog: Preparation = async (organization) => {
  await done(organization, admin, `/products/${idOf(organization, 'prd')}`, { public: true }, 'PATCH');
  await done(organization, 'developer', `/specifications/${idOf(organization, 'spc')}/publish`);
  return {};
};

/** The operations whose example needs more than the fixture, or another caller. */
export const preparations: Partial<Record<OperationId, Preparation>> = {
  changePassword: robin,
  startMfa: robin,
  confirmMfa: async (organization) => ({
    person: 'robin',
    body: {
      oneTimeCode: codeOf((await done(organization, 'robin', '/auth/mfa', { password: examplePassword })).secret),
    },
  }),
  removeMfa: async (organization) => {
    const { secret } = await done(organization, 'robin', '/auth/mfa', { password: examplePassword });
    const { recoveryCodes } = await done(organization, 'robin', '/auth/mfa/confirm', { oneTimeCode: codeOf(secret) });
    return { person: 'robin', body: { oneTimeCode: recoveryCodes[0] } };
  },
  confirmPasswordReset: async ({ id, people }, { opened }) => {
    const { secret, hash } = newSecret();
    await sql`insert into password_resets (id, organization_id, user_id, token_hash, expires_at)
      values (${newId('pwr')}, ${id}, ${people.robin.id}, ${hash}, now() + interval '1 hour')`.execute(
      opened.database.system,
    );
    return { body: { token: secret } };
  },
  endOwnSession: robin,
  acceptInvitation: async ({ id }, { opened }) => {
    const { secret, hash } = newSecret();
    await sql`update invitations set token_hash = ${hash} where organization_id = ${id}`.execute(
      opened.database.system,
    );
    return { body: { token: secret } };
  },
  createOrganization: async ({ key }) => ({ body: { name: `globex-${key}` } }),
  setIdentityProvider: holding(...allPermissions),
  createScimToken: holding(...allPermissions),
  enforceIdentityProvider: async (organization, { opened }) => {
    const [{ id: userId }, robinId] = [organization.people.organization_administrator, organization.people.robin.id];
    await sql`insert into provider_links (organization_id, issuer, subject, user_id, last_sign_in_at)
      select organization_id, issuer, 'admin', ${userId}, now() from identity_providers
      where organization_id = ${organization.id}`.execute(opened.database.system);
    await sql`update users set mfa_secret = '\\x00' where id = ${robinId}`.execute(opened.database.system);
    await sql`insert into user_roles (organization_id, user_id, role_id)
      values (${organization.id}, ${robinId}, 'organization_administrator')`.execute(opened.database.system);
    return { domainPermissions: allPermissions };
  },
  startProviderSignIn: async (organization) => ({ body: { organization: `full-${organization.key}` } }),
  finishProviderSignIn: async (organization, control) => {
    const started = { path: '/auth/provider-sign-ins', body: { organization: `full-${organization.key}` } };
    return signedInThere(control, started, organization.key, `new.${organization.key}@example.com`);
  },
  setPortalIdentityProvider: async ({ key }) => ({ body: { emailDomains: [`${key}.example.com`] } }),
  finishPortalProviderSignIn: async (organization, control) => {
    const path = `/portal/provider-sign-ins?organization=full-${organization.key}`;
    const body = { developerId: idOf(organization, 'dev') };
    return signedInThere(control, { path, body }, `portal ${organization.key}`, `new@${organization.key}.example.com`);
  },
  deleteOrganization: emptyOrganization,
  suspendOrganization: emptyOrganization,
  activateOrganization: async (organization, control) => {
    const prepared = await emptyOrganization(organization, control);
    await sql`update organizations set state = 'suspended' where id = any(${prepared.organizationIds})`.execute(
      control.opened.database.system,
    );
    return prepared;
  },
  activateUser: async (organization, control) => {
    await done(organization, admin, `/users/${organization.people.robin.id}/suspend`);
    return aboutDeveloper(organization, control);
  },
  createUser: aboutDeveloper,
  updateUser: aboutDeveloper,
  deleteUser: aboutDeveloper,
  suspendUser: aboutDeveloper,
  endUserSessions: aboutDeveloper,
  setUserRoles: holding(...builtInRoles.developer.permissions, ...builtInRoles.auditor.permissions),
  createInvitation: aboutDeveloper,
  resendInvitation: aboutDeveloper,
  createRole: holding('incident.read', 'incident.write'),
  updateRole: holding(...releaseManager),
  deleteRole: holding(...releaseManager),
  createServiceAccount: holding('organization.read', 'organization.export'),
  updateServiceAccount: holding(...releaseManager),
  deleteServiceAccount: holding(...releaseManager),
  issueServiceAccountToken: holding(...releaseManager),
  applyOrganization: holding('policy.write'),
  deleteEnvironment: async (organization) => {
    const { id } = await done(organization, admin, '/environments', { name: 'empty', displayName: 'Empty' });
    return { params: { environmentId: id } };
  },
  deleteTargetServer: async (organization) => {
    const environmentId = idOf(organization, 'env');
    const server = { environmentId, name: 'unused', host: 'unused.example', port: 443 };
    return { params: { targetServerId: (await done(organization, admin, '/target-servers', server)).id } };
  },
  enableTargetServer: async (organization) => {
    await done(organization, admin, `/target-servers/${idOf(organization, 'tgt')}/disable`);
    return {};
  },
  deleteProxy: async (organization) => {
    await done(organization, 'developer', `/deployments/${idOf(organization, 'dep')}/undeploy`);
    const bundled = `/products/${idOf(organization, 'prd')}/proxies/${idOf(organization, 'prx')}`;
    await done(organization, admin, bundled, undefined, 'DELETE');
    return {};
  },
  deleteRevision: async (organization) => {
    const { revision } = await done(organization, 'developer', `/proxies/${idOf(organization, 'prx')}/revisions`, {});
    return { params: { proxyId: idOf(organization, 'prx'), revision } };
  },
  unpublishSpecification: async (organization) => {
    await done(organization, 'developer', `/specifications/${idOf(organization, 'spc')}/publish`);
    return {};
  },
  getCatalogProduct: inCatalog,
  getCatalogSpecification: inCatalog,
  downloadCatalogSpecification: inCatalog,
  downloadCatalogCollection: inCatalog,
  getCatalogOperation: inCatalog,
  createLifecycleRequest: async (organization) => {
    await done(organization, 'developer', `/lifecycle/requests/${idOf(organization, 'lcr')}/withdraw`);
    return {};
  },
  deleteAnalyticsView: holding('organization.write'),
  withdrawLifecycleRequest: async () => ({ person: 'developer' }),
  rollBackDeployment: canary,
  promoteDeployment: canary,
  monitorIncident: acknowledged,
  resolveIncident: acknowledged,
  resumeGatewayNode: async (organization) => {
    await done(organization, admin, `/gateway-nodes/${idOf(organization, 'gwn')}/drain`);
    return {};
  },
  registerGatewayNode: async (organization) => {
    const { registrationToken } = await done(organization, admin, `/gateway-nodes/${idOf(organization, 'gwn')}/token`);
    return { body: { registrationToken } };
  },
  withdrawProductionChange: async ({ id, people }, { opened }) => {
    // Whoever calls in the cells: the requester, and service accounts behind which somebody elsewhere stands.
    const authorKeys = [people.operations_engineer.id, 'usr_elsewhere'];
    await sql`update production_changes set author_keys = ${authorKeys}::text[] where organization_id = ${id}`.execute(
      opened.database.system,
    );
    return { person: 'operations_engineer' };
  },
  deletePortalApp: async ({ id }, { opened }) => {
    await sql`update prepaid_accounts set credit_micro = 0 where organization_id = ${id}`.execute(
      opened.database.system,
    );
    return {};
  },
  deleteProduct: async (organization) => {
    const product = { name: 'unused', displayName: 'Unused' };
    return { params: { productId: (await done(organization, admin, '/products', product)).id } };
  },
  publishProduct: async (organization) => {
    await done(organization, admin, `/products/${idOf(organization, 'prd')}/unpublish`);
    return {};
  },
  activateProduct: async (organization) => {
    await done(organization, admin, `/products/${idOf(organization, 'prd')}/suspend`);
    return {};
  },
  deleteDeveloper: async (organization) => {
    const developer = { email: `gone.${organization.key}@example.com`, name: 'Gone' };
    return { params: { developerId: (await done(organization, admin, '/developers', developer)).id } };
  },
  activateDeveloper: async (organization) => {
    await done(organization, admin, `/developers/${idOf(organization, 'dev')}/suspend`);
    return {};
  },
  activateApp: async (organization) => {
    await done(organization, admin, `/apps/${idOf(organization, 'app')}/suspend`);
    return {};
  },
  createSubscription: async (organization) => {
    const reason = { reason: 'Another one takes its place.' };
    await done(organization, admin, `/subscriptions/${idOf(organization, 'sub')}/reject`, reason);
    return {};
  },
  subscribeInPortal: async (organization) => {
    const reason = { reason: 'Another one takes its place.' };
    await done(organization, admin, `/subscriptions/${idOf(organization, 'sub')}/reject`, reason);
    return {};
  },
  revokeSubscription: async (organization) => {
    await done(organization, admin, `/subscriptions/${idOf(organization, 'sub')}/approve`);
    return {};
  },
  removeSubscriptionQuota: async (organization) => {
    const quota = { limit: 5, window: { unit: 'day', count: 1 } };
    await done(organization, admin, `/subscriptions/${idOf(organization, 'sub')}/quota`, quota, 'PUT');
    return {};
  },
  confirmRegistration: async ({ id, key }, { opened }) => {
    const { secret, hash } = newSecret();
    await sql`insert into portal_registrations
        (id, organization_id, email, name, company, locale, token_hash, browser_hash, password_hash, terms_accepted_at, expires_at)
      select ${newId('prg')}, ${id}, ${`noor.${key}@example.com`}, 'Noor', '', 'en', ${hash}, ${newSecret().hash}, password_hash,
        now(), now() + interval '1 hour'
      from portal_users where organization_id = ${id} limit 1`.execute(opened.database.system);
    return { body: { token: secret, password: examplePassword } };
  },
  confirmPortalPasswordReset: async ({ id, portal }, { opened }) => {
    const { secret, hash } = newSecret();
    await sql`insert into portal_password_resets (id, organization_id, user_id, token_hash, expires_at)
      values (${newId('pwr')}, ${id}, ${portal.owner.id}, ${hash}, now() + interval '1 hour')`.execute(
      opened.database.system,
    );
    return { body: { token: secret } };
  },
  confirmPortalMfa: async (organization, control) => {
    const { secret } = await doneInPortal(organization, control, '/portal/mfa', { password: examplePassword });
    return { body: { oneTimeCode: codeOf(secret) } };
  },
  removePortalMfa: async (organization, control) => {
    const { secret } = await doneInPortal(organization, control, '/portal/mfa', { password: examplePassword });
    const confirmed = { oneTimeCode: codeOf(secret) };
    const { recoveryCodes } = await doneInPortal(organization, control, '/portal/mfa/confirm', confirmed);
    return { body: { oneTimeCode: recoveryCodes[0] } };
  },
  acceptPortalInvitation: async ({ id }, { opened }) => {
    const { secret, hash } = newSecret();
    await sql`update portal_invitations set token_hash = ${hash} where organization_id = ${id}`.execute(
      opened.database.system,
    );
    return { body: { token: secret } };
  },
  updatePortalUser: aboutMember,
  removePortalUser: aboutMember,
  leavePortalAccount: async ({ id, portal }, { opened }) => {
    await sql`insert into portal_users (id, organization_id, developer_id, email, name, role)
      select ${newId('pus')}, organization_id, developer_id, 'second-owner@example.com', name, 'owner' from portal_users
      where organization_id = ${id} and id = ${portal.owner.id}`.execute(opened.database.system);
    return {};
  },
  activateDeveloperPortalUser: async (organization) => {
    const user = `/developers/${idOf(organization, 'dev')}/portal-users/${idOf(organization, 'pus')}`;
    await done(organization, admin, `${user}/suspend`);
    return {};
  },
  closeBillingPeriod: async ({ id }, { opened }) => {
    await sql`update billing_periods set ends_at = now() - interval '1 day', starts_at = now() - interval '9 days'
      where organization_id = ${id}`.execute(opened.database.system);
    // The service opens it itself otherwise, at any time.
    await sql`insert into billing_periods (id, organization_id, unit, time_zone, starts_at, ends_at)
      select ${newId('bpd')}, organization_id, unit, time_zone, ends_at, ends_at + interval '30 days' from billing_periods
      where organization_id = ${id}`.execute(opened.database.system);
    return { body: { ignoreGrace: true } };
  },
  approveCreditNote: pendingCreditNote,
  rejectCreditNote: pendingCreditNote,
  approveTopUp: pendingTopUp,
  rejectTopUp: pendingTopUp,
  voidInvoice: async ({ id }, { opened }) => {
    await sql`delete from credit_notes where organization_id = ${id}`.execute(opened.database.system);
    return {};
  },
  issueInvoice: async ({ id }, { opened }) => {
    await sql`update invoices set state = 'draft', number = null, number_prefix = null, number_sequence = null,
        issue_date = null, due_date = null where organization_id = ${id}`.execute(opened.database.system);
    return {};
  },
  openBillingPeriod: async ({ id }, { opened }) => {
    await sql`delete from credit_notes where organization_id = ${id}`.execute(opened.database.system);
    await sql`delete from invoices where organization_id = ${id}`.execute(opened.database.system);
    await sql`delete from billing_periods where organization_id = ${id}`.execute(opened.database.system);
    // While there are terms, the service opens periods itself.
    await sql`delete from subscription_terms where organization_id = ${id}`.execute(opened.database.system);
    return { body: { firstDay: `${new Date().getUTCFullYear()}-01-01` } };
  },
  sendPortalTry: async (organization, { opened }) => {
    await done(organization, 'developer', `/specifications/${idOf(organization, 'spc')}/publish`);
    // Nothing listens there: the answer says so.
    const heartbeat = JSON.stringify({ address: 'http://127.0.0.1:9', ready: true, drain: 'none' });
    await sql`update gateway_nodes set heartbeat = ${heartbeat}::jsonb, last_heartbeat_at = now() + interval '1 hour'
      where organization_id = ${organization.id}`.execute(opened.database.system);
    await sql`update deployments set state = 'live', live_at = now()
      where organization_id = ${organization.id}`.execute(opened.database.system);
    return { portalPerson: 'owner', body: { credentialId: idOf(organization, 'crd') } };
  },
  deleteRatePlan: async (organization) => {
    const charges = [{ name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '1' }];
    const terms = { type: 'pay_as_you_go', currency: 'EUR', charges };
    const plan = { productId: idOf(organization, 'prd'), name: 'unused', displayName: 'Unused', ...terms };
    return { params: { ratePlanId: (await done(organization, admin, '/rate-plans', plan)).id } };
  },
  publishRatePlan: async (organization) => {
    await done(organization, admin, `/rate-plans/${idOf(organization, 'rpl')}`, { maximumSpend: '500' }, 'PATCH');
    return { body: { appliesToSubscribersFrom: `${new Date().getUTCFullYear() + 1}-01-01T00:00:00.000Z` } };
  },
};

/** Not the last owner, whom the example is about. */
async function aboutMember({ portal }: FullOrganization): Promise<Prepared> {
  return { params: { portalUserId: portal.developer.id } };
}

async function pendingCreditNote({ id }: FullOrganization, { opened }: TestControl): Promise<Prepared> {
  // Whoever calls in the cells: administrators, and service accounts behind which somebody elsewhere stands.
  await sql`update credit_notes set state = 'pending', number = null, number_prefix = null, number_sequence = null,
      issue_date = null where organization_id = ${id}`.execute(opened.database.system);
  return {};
}

async function acknowledged(organization: FullOrganization): Promise<Prepared> {
  await done(organization, admin, `/incidents/${idOf(organization, 'inc')}/acknowledge`);
  return {};
}

async function pendingTopUp({ id }: FullOrganization, { opened }: TestControl): Promise<Prepared> {
  await sql`update top_ups set state = 'pending' where organization_id = ${id}`.execute(opened.database.system);
  return {};
}

async function emptyOrganization(_: FullOrganization, control: TestControl): Promise<Prepared> {
  const organizationId = await control.addOrganization();
  return { params: { organizationId }, organizationIds: [organizationId] };
}

async function canary(organization: FullOrganization): Promise<Prepared> {
  const deployment = {
    proxyId: idOf(organization, 'prx'),
    environmentId: idOf(organization, 'env'),
    revision: 2,
    strategy: 'canary',
  };
  return { params: { deploymentId: (await done(organization, 'developer', '/deployments', deployment)).id } };
}

function codeOf(secret: string): string {
  return new TOTP({ algorithm: 'SHA1', digits: 6, secret: Secret.fromBase32(secret) }).generate();
}

function idOf({ ids }: FullOrganization, prefix: string): string {
  return ids.get(exampleId(prefix))!;
}

/** The data of a write in the developer portal that has to succeed, by the account’s owner. */
async function doneInPortal({ portal }: FullOrganization, { baseUrl }: TestControl, path: string, body: object) {
  const { headers } = portal.owner;
  const { status, json } = await send(baseUrl, { method: 'POST', path: `/api${path}`, body, headers });
  assert(status < 300, `the preparation's POST ${path} was answered ${status}: ${JSON.stringify(json)}`);
  return json.data;
}

/** The data of a write that has to succeed. */
async function done({ call }: FullOrganization, person: Person, path: string, body?: object, method = 'POST') {
  const { status, json } = await call(person, method, path, body);
  assert(status < 300, `the preparation's ${method} ${path} was answered ${status}: ${JSON.stringify(json)}`);
  return json.data;
}

/** What finishes a sign-in that somebody new began, with the cookie of their browser. */
async function signedInThere(
  control: TestControl,
  { path, body }: { readonly path: string; readonly body: object },
  sub: string,
  email: string,
): Promise<Prepared> {
  const provider = await sharedProvider();
  const started = await control.call('POST', path, body);
  const cookie = started.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  provider.user = { sub, email, email_verified: true };
  return { headers: { cookie }, body: { parameters: await provider.authorize(started.data.url) } };
}
