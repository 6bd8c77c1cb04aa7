import { writeYaml } from '@millrace/openapi/text';
import { sql } from 'kysely';
import { ApiError } from '../../frame/errors.ts';
import type { UntypedHandler } from '../../frame/execute.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import { lockAccess } from '../../identity/roles/store.ts';
import { applyDocument } from './apply.ts';
import type { declarativeOperations } from './contract.ts';
import { declare, type PlanEntry, planOf } from './declare.ts';
import { readDocument } from './document.ts';
import { createPerform } from './perform.ts';
import { loadState } from './state.ts';

/** @param handlerOf the handler of any operation, by which a document is carried out */
export function declarativeHandlers(
  parts: Pick<Parts, 'sealer'>,
  handlerOf: (operationId: string) => UntypedHandler,
): Handlers<typeof declarativeOperations> {
  const performFor = createPerform(handlerOf);
  return {
    exportOrganization: async ({ params, query }, { organizationId, transaction }) => {
      refuseOther(organizationId, params.organizationId);
      const state = await loadState(transaction);
      const document = declare(state);
      const { name } = state.organization;
      return query.format === 'json'
        ? { text: `${JSON.stringify(document, null, 2)}\n`, fileName: `${name}.json`, mediaType: 'application/json' }
        : { text: await writeYaml(document), fileName: `${name}.yaml` };
    },
    applyOrganization: {
      // A document of megabytes takes its time, in which no connection is held.
      prepare: async ({ params, body }, { organizationId }) => {
        refuseOther(organizationId, params.organizationId);
        const { dryRun, prune } = body;
        const document = await readDocument(body.document);
        return async (context) => {
          const { transaction } = context;
          await lockAccess(transaction, organizationId);
          const before = await loadState(transaction);
          await sql`savepoint dry_run`.execute(transaction);
          const { perform, inProduction } = performFor(context);
          await applyDocument({ context, perform, sealer: parts.sealer, state: before, document, prune });
          const after = await loadState(transaction);
          if (dryRun) await sql`rollback to savepoint dry_run`.execute(transaction);
          const plan = planOf(before, after);
          const data = { applied: !dryRun, plan: [...plan] };
          if (dryRun) return { data, change: null };
          const { version } = before.organization;
          const [was, is] = [auditedSide(plan, 'before'), auditedSide(plan, 'after')];
          return {
            data,
            change: {
              entityId: organizationId,
              before: { version, ...was },
              after: is,
              note: `Declarative document applied: ${plan.length} changes`,
              production: inProduction(),
            },
          };
        };
      },
    },
  };
}

/** The path names the organization that the call is within; for anyone else it does not exist. */
function refuseOther(organizationId: string, named: string): void {
  if (organizationId !== named) throw new ApiError('not_found');
}

/** One side of the plan as the audit trail compares it: a field for each change, by what it is about. */
function auditedSide(plan: readonly PlanEntry[], side: 'before' | 'after'): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    plan.flatMap(({ kind, name, changes }) =>
      changes.map((change) => [`${kind} ${name}: ${change.path}`, change[side]] as const),
    ),
  );
}
