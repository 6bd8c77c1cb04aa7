import type { RequestArguments } from '@millrace/operations';
import type * as z from 'zod';
import { productOperations } from '../../consumers/products/contract.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { environmentOperations } from '../../design/environments/contract.ts';
import { governanceOperations } from '../../design/governance/contract.ts';
import { policyTemplateOperations } from '../../design/policies/templates/contract.ts';
import { proxyOperations } from '../../design/proxies/contract.ts';
import { targetServerOperations } from '../../design/target-servers/contract.ts';
import type { Caller } from '../../frame/caller.ts';
import { ApiError, permissionRequired } from '../../frame/errors.ts';
import type { UntypedHandler } from '../../frame/execute.ts';
import type { CallerContext, Written } from '../../frame/handler.ts';
import type { AnyControlOperation } from '../../frame/operation.ts';
import type { Permission } from '../../frame/permissions.ts';
import { reachOf, requireProductionRight } from '../../frame/production.ts';
import { organizationOperations } from '../../identity/organizations/contract.ts';
import { roleOperations } from '../../identity/roles/contract.ts';
import { billingSettingsOperations } from '../../money/billing-settings/contract.ts';
import { ratePlanOperations } from '../../money/rate-plans/contract.ts';
import { portalGuideOperations } from '../../portal/guides/contract.ts';
import { portalSettingsOperations } from '../../portal/settings/contract.ts';
import { reachesProduction } from '../production-changes/reach.ts';

const operations = [
  ...organizationOperations,
  ...roleOperations,
  ...environmentOperations,
  ...targetServerOperations,
  ...policyTemplateOperations,
  ...governanceOperations,
  ...proxyOperations,
  ...productOperations,
  ...billingSettingsOperations,
  ...ratePlanOperations,
  ...portalSettingsOperations,
  ...portalGuideOperations,
] as const;

type Operations = (typeof operations)[number];
type ArgumentsOf<Id> = RequestArguments<Extract<Operations, { readonly id: Id }>['request']>;

/**
 * Carries out one operation within the transaction of a document, as by hand: with its permissions, its schemas and its
 * rules, but without an audit row of its own. What is wrong stands at its path in the document.
 *
 * @param path null where the document says nothing of it, such as of what it does not name
 * @returns the id of what was written
 */
export type Perform = <Id extends Operations['id']>(
  path: string | null,
  id: Id,
  args: ArgumentsOf<Id>,
) => Promise<string | null>;

interface Performing {
  readonly perform: Perform;
  /** Whether anything so far changed what production callers get. */
  inProduction(): boolean;
}

/** @param handlerOf the handler of any operation, by which a document is carried out */
export function createPerform(
  handlerOf: (operationId: string) => UntypedHandler,
): (context: CallerContext<TenantTransaction>) => Performing {
  return (context) => {
    let inProduction = false;
    const perform: Perform = (path, id, args) => {
      const work = async () => {
        const operation: AnyControlOperation = operations.find((candidate) => candidate.id === id)!;
        requirePermission(context.caller, operation.permissions);
        const { params, body } = args as { readonly params?: unknown; readonly body?: unknown };
        const input = {
          ...(operation.request.params ? { params: parse(operation.request.params, params) } : {}),
          ...(operation.request.body ? { body: parse(operation.request.body, body) } : {}),
        };
        const handle = handlerOf(id);
        if (typeof handle !== 'function') throw new Error(`${id} works outside of a transaction`);
        // Each is written for a context of its own scope, all of which a tenant's transaction serves.
        const { change } = (await handle(input, context as never)) as Written<unknown>;
        // What follows from it may be refused, at this path.
        await context.settle();
        const reach = reachOf(operation.production);
        if (change !== null && reach !== null && (await reachesProduction(context.transaction, reach, change))) {
          requireProductionRight(context.caller);
          inProduction = true;
        }
        return change?.entityId ?? null;
      };
      return path === null ? work() : located(path, work);
    };
    return { perform, inProduction: () => inProduction };
  };
}

function parse(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ApiError('invalid_request', {
    errors: Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.'), message])),
  });
}

/** Applying a document needs the same permissions as making its changes by hand. */
export function requirePermission(caller: Caller, permissions: readonly Permission[]): void {
  if (permissions.some((permission) => caller.permissions.has(permission))) return;
  throw new ApiError('forbidden', { message: permissionRequired(permissions) });
}

/** Runs the changes of one part of the document; an error contains that part's path. */
export async function located<Result>(path: string, work: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const within = Object.entries(error.errors ?? {}).map(([field, message]) => [
      field === '' ? path : `${path}.${field}`,
      message,
    ]);
    throw new ApiError(error.code, {
      message: `${path}: ${error.message}`,
      errors: within.length > 0 ? Object.fromEntries(within) : { [path]: error.message },
      cause: error,
    });
  }
}
