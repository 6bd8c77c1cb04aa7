import { newId } from '@millrace/identifiers';
import type { TenantTransaction } from '../../database/schema.ts';
import { conflictsAt } from '../../frame/database-errors.ts';
import { found, foundAt } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import { createSlots } from '../../frame/slots.ts';
import { findEnvironment } from '../environments/store.ts';
import { checkTarget } from './check.ts';
import type { targetServerOperations } from './contract.ts';
import { refuseReferenced, refuseRepeatedEndpoints, refuseUnchanged, refuseUnservable } from './rules.ts';
import {
  clientKeyContext,
  deleteTargetServer,
  environmentOf,
  findClientKey,
  findReferences,
  findTargetServer,
  insertTargetServer,
  listTargetServers,
  type StoredTls,
  updateTargetServer,
} from './store.ts';
import { type GivenTls, refuseUnusableTls } from './tls.ts';

/** A check holds its call's database connection while it waits. */
const checksAtOnce = { ofOrganization: 2, inAll: 4, retrySeconds: 5 };

export function targetServerHandlers(parts: Parts): Handlers<typeof targetServerOperations> {
  const slots = createSlots('checks', checksAtOnce);

  /** Locks a target server after its environment: deployments lock them in the same order. */
  async function lockTarget(transaction: TenantTransaction, targetServerId: string) {
    const environmentId = found(await environmentOf(transaction, targetServerId));
    found(await findEnvironment(transaction, environmentId, { lock: true }));
    return found(await findTargetServer(transaction, targetServerId, { lock: true }));
  }

  /** TLS settings as stored: an omitted key is kept as long as it has a certificate. */
  function storeTls(
    targetServerId: string,
    { clientKey, ...tls }: GivenTls & { readonly clientKey?: string | undefined },
    presentKey: Buffer | null,
  ): StoredTls {
    const context = clientKeyContext(targetServerId);
    const kept = presentKey === null || tls.clientCertificate === null ? null : parts.sealer.open(presentKey, context);
    const key = clientKey ?? kept?.toString() ?? null;
    refuseUnusableTls(tls, key);
    return { ...tls, sealedClientKey: key === null ? null : parts.sealer.seal(Buffer.from(key), context) };
  }

  async function setEnabled(transaction: TenantTransaction, targetServerId: string, enabled: boolean) {
    const before = await lockTarget(transaction, targetServerId);
    refuseUnchanged(before, enabled);
    const after = await updateTargetServer(transaction, targetServerId, { enabled });
    return { data: after, change: { entityId: targetServerId, before, after } };
  }

  return {
    listTargetServers: ({ query }, { transaction }) => listTargetServers(transaction, query),
    createTargetServer: async ({ body }, { transaction }) => {
      foundAt('environmentId', 'Environment', await findEnvironment(transaction, body.environmentId, { lock: true }));
      refuseRepeatedEndpoints(body, body.endpoints);
      refuseUnservable(body, parts.outbound);
      const id = newId('tgt');
      const values = { ...body, tls: storeTls(id, body.tls, null) };
      const created = await conflictsAt(insertTargetServer(transaction, id, values), nameTaken);
      return { data: created, change: { entityId: created.id, before: null, after: created } };
    },
    getTargetServer: async ({ params }, { transaction }) =>
      found(await findTargetServer(transaction, params.targetServerId)),
    updateTargetServer: async ({ params: { targetServerId }, body }, { transaction }) => {
      const before = await lockTarget(transaction, targetServerId);
      if (body.name !== undefined && body.name !== before.name) {
        refuseReferenced(await findReferences(transaction, before), 'renamed');
      }
      const { tls, ...others } = body;
      const fields = {
        ...others,
        ...(tls && { tls: storeTls(targetServerId, tls, await findClientKey(transaction, targetServerId)) }),
      };
      const own = { host: body.host ?? before.host, port: body.port ?? before.port };
      refuseRepeatedEndpoints(own, body.endpoints ?? before.endpoints);
      refuseUnservable(body, parts.outbound);
      const after = await conflictsAt(updateTargetServer(transaction, targetServerId, fields), nameTaken);
      return { data: after, change: { entityId: targetServerId, before, after } };
    },
    deleteTargetServer: async ({ params: { targetServerId } }, { transaction }) => {
      const before = await lockTarget(transaction, targetServerId);
      refuseReferenced(await findReferences(transaction, before), 'deleted');
      await deleteTargetServer(transaction, targetServerId);
      return { data: {}, change: { entityId: targetServerId, before, after: null } };
    },
    enableTargetServer: ({ params }, { transaction }) => setEnabled(transaction, params.targetServerId, true),
    disableTargetServer: ({ params }, { transaction }) => setEnabled(transaction, params.targetServerId, false),
    checkTargetServer: async ({ params: { targetServerId } }, { transaction }) => {
      const target = found(await findTargetServer(transaction, targetServerId));
      const sealedKey = await findClientKey(transaction, targetServerId);
      const clientKey = sealedKey && parts.sealer.open(sealedKey, clientKeyContext(targetServerId)).toString();
      const checked = { ...target, tls: { ...target.tls, clientKey } };
      return slots.use(transaction.tenantId, () => checkTarget(checked, parts.outbound));
    },
    getTargetServerReferences: async ({ params }, { transaction }) =>
      findReferences(transaction, found(await findTargetServer(transaction, params.targetServerId))),
  };
}

const nameTaken = {
  target_servers_organization_id_environment_id_name_key: [
    'name',
    'Another target server of this environment has this name.',
  ],
} as const;
