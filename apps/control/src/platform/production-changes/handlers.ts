import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import type { Caller } from '../../frame/caller.ts';
import { ApiError, found } from '../../frame/errors.ts';
import { dropEvents } from '../../frame/events.ts';
import type { UntypedHandler } from '../../frame/execute.ts';
import type { CallerContext, Handlers, Written } from '../../frame/handler.ts';
import type { AnyControlOperation } from '../../frame/operation.ts';
import type { Parts } from '../../frame/parts.ts';
import { loadPersons } from '../../frame/persons.ts';
import type { productionChangeOperations } from './contract.ts';
import { inputContext } from './gate.ts';
import { notifyRequester } from './notices.ts';
import { findRequester } from './requester.ts';
import * as rules from './rules.ts';
import { decideChange, findChange, listChanges, operationOf, type PresentedChange } from './store.ts';

type Context = CallerContext<TenantTransaction>;

/** @param handlerOf the handler of any operation, by which an approval carries a change out */
export function productionChangeHandlers(
  parts: Parts,
  handlerOf: (operationId: string) => UntypedHandler,
): Handlers<typeof productionChangeOperations> {
  const sending = ({ transaction, now, mail }: Context) => ({ transaction, now, mail, publicUrl: parts.publicUrl() });

  /** The call as it was sent, under the schemas that hold now. */
  function openInput({ id }: PresentedChange, sealed: Buffer, operation: AnyControlOperation): object {
    const sent = JSON.parse(parts.sealer.open(sealed, inputContext(id)).toString());
    const { params, body } = operation.request;
    const input = { params: params?.safeParse(sent.params), body: body?.safeParse(sent.body) };
    if (input.params?.success === false || input.body?.success === false) throw outdated();
    return {
      ...(input.params && { params: input.params.data }),
      ...(input.body && { body: input.body.data }),
      query: {},
    };
  }

  /**
   * Does for the requester what the change asks for, by the operation's own handler; null where what it changes is gone.
   *
   * @throws ApiError `conflict` where the rules that hold now do not allow it
   */
  async function carryOut(
    context: Context,
    { change, operation, requester, input }: Approvable,
  ): Promise<Written<unknown> | null> {
    const { transaction } = context;
    const handle = handlerOf(change.operation);
    const asRequester = { ...context, caller: requester, settle: () => context.settle(requester) };
    await sql`savepoint carrying_out`.execute(transaction);
    try {
      const respond =
        typeof handle === 'function'
          ? (inner: CallerContext<never>) => handle(input, inner)
          : await handle.prepare(input, {
              ...asRequester,
              operation,
              headers: {},
              pending: { mail: false, begins: [] },
            });
      // Each handler is written for a context of its own scope, which a tenant's transaction serves.
      const written = (await respond(asRequester as unknown as CallerContext<never>)) as Written<unknown>;
      await asRequester.settle();
      return written;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== 'not_found') {
        throw new ApiError('conflict', {
          message: `This can no longer be carried out. ${error.message}`,
          cause: error,
          ...(error.errors === null ? {} : { errors: error.errors }),
        });
      }
      await sql`rollback to savepoint carrying_out`.execute(transaction);
      dropEvents(transaction);
      return null;
    }
  }

  return {
    listProductionChanges: async ({ query }, { transaction, caller }) =>
      listChanges(transaction, query, caller, await loadPersons(transaction, caller)),
    getProductionChange: async ({ params: { changeId } }, { transaction, caller }) => {
      const { change, row } = found(await findChange(transaction, changeId));
      const persons = await loadPersons(transaction, caller);
      const mayApprove = caller.permissions.has('deployment.prod');
      const obstacle = rules.approvalObstacle(change, row.author_keys, persons, mayApprove);
      // Copied: what the answer's schema describes can be written to.
      const input = structuredClone(row.shown_input) as Record<string, never>;
      return {
        ...change,
        input,
        approval: { allowed: obstacle === null, reason: obstacle },
        withdrawable: change.state === 'pending' && rules.isRequester(row.author_keys, caller),
      };
    },
    approveProductionChange: {
      prepare: async ({ params: { changeId }, body }, { organizationId }) => {
        const { row: asked } = await tenantTransaction(
          parts.database,
          organizationId,
          async (transaction) => found(await findChange(transaction, changeId)),
          { access: 'read only' },
        );
        const requester = await findRequester(parts.database, {
          id: asked.requested_by,
          kind: asked.requested_by_kind,
        });
        return async (context) => {
          const { transaction, caller, now } = context;
          const { change, row } = found(await findChange(transaction, changeId, { lock: true }));
          rules.refuseDecided(change);
          rules.refuseApprover(row.author_keys, await loadPersons(transaction, caller));
          const operation = operationOf(change.operation);
          if (operation === null) throw outdated();
          rules.refuseLostRight(change.requestedByName, requester, operation);
          const input = openInput(change, row.sealed_input, operation);
          const written = await carryOut(context, { change, operation, requester: requester!, input });
          const carriedOut = written?.change ?? null;
          if (carriedOut !== null) {
            rules.refuseChanged(row.entity_state, rules.stateOf(operation, carriedOut.before));
          }
          const reason = body.reason === '' ? null : body.reason;
          const state = carriedOut === null ? 'void' : 'approved';
          const after = await decideChange(transaction, changeId, { state, decider: caller, reason }, now);
          await notifyRequester(sending(context), after);
          const note = `Approved by ${caller.name} (${changeId}).`;
          return {
            data: after,
            change: { entityId: changeId, before: change, after, note: reason ?? '' },
            ...(carriedOut && {
              also: {
                operation,
                caller: requester!,
                change: {
                  ...carriedOut,
                  severity: 'high' as const,
                  note: carriedOut.note ? `${carriedOut.note} ${note}` : note,
                },
              },
            }),
          };
        };
      },
    },
    rejectProductionChange: ({ params: { changeId }, body: { reason } }, context) =>
      decide(context, changeId, 'rejected', reason),
    withdrawProductionChange: async ({ params: { changeId } }, context) => {
      const { row } = found(await findChange(context.transaction, changeId, { lock: true }));
      rules.refuseWithdrawal(row.author_keys, context.caller);
      return decide(context, changeId, 'withdrawn', null);
    },
  };

  async function decide(
    context: Context,
    changeId: string,
    state: 'rejected' | 'withdrawn',
    reason: string | null,
  ): Promise<Written<PresentedChange>> {
    const { transaction, caller, now } = context;
    const { change: before } = found(await findChange(transaction, changeId, { lock: true }));
    rules.refuseDecided(before);
    const after = await decideChange(transaction, changeId, { state, decider: caller, reason }, now);
    await notifyRequester(sending(context), after);
    return { data: after, change: { entityId: changeId, before, after, note: reason ?? '' } };
  }
}

/** A change with all that it takes to carry it out. */
interface Approvable {
  readonly change: PresentedChange;
  readonly operation: AnyControlOperation;
  readonly requester: Caller;
  readonly input: object;
}

function outdated(): ApiError {
  return new ApiError('conflict', {
    message: 'This version of the service no longer supports this change. Reject it and request it again.',
  });
}
