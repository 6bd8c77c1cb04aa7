import type * as z from 'zod';
import type { App } from '../../consumers/apps/contract.ts';
import { listCredentials } from '../../consumers/apps/credentials.ts';
import type { KeySealers } from '../../consumers/apps/key-sealers.ts';
import { listApps } from '../../consumers/apps/store.ts';
import { changeApp, issueKey, registerApp, removeApp, revokeKey, rotateKey } from '../../consumers/apps/writes.ts';
import { lockDeveloper } from '../../consumers/developers/store.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { found } from '../../frame/errors.ts';
import type { Handlers, Written } from '../../frame/handler.ts';
import type { PortalApp, portalAppOperations } from './contract.ts';
import {
  mostPortalCredentials,
  nameFor,
  presentApp,
  refuseHolding,
  refuseSuspended,
  refuseTooManyApps,
} from './rules.ts';
import { countOfApps, hasPrepaidMoney, namesOfApps, ownApp } from './store.ts';

/** Apps and keys of the caller's own developer account; another's are not found. */
export function portalAppHandlers({
  keySealers,
}: {
  readonly keySealers: KeySealers;
}): Handlers<typeof portalAppOperations> {
  return {
    listPortalApps: async ({ query }, { transaction, caller }) => {
      const { apps, total } = await listApps(transaction, { ...query, developerId: caller.developerId });
      const counts = await countOfApps(
        transaction,
        apps.map(({ id }) => id),
      );
      return { apps: apps.map((app) => presentApp(app, counts(app.id))), total };
    },
    createPortalApp: async ({ body }, { transaction, caller }) => {
      const { developerId } = caller;
      // Locked until the commit, so that the second of two simultaneous apps sees the first.
      found(await lockDeveloper(transaction, developerId));
      const names = await namesOfApps(transaction, developerId);
      refuseTooManyApps(names.size);
      const name = body.name ?? nameFor(body.displayName, names);
      return presented(transaction, await registerApp(transaction, { ...body, name, developerId }));
    },
    getPortalApp: async ({ params }, { transaction, caller }) =>
      withCounts(transaction, await ownApp(transaction, caller.developerId, params.appId)),
    updatePortalApp: async ({ params, body }, { transaction, caller }) => {
      const before = await ownApp(transaction, caller.developerId, params.appId, { lock: true });
      return presented(transaction, await changeApp(transaction, before, body));
    },
    deletePortalApp: async ({ params }, { transaction, caller }) => {
      const before = await ownApp(transaction, caller.developerId, params.appId, { lock: true });
      // Otherwise a new app would end the suspension.
      refuseSuspended(before);
      refuseHolding(await hasPrepaidMoney(transaction, before.id));
      return removeApp(transaction, before);
    },
    listPortalCredentials: async ({ params, query }, { transaction, caller, now }) => {
      const app = await ownApp(transaction, caller.developerId, params.appId);
      return listCredentials(transaction, app.id, query, now);
    },
    issuePortalCredential: async ({ params, body }, { transaction, caller, now }) => {
      const app = await ownApp(transaction, caller.developerId, params.appId, { lock: true });
      const sealer = keySealers(transaction.tenantId);
      return issueKey(transaction, { app, sealer, most: mostPortalCredentials, now }, body);
    },
    rotatePortalCredential: async ({ params, body }, { transaction, caller, now }) => {
      await ownApp(transaction, caller.developerId, params.appId, { lock: true });
      const sealer = keySealers(transaction.tenantId);
      return rotateKey(transaction, { params, sealer, now }, body.graceSeconds);
    },
    revokePortalCredential: async ({ params }, { transaction, caller, now }) => {
      await ownApp(transaction, caller.developerId, params.appId, { lock: true });
      return revokeKey(transaction, params, now);
    },
  };
}

async function presented(
  transaction: TenantTransaction,
  { data, ...written }: Written<z.infer<typeof App>>,
): Promise<Written<PortalApp>> {
  return { ...written, data: await withCounts(transaction, data) };
}

async function withCounts(transaction: TenantTransaction, app: z.infer<typeof App>): Promise<PortalApp> {
  const counts = await countOfApps(transaction, [app.id]);
  return presentApp(app, counts(app.id));
}
