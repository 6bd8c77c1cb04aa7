import type { Sealer } from '@millrace/encryption';
import { type Scope, scopes } from '@millrace/extraction-contract/scopes';
import { tenantTransaction } from '@millrace/postgres';
import type { Settings } from '@millrace/settings/extraction';
import type { OneTimeCodes } from '@millrace/sign-in/one-time-codes';
import { createAccount } from '../accounts/store.ts';
import type { ExtractionDatabase, TenantTransaction } from '../database/schema.ts';
import { sessions } from '../http/dashboard-sessions.ts';
import { newId } from '../identifiers.ts';
import {
  findDelivery,
  keptAttempts,
  listDeliveries,
  resendDelivery,
  resendSince,
} from '../resources/deliveries/store.ts';
import { documentAnswer } from '../resources/documents/rules.ts';
import { findFinishedDocument, listDocuments } from '../resources/documents/store.ts';
import { createKey, listKeys, revokeKey, type StoredKey } from '../resources/keys/store.ts';
import { findActiveUser } from '../resources/sessions/store.ts';
import { enqueueTestEvent } from '../resources/webhooks/notifications.ts';
import { checkNewEndpoint } from '../resources/webhooks/rules.ts';
import {
  createEndpoint,
  createPrimarySecret,
  listEndpoints,
  pauseEndpoint,
  removeEndpoint,
  resumeEndpoint,
  rotateSecret,
} from '../resources/webhooks/store.ts';
import type { Output, Row } from './output.ts';

/** A request that can't be carried out as written; its message says why. */
export class UsageError extends Error {}

/** What a command works with. */
interface Workplace {
  readonly database: ExtractionDatabase;
  readonly settings: Settings;
  readonly secrets: Sealer;
  readonly oneTimeCodes: OneTimeCodes;
  /** Does something in the account that the command is for. */
  inAccount<Result>(work: (transaction: TenantTransaction) => Promise<Result>): Promise<Result>;
}

export interface Arguments {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | undefined>>;
}

export interface Command {
  /** Group and name, then the arguments. */
  readonly usage: string;
  readonly summary: string;
  /** Options that it takes beyond `--account` and `--json`; each has a value. */
  readonly options?: readonly string[];
  /** The least and the largest number of arguments. */
  readonly positionals: readonly [number, number];
  run(workplace: Workplace, given: Arguments): Promise<Output>;
}

/** Every command by group and name, in the order of the help. */
export const commands: Readonly<Record<string, Command>> = {
  'keys create': {
    usage: 'keys create --name NAME [--rate-limit CALLS_PER_MINUTE] [--scopes SCOPE,…] [--expires TIME]',
    summary: 'create an API key; shown only once',
    options: ['name', 'rate-limit', 'scopes', 'expires'],
    positionals: [0, 0],
    run: async ({ inAccount }, { values }) => {
      const name = required(values.name, '--name');
      const rateLimit = values['rate-limit'];
      const rateLimitPerMinute = rateLimit === undefined ? null : wholeNumber(rateLimit, '--rate-limit', 1, 10_000_000);
      const key = {
        name,
        rateLimitPerMinute,
        scopes: scopesOf(values.scopes),
        expiresAt: values.expires === undefined ? null : futureTime(values.expires),
      };
      const { raw, key: stored } = await inAccount((transaction) => createKey(transaction, key));
      return { record: { id: stored.id, name, key: raw }, note: 'Store the key now: it can’t be shown again.' };
    },
  },
  'keys list': {
    usage: 'keys list',
    summary: 'list the API keys',
    positionals: [0, 0],
    run: async ({ inAccount }) => ({ rows: (await inAccount(listKeys)).map(keyRow), none: 'There are no keys.' }),
  },
  'keys revoke': {
    usage: 'keys revoke KEY_ID',
    summary: 'reject a key from the next request on',
    positionals: [1, 1],
    run: async ({ inAccount }, { positionals: [id = ''] }) => {
      const key = await inAccount((transaction) => revokeKey(transaction, id));
      if (key === null) throw new UsageError(`Key ${id} not found.`);
      return { record: keyRow(key) };
    },
  },
  'members remove-codes': {
    usage: 'members remove-codes EMAIL',
    summary: 'turn off a member’s one-time codes, such as after a lost phone; ends their sessions',
    positionals: [1, 1],
    run: async ({ database, oneTimeCodes }, { positionals: [email = ''] }) => {
      const user = await findActiveUser(database.system, email.toLowerCase());
      if (user === null) throw new UsageError(`No active member has the e-mail address ${email}.`);
      if (user.mfa_secret === null) throw new UsageError(`${email} uses no one-time codes.`);
      const { id: userId, account_id: tenantId } = user;
      await tenantTransaction(database, tenantId, async (transaction) => {
        await oneTimeCodes.remove(transaction, { tenantId, userId });
        await sessions.endAll(transaction, tenantId, userId);
      });
      return { record: { email: user.email, one_time_codes: 'off' } };
    },
  },
  'webhooks create': {
    usage: 'webhooks create URL [--events EVENT,…]',
    summary: 'add an endpoint; its signing secret is shown only once',
    options: ['events'],
    positionals: [1, 1],
    run: async ({ inAccount, secrets, settings }, { positionals: [url = ''], values }) => {
      const events =
        values.events === undefined ? {} : { events: values.events.split(',').map((event) => event.trim()) };
      const checked = checkNewEndpoint({ url, ...events }, { allowLoopback: settings.allowPrivateWebhooks });
      const { endpoint, secret } = await inAccount((transaction) => createEndpoint(transaction, secrets, checked));
      return {
        record: { id: endpoint.id, url: endpoint.url, events: endpoint.events.join(','), secret },
        note: 'Store the secret now: it can’t be shown again, only rotated.',
      };
    },
  },
  'webhooks list': {
    usage: 'webhooks list',
    summary: 'list the endpoints',
    positionals: [0, 0],
    run: async ({ inAccount }) => ({
      rows: (await inAccount(listEndpoints)).map(({ id, url, events, state, created_at }) => ({
        id,
        url,
        events: events.join(','),
        state,
        created_at,
      })),
      none: 'There are no endpoints.',
    }),
  },
  'webhooks rotate': {
    usage: 'webhooks rotate ENDPOINT_ID|primary [--overlap-hours HOURS]',
    summary: 'rotate a signing secret (primary: for callbacks); the old one stays valid for 24 hours',
    options: ['overlap-hours'],
    positionals: [1, 1],
    run: async ({ inAccount, secrets }, { positionals: [id = ''], values }) => {
      const hours = values['overlap-hours'];
      const overlapMs = hours === undefined ? undefined : wholeNumber(hours, '--overlap-hours', 0, 168) * 3_600_000;
      const { secret, previousExpiresAt } = await inAccount((transaction) =>
        rotateSecret(transaction, secrets, id === 'primary' ? null : id, overlapMs),
      );
      return {
        record: { secret, previous_expires_at: previousExpiresAt },
        note: 'Store the secret now: it can’t be shown again.',
      };
    },
  },
  'webhooks pause': {
    usage: 'webhooks pause ENDPOINT_ID',
    summary: 'queue an endpoint’s events instead of sending them',
    positionals: [1, 1],
    run: async ({ inAccount }, { positionals: [id = ''] }) => {
      await inAccount((transaction) => pauseEndpoint(transaction, id));
      return { record: { id, state: 'paused' } };
    },
  },
  'webhooks resume': {
    usage: 'webhooks resume ENDPOINT_ID',
    summary: 'send an endpoint’s queued and future events',
    positionals: [1, 1],
    run: async ({ inAccount }, { positionals: [id = ''] }) => {
      await inAccount((transaction) => resumeEndpoint(transaction, id));
      return { record: { id, state: 'active' } };
    },
  },
  'webhooks remove': {
    usage: 'webhooks remove ENDPOINT_ID',
    summary: 'remove an endpoint and its secrets; its deliveries stay listed',
    positionals: [1, 1],
    run: async ({ inAccount }, { positionals: [id = ''] }) => {
      await inAccount((transaction) => removeEndpoint(transaction, id));
      return { record: { id, state: 'removed' } };
    },
  },
  'webhooks test': {
    usage: 'webhooks test ENDPOINT_ID',
    summary: 'send a test event to an endpoint',
    positionals: [1, 1],
    run: async ({ inAccount }, { positionals: [id = ''] }) => {
      const { notificationId } = await inAccount((transaction) => enqueueTestEvent(transaction, id));
      return { record: { notification: notificationId }, note: sentByService };
    },
  },
  'webhooks deliveries': {
    usage: 'webhooks deliveries [ENDPOINT_ID|callbacks] [--limit N]',
    summary: 'list the newest delivery attempts',
    options: ['limit'],
    positionals: [0, 1],
    run: async ({ inAccount }, { positionals: [endpoint], values }) => {
      const limit = wholeNumber(values.limit ?? '50', '--limit', 1, keptAttempts);
      const endpointId = endpoint === undefined ? {} : { endpointId: endpoint === 'callbacks' ? null : endpoint };
      const deliveries = await inAccount((transaction) => listDeliveries(transaction, { ...endpointId, limit }));
      return {
        rows: deliveries.map((delivery) => ({
          id: delivery.id,
          requested_at: delivery.requested_at,
          event: delivery.event,
          document: delivery.document_id,
          attempt: delivery.attempt,
          status: delivery.response_status,
          latency_ms: delivery.latency_ms,
          outcome: delivery.error_code ?? 'delivered',
          final: delivery.permanently_failed,
          url: delivery.url,
        })),
        none: 'There are no deliveries.',
      };
    },
  },
  'webhooks show': {
    usage: 'webhooks show DELIVERY_ID',
    summary: 'show a delivery attempt in full',
    positionals: [1, 1],
    run: async ({ inAccount }, { positionals: [id = ''] }) => {
      const delivery = await inAccount((transaction) => findDelivery(transaction, id));
      if (delivery === null) throw new UsageError(`Delivery ${id} not found.`);
      return {
        record: {
          ...delivery,
          request_body: delivery.request_body.toString(),
          request_body_sha256: delivery.request_body_sha256.toString('hex'),
          response_body: delivery.response_body?.toString() ?? null,
          response_body_sha256: delivery.response_body_sha256?.toString('hex') ?? null,
        },
      };
    },
  },
  'webhooks resend': {
    usage: 'webhooks resend DELIVERY_ID | --since TIME [ENDPOINT_ID]',
    summary: 'resend one delivery, or all events since a time (2026-01-31T12:00:00Z, or 30m, 2h, 1d ago)',
    options: ['since'],
    positionals: [0, 1],
    run: async ({ inAccount }, { positionals: [id], values }) => {
      if (values.since === undefined) {
        const deliveryId = required(id, 'DELIVERY_ID or --since');
        const { count } = await inAccount((transaction) => resendDelivery(transaction, deliveryId));
        return { record: { queued: count }, note: sentByService };
      }
      const since = time(values.since);
      const endpointId = id === undefined ? {} : { endpointId: id };
      const { count } = await inAccount((transaction) => resendSince(transaction, { since, ...endpointId }));
      return { record: { queued: count }, note: sentByService };
    },
  },
  'documents list': {
    usage: 'documents list [--limit N]',
    summary: 'list the newest documents',
    options: ['limit'],
    positionals: [0, 0],
    run: async ({ inAccount }, { values }) => {
      const limit = wholeNumber(values.limit ?? '50', '--limit', 1, 1_000);
      return {
        rows: (await inAccount((transaction) => listDocuments(transaction, limit))).map((document) => ({
          ...document,
        })),
        none: 'There are no documents.',
      };
    },
  },
  'documents show': {
    usage: 'documents show DOCUMENT_ID',
    summary: 'show the result of a document’s extraction',
    positionals: [1, 1],
    run: async ({ inAccount }, { positionals: [id = ''] }) => {
      const document = await inAccount((transaction) => findFinishedDocument(transaction, id, { provenance: false }));
      if (document === null) throw new UsageError(`Document ${id} not found, or not finished.`);
      return { record: { ...documentAnswer(document, { provenance: false }) } };
    },
  },
  'accounts create': {
    usage: 'accounts create --name NAME',
    summary: 'add an account, isolated from all others',
    options: ['name'],
    positionals: [0, 0],
    run: async ({ database, secrets }, { values }) => {
      const name = required(values.name, '--name');
      const id = newId('acc');
      await tenantTransaction(database, id, async (transaction) => {
        await createAccount(transaction, name);
        await createPrimarySecret(transaction, secrets);
      });
      return {
        record: { id, name },
        note: `To create its first key: npm run admin -- keys create --name NAME --account ${id}`,
      };
    },
  },
  'accounts list': {
    usage: 'accounts list',
    summary: 'list the accounts',
    positionals: [0, 0],
    run: async ({ database }) => ({
      rows: await database.system.selectFrom('accounts').select(['id', 'name', 'created_at']).orderBy('id').execute(),
      none: 'There are no accounts. The first start of the service creates one.',
    }),
  },
};

const sentByService = 'The running service sends it, or the service when it next starts.';

function keyRow(key: StoredKey): Row {
  return {
    id: key.id,
    name: key.name,
    prefix: `${key.prefix}…`,
    rate_limit: key.rate_limit_per_minute ?? 'default',
    scopes: key.scopes.join(','),
    expires_at: key.expires_at,
    created_at: key.created_at,
    last_used_at: key.last_used_at,
    revoked_at: key.revoked_at,
  };
}

function required(value: string | undefined, name: string): string {
  if (value === undefined || value.trim() === '') throw new UsageError(`${name} is missing.`);
  return value;
}

function wholeNumber(text: string, name: string, minimum: number, maximum: number): number {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= minimum && value <= maximum)) {
    throw new UsageError(`${name} must be a whole number from ${minimum} to ${maximum}.`);
  }
  return value;
}

/** The scopes that are named, or all. */
function scopesOf(text: string | undefined): readonly Scope[] {
  const named = text?.split(',').map((scope) => scope.trim()) ?? scopes;
  const unknown = named.find((scope) => !scopes.some((known) => known === scope));
  if (unknown !== undefined) throw new UsageError(`Unknown scope ${unknown}. Use ${scopes.join(' or ')}.`);
  return scopes.filter((scope) => named.includes(scope));
}

function futureTime(text: string): Date {
  const date = new Date(text);
  if (!(date.getTime() > Date.now())) {
    throw new UsageError('--expires must be a time in the future, such as 2030-01-31T12:00:00Z.');
  }
  return date;
}

/** A time as ISO 8601 writes it, or so long ago. */
function time(text: string): Date {
  const ago = /^(\d{1,6})([smhd])$/.exec(text);
  const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  const date = ago ? new Date(Date.now() - Number(ago[1]) * (unitMs[ago[2] ?? ''] ?? 0)) : new Date(text);
  if (Number.isNaN(date.getTime()))
    throw new UsageError('--since must be a time such as 2026-01-31T12:00:00Z, or 30m, 2h, 1d.');
  return date;
}
