import type { Sealer } from '@millrace/encryption';
import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import type { Settings } from '@millrace/settings/extraction';
import type { ExtractionDatabase, TenantTransaction } from '../../database/schema.ts';
import type { DashboardCaller } from '../../http/dashboard-caller.ts';
import { ApiError, fieldError } from '../../http/errors.ts';
import { endpointLimit, eventKinds, type webhookOperations } from './dashboard-contract.ts';
import { enqueueTestEvent, type Lanes } from './notifications.ts';
import { checkNewEndpoint, WebhookError } from './rules.ts';
import {
  changeEndpoint,
  createEndpoint,
  type EndpointOverview,
  findEndpointOverview,
  findPrimarySecret,
  listEndpointOverviews,
  pauseEndpoint,
  removeEndpoint,
  resumeEndpoint,
  rotateSecret,
} from './store.ts';

export interface WebhookParts {
  readonly database: ExtractionDatabase;
  /** Of signing secrets: from `webhookSecretSealer`. */
  readonly webhookSecrets: Sealer;
  readonly settings: Pick<Settings, 'allowPrivateWebhooks'>;
  /** Called after a commit that enqueued notifications, with their lanes. */
  readonly onNotifications: (lanes: Lanes) => void;
}

export function webhookDashboardHandlers(parts: WebhookParts): Handlers<typeof webhookOperations, DashboardCaller> {
  const { database, webhookSecrets, onNotifications } = parts;
  const policy = { allowLoopback: parts.settings.allowPrivateWebhooks };
  const within = <Result>(
    { accountId }: DashboardCaller,
    work: (transaction: TenantTransaction) => Promise<Result>,
  ): Promise<Result> => tellingWebhookErrors(tenantTransaction(database, accountId, work));

  return {
    async listWebhooks(_request, caller) {
      const body = await within(caller, async (transaction) => {
        const primary = await findPrimarySecret(transaction);
        return {
          items: (await listEndpointOverviews(transaction)).map(shown),
          limit: endpointLimit,
          eventKinds: [...eventKinds],
          primarySecret: primary && {
            createdAt: primary.created_at.toISOString(),
            previousExpiresAt: primary.previous_expires_at?.toISOString() ?? null,
          },
        };
      });
      return { status: 200, body };
    },

    async getWebhook({ params }, caller) {
      const endpoint = await within(caller, (transaction) => findEndpointOverview(transaction, params.id));
      return { status: 200, body: shown(endpoint) };
    },

    async createWebhook({ body: { url, events } }, caller) {
      const { endpoint, secret } = await within(caller, async (transaction) => {
        const checked = checkNewEndpoint({ url, ...(events && { events }) }, policy);
        const created = await createEndpoint(transaction, webhookSecrets, checked);
        return { ...created, endpoint: await findEndpointOverview(transaction, created.endpoint.id) };
      });
      return { status: 201, body: { webhook: shown(endpoint), secret } };
    },

    async updateWebhook({ params: { id }, body: { url, events, state } }, caller) {
      const lanes: string[] = [];
      const endpoint = await within(caller, async (transaction) => {
        const present = await findEndpointOverview(transaction, id);
        if (url !== undefined || events !== undefined) {
          const changed = checkNewEndpoint({ url: url ?? present.url, events: events ?? present.events }, policy);
          await changeEndpoint(transaction, id, changed);
        }
        if (state === 'paused' && present.state === 'active') await pauseEndpoint(transaction, id);
        if (state === 'active' && present.state === 'paused') lanes.push(await resumeEndpoint(transaction, id));
        return findEndpointOverview(transaction, id);
      });
      if (lanes.length > 0) onNotifications(lanes);
      return { status: 200, body: shown(endpoint) };
    },

    async rotateWebhookSecret({ params: { id }, body: { overlapHours } }, caller) {
      const { secret, previousExpiresAt } = await within(caller, (transaction) =>
        rotateSecret(transaction, webhookSecrets, id === 'primary' ? null : id, overlapHours * 3_600_000),
      );
      return { status: 200, body: { secret, previousExpiresAt: previousExpiresAt.toISOString() } };
    },

    async testWebhook({ params }, caller) {
      const { notificationId, lanes } = await within(caller, (transaction) => enqueueTestEvent(transaction, params.id));
      onNotifications(lanes);
      return { status: 202, body: { notificationId } };
    },

    async removeWebhook({ params }, caller) {
      await within(caller, (transaction) => removeEndpoint(transaction, params.id));
      return { status: 200, body: {} };
    },
  };
}

function shown(endpoint: EndpointOverview) {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: eventKinds.filter((kind) => endpoint.events.includes(kind)),
    state: endpoint.state,
    pausedBy: endpoint.paused_by,
    pausedAt: endpoint.paused_at?.toISOString() ?? null,
    failingSince: endpoint.failing_since?.toISOString() ?? null,
    lastSuccessAt: endpoint.last_success_at?.toISOString() ?? null,
    waitingCount: endpoint.waiting_count,
    previousSecretExpiresAt: endpoint.previous_expires_at?.toISOString() ?? null,
    createdAt: endpoint.created_at.toISOString(),
  };
}

/** Turns a {@link WebhookError} into the answer that says the same. */
export async function tellingWebhookErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof WebhookError ? apiErrorOf(error) : error;
  }
}

function apiErrorOf({ code, message }: WebhookError): ApiError {
  switch (code) {
    case 'invalid_url':
      return fieldError('url', message);
    case 'invalid_event':
      return fieldError('events', message);
    case 'invalid_overlap':
      return fieldError('overlapHours', message);
    case 'not_found':
      return new ApiError('not_found', { message });
    case 'too_many_endpoints':
    case 'endpoint_removed':
      return new ApiError('conflict', { message });
  }
}
