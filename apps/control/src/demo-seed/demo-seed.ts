import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { beginningOfDay } from '@millrace/pricing';
import type { Logger } from 'pino';
import { cookiesOf } from '../client.ts';
import type { ControlDatabase } from '../database/schema.ts';
import { withoutBrackets } from '../frame/outbound.ts';
import { builtInRoles } from '../frame/permissions.ts';
import { IncidentRule } from '../watch/incidents/contract.ts';
import { type ControlClient, createSeedClient } from './client.ts';
import * as content from './content.ts';
import { extractionDocument } from './extraction-document.ts';
import { monthBeforeLast } from './past-calls.ts';
import { type PastIncident, writePastIncident } from './past-incident.ts';
import { writePastUsage } from './past-usage.ts';
import { openPortal, writePortalUser } from './portal.ts';

/** What the first start shows, this once. */
export interface DemoSeed {
  /** Of every user that was made. */
  readonly password: string;
  readonly people: readonly { readonly email: string; readonly role: string }[];
  /** The developer portal: its path on this service, and who signs in to it with the password. */
  readonly portal: { readonly path: string; readonly email: string };
  /** By which the gateway of this installation registers; null where it was given up or no gateway comes. */
  readonly registrationToken: Promise<string | null>;
  /** Resolves when all of it is there, with how to call it; null where it was given up. Never rejects. */
  readonly finished: Promise<FirstCall | null>;
  /** Makes no more of it. */
  stop(): Promise<void>;
}

/** What a consumer of the published API needs for a call. */
export interface FirstCall {
  /** Of the app, shown this once. */
  readonly key: string;
  /** Of the proxy at the gateway, such as `/api/external/v1`. */
  readonly basePath: string;
  /** Calls a minute that the app has. */
  readonly callsPerMinute: number;
}

/** What runs beside the management API in this installation. */
export interface Installation {
  /** Where the extraction API answers. */
  readonly extractionUrl: string;
  /**
   * The key that the gateway calls it with; null if the extraction API was set up before and no longer reveals a key.
   */
  readonly extractionKey: string | null;
}

interface SeedOptions {
  /** Resolves with what runs beside it; null where the management API runs alone. */
  readonly installation: Promise<Installation> | null;
  /** Where the service answers. */
  readonly baseUrl: string;
  readonly administrator: { readonly email: string; readonly password: string };
  /** For past usage, which the API doesn't accept. */
  readonly database: ControlDatabase;
  readonly logger: Pick<Logger, 'error'>;
}

/**
 * Fills an empty installation with a demo organization, in the background. Its users create it through API calls, each
 * in their own session, so that every rule applies and the audit trail shows its history; only past usage and the portal
 * user are written directly. Called by the one process that created the first administrator, once it listens. A failure is logged, and not retried.
 */
export function seedDemoSeed({ baseUrl, administrator, database, installation, logger }: SeedOptions): DemoSeed {
  const password = randomBytes(15).toString('base64url');
  const stopping = new AbortController();
  const token = Promise.withResolvers<string | null>();
  const finished = fill({
    baseUrl,
    administrator,
    database,
    installation,
    password,
    signal: stopping.signal,
    onNode: token.resolve,
  })
    .catch((error: unknown) => {
      if (!stopping.signal.aborted) logger.error({ error }, 'creating the demo data failed');
      return null;
    })
    .finally(() => token.resolve(null));
  return {
    password,
    people: Object.values(content.people).map(({ email, roleId }) => ({ email, role: builtInRoles[roleId].name })),
    portal: { path: `/portal/${content.organization.name}`, email: content.developer.email },
    registrationToken: token.promise,
    finished,
    stop: async () => {
      stopping.abort();
      await finished;
    },
  };
}

interface Filling extends Pick<SeedOptions, 'baseUrl' | 'administrator' | 'database' | 'installation'> {
  readonly password: string;
  readonly signal: AbortSignal;
  /** Called with the token of the gateway node. */
  onNode(registrationToken: string): void;
}

async function fill(filling: Filling): Promise<FirstCall> {
  const { baseUrl, administrator, password, signal } = filling;
  const signIn = async (email: string, secret = password, also: Readonly<Record<string, string>> = {}) => {
    const { headers } = await createSeedClient({ baseUrl, signal }).login({ body: { email, password: secret } });
    return createSeedClient({ baseUrl, signal, headers: { ...also, cookie: cookiesOf(headers) } });
  };
  const { people } = content;
  const platform = await signIn(administrator.email, administrator.password);
  const { body } = await platform.createOrganization({ body: content.organization });
  const inOrganization = { 'x-organization-id': body.data.id };
  const founder = await signIn(administrator.email, administrator.password, inOrganization);
  await addPerson(founder, people.administrator, password);
  await Promise.all([platform.logout(), founder.logout()]);

  const owner = await signIn(people.administrator.email);
  for (const person of [people.developer, people.auditor, people.consumer]) await addPerson(owner, person, password);
  const engineerId = await addPerson(owner, people.engineer, password);
  const installation = await filling.installation;
  const testId = await addEnvironments(owner, installation);
  await owner.createPolicyTemplate({ body: content.policyTemplate });

  const developer = await signIn(people.developer.email);
  const engineer = await signIn(people.engineer.email);
  await addCustomers(developer);
  await approve(engineer, await addOrders(developer));
  const extraction = await addExtraction(developer, installation?.extractionKey != null);
  await approve(engineer, extraction);
  if (installation !== null) {
    const node = await engineer.createGatewayNode({ body: { ...content.gatewayNode, environmentId: testId } });
    filling.onNode(node.body.data.registrationToken);
  }
  await deploy(developer, extraction.proxyId, testId);
  await developer.createLifecycleRequest({
    params: { proxyId: extraction.proxyId },
    body: { toStage: 'published', note: 'Open to every team' },
  });
  const sold = await addProduct(owner, extraction.proxyId);
  await startBilling(owner, body.data.id);
  const now = new Date();
  const firstDay = monthBeforeLast(now, timeZone);
  await owner.openBillingPeriod({ body: { firstDay } });
  const { key, developerId, subscriptionId } = await addConsumer(owner, sold);
  await openPortal(owner, sold.productId);
  await writePortalUser(filling.database, { organizationId: body.data.id, developerId, password });
  const startsAt = beginningOfDay(`${firstDay.slice(0, 8)}${content.billing.firstDay}`, timeZone);
  const past = { organizationId: body.data.id, startsAt, now, timeZone };
  const { proxyId } = extraction;
  await writePastUsage(filling.database, { ...past, subscriptionId, environmentId: testId, proxyId });
  await writePastIncident(filling.database, {
    ...past,
    rule: await addAlertRule(engineer, { environmentId: testId, proxyId }),
    person: { id: engineerId, name: people.engineer.name },
  });
  await closePeriods(owner, { now, signal });
  await payOldestInvoice(owner);
  const { basePath } = (await developer.getProxy({ params: { proxyId: extraction.proxyId } })).body.data;
  await Promise.all([developer.logout(), engineer.logout(), owner.logout()]);
  return { key, basePath, callsPerMinute: content.product.quota.limit };
}

/** The id of the user. */
async function addPerson(
  client: ControlClient,
  { email, name, roleId }: (typeof content.people)[keyof typeof content.people],
  password: string,
): Promise<string> {
  const { body } = await client.createUser({ body: { email, name, roleIds: [roleId], password } });
  return body.data.id;
}

/** The environments with their target servers; the id of the one for tests. */
async function addEnvironments(client: ControlClient, installation: Installation | null): Promise<string> {
  let testId = '';
  for (const { targetServers, hostNames, ...environment } of content.environments) {
    const { body } = await client.createEnvironment({ body: { ...environment, hostNames: [...hostNames] } });
    const environmentId = body.data.id;
    if (!environment.production) testId = environmentId;
    for (const target of targetServers) {
      const here =
        !environment.production && target.name === content.extraction.targetServer && installation !== null
          ? addressOf(installation.extractionUrl)
          : {};
      await client.createTargetServer({ body: { ...target, ...here, environmentId } });
    }
    if (!environment.production && installation?.extractionKey != null) {
      await client.setEnvironmentVariable({
        params: { environmentId, name: content.extraction.targetKey.variable },
        body: { value: installation.extractionKey, secret: true },
      });
    }
  }
  return testId;
}

function addressOf(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(url);
  return { host: withoutBrackets(hostname), port: Number(port) };
}

/** A product with the plan that it is sold by. */
interface Sold {
  readonly productId: string;
  readonly ratePlanId: string;
}

/** Bundles the proxy into a published product with a published rate plan. */
async function addProduct(owner: ControlClient, proxyId: string): Promise<Sold> {
  const { quota } = content.product;
  const product = await owner.createProduct({
    body: { ...content.product, quota: { ...quota, window: { ...quota.window } } },
  });
  const productId = product.body.data.id;
  await owner.setProductProxy({ params: { productId, proxyId }, body: {} });
  await owner.publishProduct({ params: { productId } });
  const plan = await owner.createRatePlan({ body: { ...content.ratePlan, charges: chargesOf(), productId } });
  const ratePlanId = plan.body.data.id;
  await owner.publishRatePlan({ params: { ratePlanId }, body: {} });
  return { productId, ratePlanId };
}

function chargesOf() {
  return content.ratePlan.charges.map(({ statusClasses, tiers, ...charge }) => ({
    ...charge,
    statusClasses: [...statusClasses],
    tiers: tiers.map((tier) => ({ ...tier })),
  }));
}

/** Lets the organization issue invoices. */
async function startBilling(owner: ControlClient, organizationId: string): Promise<void> {
  const { settings, tax } = content.billing;
  const { address } = settings.seller;
  const seller = { ...settings.seller, address: { ...address, lines: [...address.lines] } };
  await owner.updateOrganizationSettings({ params: { organizationId }, body: { tax } });
  await owner.updateBillingSettings({ body: { ...settings, reminders: [...settings.reminders], seller } });
}

const { timeZone } = content.billing.settings;

/** Registers a developer whose app subscribes to the product: the developer, the subscription, and the app's key. */
async function addConsumer(
  owner: ControlClient,
  { productId, ratePlanId }: Sold,
): Promise<{ readonly key: string; readonly developerId: string; readonly subscriptionId: string }> {
  const { billing } = content.developer;
  const address = { ...billing.address, lines: [...billing.address.lines] };
  const developer = await owner.createDeveloper({
    body: { ...content.developer, billing: { ...billing, address } },
  });
  const developerId = developer.body.data.id;
  const app = await owner.createApp({ body: { ...content.app, developerId } });
  const appId = app.body.data.id;
  const credential = await owner.issueCredential({ params: { appId }, body: { name: 'First key' } });
  const subscription = await owner.createSubscription({ body: { appId, productId, ratePlanId } });
  return { key: credential.body.data.key, developerId, subscriptionId: subscription.body.data.id };
}

/** How often and how long a period is waited for. */
const pollIntervalMs = 100;
const mostPolls = 1_200;

/** Closes the periods that have ended, one after the other, each once the one before has its invoices. */
async function closePeriods(
  owner: ControlClient,
  { now, signal }: { readonly now: Date; readonly signal: AbortSignal },
): Promise<void> {
  for (;;) {
    const { periods } = (await owner.listBillingPeriods({ query: { state: 'open', sort: 'startsAt' } })).body.data;
    const [oldest] = periods;
    if (oldest === undefined || Date.parse(oldest.endsAt) > now.getTime()) return;
    const params = { periodId: oldest.id };
    await owner.closeBillingPeriod({ params, body: { ignoreGrace: true } });
    for (let poll = 0; ; poll++) {
      const { state } = (await owner.getBillingPeriod({ params, query: {} })).body.data;
      if (state === 'closed') break;
      if (poll === mostPolls) throw new Error(`the billing period ${oldest.id} was not closed in time`);
      await setTimeout(pollIntervalMs, undefined, { signal });
    }
  }
}

/** A rule that watches the extraction API. */
async function addAlertRule(
  engineer: ControlClient,
  scope: { readonly environmentId: string; readonly proxyId: string },
): Promise<PastIncident['rule']> {
  const { body } = await engineer.createAlertRule({ body: { ...content.alertRule, ...scope } });
  return { ...IncidentRule.parse(body.data), ...scope };
}

async function payOldestInvoice(owner: ControlClient): Promise<void> {
  const { invoices } = (await owner.listInvoices({ query: { state: 'issued', sort: 'createdAt' } })).body.data;
  await owner.markInvoicePaid({ params: { invoiceId: invoices[0]!.id }, body: content.billing.payment });
}

async function addCustomers(developer: ControlClient): Promise<void> {
  const { proxy, routes } = content.customers;
  const { body } = await developer.createProxy({ body: { ...proxy, tags: [...proxy.tags] } });
  const params = { proxyId: body.data.id };
  for (const route of routes) await developer.createRoute({ params, body: route });
  await developer.evaluateProxyGovernance({ params });
}

/** A request for approval, which its maker cannot approve. */
interface Requested {
  readonly proxyId: string;
  readonly requestId: string;
}

async function addOrders(developer: ControlClient): Promise<Requested> {
  const { proxy, routes, policies } = content.orders;
  const { body } = await developer.createProxy({ body: { ...proxy, tags: [...proxy.tags] } });
  const params = { proxyId: body.data.id };
  for (const route of routes) await developer.createRoute({ params, body: route });
  for (const policy of policies) await developer.attachPolicy({ params, body: policy });
  const specification = await developer.generateSpecification({ params, body: {} });
  await developer.publishSpecification({ params: { specificationId: specification.body.data.id } });
  return requestApproval(developer, params.proxyId, 'Ready for the first callers');
}

async function addExtraction(developer: ControlClient, keyed: boolean): Promise<Requested> {
  const { name, targetServer, description, tags, policies, targetKey, timeoutMs } = content.extraction;
  const document = JSON.stringify(await extractionDocument());
  const { body } = await developer.importProxy({ body: { document, name, targetServer } });
  const params = { proxyId: body.data.proxy.id };
  await developer.updateProxy({ params, body: { description, tags: [...tags] } });
  const { routes } = (await developer.listRoutes({ params, query: { pageSize: '100' } })).body.data;
  for (const { id } of routes) {
    await developer.updateRoute({ params: { ...params, routeId: id }, body: { timeoutMs } });
  }
  for (const policy of policies) await developer.attachPolicy({ params, body: policy });
  if (keyed) {
    const { policy } = targetKey;
    const set = policy.configuration.set.map((header) => ({ ...header }));
    await developer.attachPolicy({ params, body: { ...policy, configuration: { set } } });
  }
  await developer.publishSpecification({ params: { specificationId: body.data.specificationId } });
  return requestApproval(developer, params.proxyId, 'Extraction for every team');
}

async function requestApproval(developer: ControlClient, proxyId: string, note: string): Promise<Requested> {
  const { body } = await developer.createLifecycleRequest({ params: { proxyId }, body: { toStage: 'approved', note } });
  return { proxyId, requestId: body.data.id };
}

async function approve(engineer: ControlClient, { requestId }: Requested): Promise<void> {
  await engineer.approveLifecycleRequest({ params: { requestId }, body: { reason: 'Checked with the team' } });
}

/** Lets the approved revision serve. */
async function deploy(developer: ControlClient, proxyId: string, environmentId: string): Promise<void> {
  const { approvedRevision } = (await developer.getProxy({ params: { proxyId } })).body.data;
  if (approvedRevision === null) throw new Error('the approval left no approved revision');
  await developer.createDeployment({
    body: { proxyId, environmentId, revision: approvedRevision, note: 'First release' },
  });
}
