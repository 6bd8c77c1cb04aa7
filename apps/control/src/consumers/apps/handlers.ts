import type { TenantTransaction } from '../../database/schema.ts';
import { found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import { refuseState } from '../products/rules.ts';
import type { appOperations } from './contract.ts';
import { findCredential, listCredentials, openKey, presentCredential } from './credentials.ts';
import type { KeySealers } from './key-sealers.ts';
import { mostCredentials, refuseMove } from './rules.ts';
import { findApp, listApps, updateApp } from './store.ts';
import { changeApp, issueKey, registerApp, removeApp, revokeKey, rotateKey } from './writes.ts';

export function appHandlers({ keySealers }: { readonly keySealers: KeySealers }): Handlers<typeof appOperations> {
  return {
    listApps: ({ query }, { transaction }) => listApps(transaction, query),
    createApp: ({ body }, { transaction }) => registerApp(transaction, body),
    getApp: async ({ params }, { transaction }) => found(await findApp(transaction, params.appId)),
    updateApp: async ({ params, body }, { transaction }) =>
      changeApp(transaction, await lockApp(transaction, params.appId), body),
    deleteApp: async ({ params }, { transaction }) => removeApp(transaction, await lockApp(transaction, params.appId)),
    suspendApp: ({ params }, { transaction }) => setState(transaction, params.appId, 'suspended'),
    activateApp: ({ params }, { transaction }) => setState(transaction, params.appId, 'active'),
    listCredentials: async ({ params: { appId }, query }, { transaction, now }) => {
      found(await findApp(transaction, appId));
      return listCredentials(transaction, appId, query, now);
    },
    issueCredential: async ({ params, body }, { transaction, now }) => {
      const app = await lockApp(transaction, params.appId);
      return issueKey(transaction, { app, sealer: keySealers(transaction.tenantId), most: mostCredentials, now }, body);
    },
    getCredential: async ({ params }, { transaction, now }) =>
      presentCredential(found(await findCredential(transaction, params)), now),
    rotateCredential: ({ params, body }, { transaction, now }) =>
      rotateKey(transaction, { params, sealer: keySealers(transaction.tenantId), now }, body.graceSeconds),
    revokeCredential: ({ params }, { transaction, now }) => revokeKey(transaction, params, now),
    revealCredential: async ({ params }, { transaction, now }) => {
      const row = found(await findCredential(transaction, params, { lock: true }));
      const shown = presentCredential(row, now);
      refuseMove(shown.state, 'reveal');
      const note = `The key of the credential ${shown.name} was revealed.`;
      return {
        data: { ...shown, key: openKey(keySealers(transaction.tenantId), row) },
        change: { entityId: row.id, before: shown, after: shown, note },
      };
    },
  };
}

async function lockApp(transaction: TenantTransaction, appId: string) {
  return found(await findApp(transaction, appId, { lock: true }));
}

async function setState(transaction: TenantTransaction, appId: string, state: 'active' | 'suspended') {
  const before = await lockApp(transaction, appId);
  refuseState('app', before.state, state);
  const after = await updateApp(transaction, before, { state });
  return { data: after, change: { entityId: appId, before, after } };
}
