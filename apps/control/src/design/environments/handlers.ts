import type * as z from 'zod';
import type { TenantTransaction } from '../../database/schema.ts';
import { conflictsAt } from '../../frame/database-errors.ts';
import { ApiError, found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import type { EnvironmentRefusal, environmentOperations } from './contract.ts';
import {
  mostVariables,
  refuseLargeSecrets,
  refuseNonEmpty,
  refuseProductionChange,
  refuseTakenHostNames,
} from './rules.ts';
import {
  contentsOf,
  countVariables,
  deleteEnvironment,
  deleteVariable,
  findEnvironment,
  findVariable,
  hostNamesElsewhere,
  insertEnvironment,
  listEnvironments,
  listVariables,
  putVariable,
  secretOfVariable,
  updateEnvironment,
} from './store.ts';

/** What delivery knows about an environment. */
interface Delivered {
  /** What its gateway nodes reject; null if they load everything. */
  findRefusal(
    transaction: TenantTransaction,
    environmentId: string,
  ): Promise<z.infer<typeof EnvironmentRefusal> | null>;
  /** All secrets that its nodes may get, by name. */
  findSecrets(transaction: TenantTransaction, environmentId: string): Promise<Readonly<Record<string, string>>>;
}

export function environmentHandlers({
  sealer,
  findRefusal,
  findSecrets,
}: Pick<Parts, 'sealer'> & Delivered): Handlers<typeof environmentOperations> {
  return {
    listEnvironments: ({ query }, { transaction }) => listEnvironments(transaction, query),
    createEnvironment: async ({ body }, { transaction }) => {
      refuseTakenHostNames(await hostNamesElsewhere(transaction, body.hostNames, null));
      const created = await conflictsAt(insertEnvironment(transaction, body), nameTaken);
      return { data: created, change: { entityId: created.id, before: null, after: created } };
    },
    getEnvironment: async ({ params: { environmentId } }, { transaction }) => {
      const environment = found(await findEnvironment(transaction, environmentId));
      return { ...environment, refusal: await findRefusal(transaction, environmentId) };
    },
    updateEnvironment: async ({ params: { environmentId }, body }, { transaction }) => {
      const before = await lockEnvironment(transaction, environmentId);
      refuseProductionChange(before, body.production, await contentsOf(transaction, environmentId));
      refuseTakenHostNames(await hostNamesElsewhere(transaction, body.hostNames ?? [], environmentId));
      const after = await conflictsAt(updateEnvironment(transaction, environmentId, body), nameTaken);
      return { data: after, change: { entityId: environmentId, before, after } };
    },
    deleteEnvironment: async ({ params: { environmentId } }, { transaction }) => {
      const before = await lockEnvironment(transaction, environmentId);
      refuseNonEmpty(await contentsOf(transaction, environmentId));
      await conflictsAt(deleteEnvironment(transaction, environmentId), {
        target_servers_organization_id_environment_id_fkey: [null, 'Delete its target servers first.'],
        gateway_nodes_organization_id_environment_id_fkey: [null, 'Remove its gateway nodes first.'],
        deployments_organization_id_environment_id_fkey: [null, 'Undeploy everything here first.'],
      });
      return { data: {}, change: { entityId: environmentId, before, after: null } };
    },
    listEnvironmentVariables: async ({ params: { environmentId }, query }, { transaction }) => {
      found(await findEnvironment(transaction, environmentId));
      return listVariables(transaction, environmentId, query);
    },
    setEnvironmentVariable: async ({ params, body }, { transaction }) => {
      await lockEnvironment(transaction, params.environmentId);
      const before = await findVariable(transaction, params.environmentId, params.name);
      if (before === null && (await countVariables(transaction, params.environmentId)) >= mostVariables) {
        throw new ApiError('conflict', {
          message: `An environment can have at most ${mostVariables} variables. Remove one first.`,
        });
      }
      if (body.secret) {
        const secrets = await findSecrets(transaction, params.environmentId);
        refuseLargeSecrets(secrets, { ...secrets, [secretOfVariable(params.name)]: body.value });
      }
      const after = await putVariable(transaction, sealer, params, body);
      const note = body.secret ? { note: `A secret value was set for ${params.name}.` } : {};
      return { data: after, change: { entityId: variableId(params), before, after, ...note } };
    },
    deleteEnvironmentVariable: async ({ params }, { transaction }) => {
      await lockEnvironment(transaction, params.environmentId);
      const before = found(await findVariable(transaction, params.environmentId, params.name));
      await deleteVariable(transaction, params);
      return { data: {}, change: { entityId: variableId(params), before, after: null } };
    },
  };
}

const nameTaken = {
  environments_organization_id_name_key: ['name', 'Another environment has this name.'],
} as const;

async function lockEnvironment(transaction: TenantTransaction, environmentId: string) {
  return found(await findEnvironment(transaction, environmentId, { lock: true }));
}

/** The id of a variable in the audit trail. */
function variableId(key: { readonly environmentId: string; readonly name: string }): string {
  return `${key.environmentId}.${key.name}`;
}
