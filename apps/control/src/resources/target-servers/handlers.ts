import { conflictsAt } from '../../frame/database-errors.ts';
import { found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { targetServerOperations } from './contract.ts';
import { findTargetServer, insertTargetServer, listTargetServers } from './store.ts';

export function targetServerHandlers(): Handlers<typeof targetServerOperations> {
  return {
    listTargetServers: ({ query }, { transaction }) => listTargetServers(transaction, query),
    createTargetServer: async ({ body }, { transaction }) => {
      const created = await conflictsAt(insertTargetServer(transaction, body), {
        target_servers_organization_id_environment_id_name_key: [
          'name',
          'The environment has a target server of this name.',
        ],
        target_servers_organization_id_environment_id_fkey: ['environmentId', 'There is no such environment.'],
      });
      return { data: created, change: { entityId: created.id, before: null, after: created } };
    },
    getTargetServer: async ({ params }, { transaction }) =>
      found(await findTargetServer(transaction, params.targetServerId)),
  };
}
