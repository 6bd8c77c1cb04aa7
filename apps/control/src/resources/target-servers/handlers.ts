import type { TenantTransaction } from '../../database/schema.ts';
import { conflictsAt } from '../../frame/database-errors.ts';
import { fieldError, found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { ControlParts } from '../../parts.ts';
import { compileSnapshot } from '../deployments/snapshot.ts';
import { findEnvironment } from '../environments/store.ts';
import { createTargetCheck } from './check.ts';
import type { targetServerOperations } from './contract.ts';
import { refuseReferenced, refuseUnchanged } from './rules.ts';
import {
  deleteTargetServer,
  findReferences,
  findTargetServer,
  insertTargetServer,
  listTargetServers,
  updateTargetServer,
} from './store.ts';

export function targetServerHandlers(parts: ControlParts): Handlers<typeof targetServerOperations> {
  const check = createTargetCheck();

  async function setEnabled(transaction: TenantTransaction, targetServerId: string, enabled: boolean) {
    const before = found(await findTargetServer(transaction, targetServerId, { lock: true }));
    refuseUnchanged(before, enabled);
    const after = await updateTargetServer(transaction, targetServerId, { enabled });
    await compileSnapshot(transaction, parts, before.environmentId);
    return { data: after, change: { entityId: targetServerId, before, after } };
  }

  return {
    listTargetServers: ({ query }, { transaction }) => listTargetServers(transaction, query),
    createTargetServer: async ({ body }, { transaction }) => {
      const environment = await findEnvironment(transaction, body.environmentId, { lock: true });
      if (environment === null) throw fieldError('environmentId', 'There is no such environment.');
      const created = await conflictsAt(insertTargetServer(transaction, body), nameTaken);
      await compileSnapshot(transaction, parts, created.environmentId);
      return { data: created, change: { entityId: created.id, before: null, after: created } };
    },
    getTargetServer: async ({ params }, { transaction }) =>
      found(await findTargetServer(transaction, params.targetServerId)),
    updateTargetServer: async ({ params: { targetServerId }, body }, { transaction }) => {
      const before = found(await findTargetServer(transaction, targetServerId, { lock: true }));
      if (body.name !== undefined && body.name !== before.name) {
        refuseReferenced(await findReferences(transaction, before), 'renamed');
      }
      const after = await conflictsAt(updateTargetServer(transaction, targetServerId, body), nameTaken);
      await compileSnapshot(transaction, parts, before.environmentId);
      return { data: after, change: { entityId: targetServerId, before, after } };
    },
    deleteTargetServer: async ({ params: { targetServerId } }, { transaction }) => {
      const before = found(await findTargetServer(transaction, targetServerId, { lock: true }));
      refuseReferenced(await findReferences(transaction, before), 'deleted');
      await deleteTargetServer(transaction, targetServerId);
      return { data: {}, change: { entityId: targetServerId, before, after: null } };
    },
    enableTargetServer: ({ params }, { transaction }) => setEnabled(transaction, params.targetServerId, true),
    disableTargetServer: ({ params }, { transaction }) => setEnabled(transaction, params.targetServerId, false),
    checkTargetServer: async ({ params }, { transaction }) =>
      check(found(await findTargetServer(transaction, params.targetServerId))),
    getTargetServerReferences: async ({ params }, { transaction }) =>
      findReferences(transaction, found(await findTargetServer(transaction, params.targetServerId))),
  };
}

const nameTaken = {
  target_servers_organization_id_environment_id_name_key: ['name', 'The environment has a target server of this name.'],
} as const;
