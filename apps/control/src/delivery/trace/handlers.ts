import type { Trace } from '@millrace/data-plane/trace';
import type { ParsedRequest } from '@millrace/operations';
import { tenantTransaction } from '@millrace/postgres';
import type { Caller, Origin } from '../../frame/caller.ts';
import { ApiError, permissionRequired } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import { createSlots } from '../../frame/slots.ts';
import type { SecretParts } from '../configuration/secrets.ts';
import type { traceOperations } from './contract.ts';
import { loadTraced, type Traced } from './load.ts';
import type { TracedRequest } from './run.ts';

/** Each runs a gateway of its own until it ends. */
const mostAtOnce = { ofOrganization: 2, inAll: 12, retrySeconds: 5 };

type Input = ParsedRequest<(typeof traceOperations)[0]['request']>;

/** The parts of a call that a trace needs. */
interface Call {
  readonly caller: Caller;
  readonly organizationId: string;
  readonly origin: Origin;
}

export function traceHandlers(parts: Parts & SecretParts): Handlers<typeof traceOperations> {
  const slots = createSlots('traces', mostAtOnce);

  async function run(traced: Traced, organizationId: string, request: TracedRequest) {
    // A gateway's code is a sixth of all that the service would load, so the first trace loads it, not the start.
    const { runTrace } = await import('./run.ts');
    return runTrace(parts.outbound, traced, organizationId, request);
  }

  async function trace({ params: { proxyId }, body }: Input, { caller, organizationId, origin }: Call) {
    const { environmentId, revision, key, ...request } = body;
    const wanted = { proxyId, environmentId, revision, key };
    const traced = await tenantTransaction(
      parts.database,
      organizationId,
      (transaction) => loadTraced(transaction, parts, wanted),
      { access: 'read only' },
    );
    refuseTracer(traced, caller);
    const sent = { ...request, key, clientAddress: origin.ip };
    const result = await slots.use(organizationId, () => run(traced, organizationId, sent));
    const what = revision === null ? 'the working copy' : `revision ${revision}`;
    const note = `${body.method} through ${what} in ${traced.environment.name}: returned ${result.answer.status}.`;
    return { data: present(result), note };
  }

  return {
    traceProxy: {
      prepare: async (input, call) => {
        try {
          const { data, note } = await trace(input, call);
          const change = { entityId: input.params.proxyId, before: null, after: null, note };
          return async () => ({ data, change });
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          // Thrown within the transaction, which audits the denial.
          return async () => Promise.reject(error);
        }
      },
    },
  };
}

/**
 * In production, only those who may deploy there can trace unapproved content: its policies see the secrets of the
 * environment, and its requests the target servers.
 */
function refuseTracer({ environment, approved }: Traced, { permissions }: Caller): void {
  if (!environment.production || approved || permissions.has('deployment.prod')) return;
  throw new ApiError('forbidden', {
    message: permissionRequired(
      ['deployment.prod'],
      'the environment is production, and this content was not approved',
    ),
  });
}

/** A trace as the response has it: the schema's lists are mutable. */
function present({ steps, answer, ...trace }: Trace) {
  return {
    ...trace,
    steps: steps.map((step) => ({ ...step })),
    answer: { ...answer, headers: answer.headers.map((header) => ({ ...header })) },
  };
}
