import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@millrace/eventually';
import { type EmbeddedPostgres, startEmbedded, urlOf } from '@millrace/postgres/embedded';
import { Client as Database } from 'pg';
import {
  addConsumer,
  addEnvironment,
  addNode,
  addProxy,
  Client,
  deploy,
  keyed,
  type Manager,
  startTarget,
  type TestPolicy,
  type TestTarget,
} from '../../apps/gateway/src/testing-platform.ts';
import { signInAsAdministrator } from '../administrator/sign-in.ts';
import type { Loads } from './loads.ts';
import { createMember, type Member, type MemberRole } from './members.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** What all processes of one installation share. */
export interface Installation {
  readonly folder: string;
  readonly postgres: EmbeddedPostgres;
  readonly target: TestTarget;
  readonly receiver: Receiver;
  readonly apiKey: string;
  readonly password: string;
  /** Of every process but a gateway's. */
  settingsOf(name: string): Record<string, string>;
  readonly encryptionKey: string;
}

/** A PostgreSQL, a target of the gateway and a receiver of webhooks, on loopback and in a folder that is gone afterwards. */
export async function startInstallation(stack: AsyncDisposableStack, name: string): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), `millrace-bench-${name}-`));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startEmbedded({ dataDirectory: join(folder, 'postgres') });
  stack.defer(() => postgres.stop());
  const target = await startTarget();
  stack.defer(() => target.stop());
  const receiver = await startReceiver();
  stack.defer(() => receiver.stop());
  const apiKey = `mr_${randomBytes(20).toString('hex')}`;
  const password = randomBytes(16).toString('hex');
  const encryptionKey = randomBytes(32).toString('hex');
  return {
    folder,
    postgres,
    target,
    receiver,
    apiKey,
    password,
    encryptionKey,
    settingsOf: (member) => ({
      DATABASE_URL: urlOf(postgres.owner),
      BLOB_URL: `file://${join(folder, 'blobs')}`,
      MILLRACE_DATA_DIR: join(folder, member),
      MILLRACE_DATABASE_CONNECTIONS: '8',
      MILLRACE_ENCRYPTION_KEY: encryptionKey,
      MILLRACE_API_KEY: apiKey,
      MILLRACE_ADMIN_PASSWORD: password,
      MILLRACE_WORKERS: '1',
      MILLRACE_SEED: '0',
      MILLRACE_LOG_LEVEL: 'error',
      MILLRACE_TRUST_PROXY: '1',
      MILLRACE_RATE_LIMIT_PER_MINUTE: '1000000',
      MILLRACE_ALLOW_PRIVATE_WEBHOOKS: '1',
    }),
  };
}

/** Processes of one version, which are not started yet; gateway nodes are added apart, since they have to register. */
export async function createMembers(
  installation: Installation,
  counts: Readonly<Record<Exclude<MemberRole, 'gateway'>, number>>,
  { root, prefix = '' }: { readonly root?: string; readonly prefix?: string } = {},
): Promise<readonly Member[]> {
  const members: Member[] = [];
  for (const [role, count] of Object.entries(counts) as [Exclude<MemberRole, 'gateway'>, number][]) {
    for (let number = 1; number <= count; number++) {
      const name = `${prefix}${role}-${number}`;
      const settings = installation.settingsOf(name);
      members.push(await createMember({ name, role, settings, ...(root === undefined ? {} : { root }) }));
    }
  }
  return members;
}

/** A gateway node that may register; it is not started yet. */
export async function createNode(
  installation: Installation,
  { manager, environmentId, controlUrl }: Management,
  name: string,
  { root, settings = {} }: { readonly root?: string; readonly settings?: Readonly<Record<string, string>> } = {},
): Promise<Member> {
  const { registrationToken } = await addNode(manager, environmentId);
  const own = {
    MILLRACE_CONTROL_URL: controlUrl,
    MILLRACE_GATEWAY_TOKEN: registrationToken,
    MILLRACE_GATEWAY_DATA_DIR: join(installation.folder, name),
    MILLRACE_GATEWAY_ACCESS_LOG: '0',
    MILLRACE_GATEWAY_USAGE_FLUSH_MS: '500',
    MILLRACE_LOG_LEVEL: 'error',
    ...settings,
  };
  return createMember({ name, role: 'gateway', settings: own, ...(root === undefined ? {} : { root }) });
}

/** An organization with its environment, and two API proxies: one with a quota per app, and one without. */
export interface Management {
  readonly controlUrl: string;
  readonly manager: Manager;
  readonly headers: Readonly<Record<string, string>>;
  readonly organizationId: string;
  readonly environmentId: string;
  readonly calls: readonly { readonly path: string; readonly key: string; readonly name: 'limited' | 'unlimited' }[];
}

export async function setUp(
  controlUrl: string,
  { password, target }: Installation,
  quotaLimit: number,
): Promise<Management> {
  const { manager, headers, organizationId } = await signInAsAdministrator(controlUrl, password);
  const environmentId = await addEnvironment(manager, target);
  const window = { unit: 'month', count: 1 };
  const quota: TestPolicy = { kind: 'quota', configuration: { limit: quotaLimit, window, per: 'app', mode: 'strict' } };
  const calls: Management['calls'][number][] = [];
  for (const [name, policies] of [
    ['limited', [keyed, quota]],
    ['unlimited', [keyed]],
  ] as const) {
    const { proxyId, basePath } = await addProxy(manager, policies);
    await deploy(manager, { proxyId, environmentId, revision: 1 });
    const { key } = await addConsumer(manager, [proxyId]);
    calls.push({ path: `${basePath}/orders`, key, name });
  }
  return { controlUrl, manager, headers, organizationId, environmentId, calls };
}

/** Waits until a gateway node admits the callers. */
export async function isAdmitting(gatewayUrl: string, { calls }: Management): Promise<void> {
  const client = new Client();
  for (const { path, key } of calls) {
    await eventually('the node to admit the consumer', async () => {
      const answer = await client.get(`${gatewayUrl}${path}`, { 'x-api-key': key }).catch(() => null);
      return answer?.status === 200;
    });
  }
  client.close();
}

/** What became of everything that callers were promised. */
export interface Outcome {
  readonly jobs: number;
  readonly notFinished: number;
  /** Documents that were stored, and those of them that nobody asked for. */
  readonly documents: number;
  readonly resultsTwice: number;
  readonly jobsRunAgain: number;
  readonly eventsLost: number;
  readonly eventsTwice: number;
  /** Events whose receiver was called again, since the process died before it knew of the answer. */
  readonly deliveredAgain: number;
  readonly developersLost: number;
  readonly developersTwice: number;
  /** Writes whose audit entry is missing, or is there twice. */
  readonly auditMissing: number;
  readonly auditReport: string;
  readonly isAuditWhole: boolean;
}

/** Waits until everything is done, for two minutes at most, and compares it with what callers were answered. */
export async function examine(
  { postgres, receiver, folder, encryptionKey }: Installation,
  { organizationId }: Management,
  loads: Loads,
): Promise<Outcome> {
  await using stack = new AsyncDisposableStack();
  const database = new Database({ connectionString: urlOf(postgres.owner) });
  await database.connect();
  stack.defer(() => database.end());
  const rows = async (text: string, ...values: unknown[]) => (await database.query({ text, values })).rows;
  const isQuiet = async () => {
    const [open] = await rows(`select (select count(*) from jobs where state not in ('done', 'error'))
      + (select count(*) from notifications where state = 'pending') as count`);
    return Number(open.count) === 0;
  };
  for (const endMs = performance.now() + 120_000; !(await isQuiet()) && performance.now() < endMs; ) {
    await new Promise((resume) => setTimeout(resume, 500));
  }
  const jobs = await rows('select id, document_id, state, attempts from jobs where id = any($1)', loads.jobIds);
  const notFinished = loads.jobIds.length - jobs.filter(({ state }) => state === 'done').length;
  const documentIds = new Set([...jobs.map(({ document_id }) => String(document_id)), ...loads.documentIds]);
  const [documents] = await rows('select count(*) from documents');
  const resultsTwice = loads.jobIds.length + loads.documentIds.length - documentIds.size;
  const eventsOf = (id: string) => receiver.arrivals.get(id) ?? new Map<string, number>();
  const arrivals = [...documentIds].map(eventsOf);
  const developers = await rows('select id, email from control.developers where organization_id = $1', organizationId);
  const emails = new Set(developers.map(({ email }) => email));
  const audited = await rows(
    `select entity_id from control.audit_entries
      where organization_id = $1 and entity_type = 'developer' and outcome = 'done'`,
    organizationId,
  );
  const entries = new Map<string, number>();
  for (const { entity_id } of audited) entries.set(entity_id, (entries.get(entity_id) ?? 0) + 1);
  const verifier = resolve(import.meta.dirname, '../../apps/control/src/audit-verify/main.ts');
  const own = Object.entries(process.env).filter(([name]) => !/^(MILLRACE_|DATABASE_URL)/.test(name));
  const env = {
    ...Object.fromEntries(own),
    DATABASE_URL: urlOf(postgres.owner),
    MILLRACE_ENCRYPTION_KEY: encryptionKey,
    MILLRACE_DATA_DIR: join(folder, 'control-1'),
  };
  const verified = await promisify(execFile)(process.execPath, [verifier], { env }).then(
    ({ stdout }) => ({ isWhole: true, text: stdout }),
    (error: Error & { stdout?: string }) => ({ isWhole: false, text: error.stdout ?? error.message }),
  );
  return {
    jobs: loads.jobIds.length,
    notFinished,
    documents: Number(documents.count),
    resultsTwice,
    jobsRunAgain: jobs.filter(({ attempts }) => attempts > 1).length,
    eventsLost: arrivals.filter((events) => events.size === 0).length,
    eventsTwice: arrivals.filter((events) => events.size > 1).length,
    deliveredAgain: arrivals.filter((events) => [...events.values()].some((count) => count > 1)).length,
    developersLost: loads.developers.filter((email) => !emails.has(email)).length,
    developersTwice: developers.length - emails.size,
    auditMissing: developers.filter(({ id }) => entries.get(id) !== 1).length,
    auditReport: verified.text.trim().split('\n').at(-1) ?? '',
    isAuditWhole: verified.isWhole,
  };
}
