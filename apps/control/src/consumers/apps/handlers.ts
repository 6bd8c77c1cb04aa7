import type { TenantTransaction } from '../../database/schema.ts';
import { conflictsAt } from '../../frame/database-errors.ts';
import { found } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { Handlers } from '../../frame/handler.ts';
import { refuseState } from '../products/rules.ts';
import type { appOperations } from './contract.ts';
import {
  countUnrevoked,
  findCredential,
  insertCredential,
  listCredentials,
  openKey,
  presentCredential,
  revokeCredential,
  rotateCredential,
} from './credentials.ts';
import type { KeySealers } from './key-sealers.ts';
import { expiryOf, graceEnd, refuseMove, refuseTooManyCredentials } from './rules.ts';
import { deleteApp, findApp, insertApp, listApps, updateApp } from './store.ts';

export function appHandlers({ keySealers }: { readonly keySealers: KeySealers }): Handlers<typeof appOperations> {
  return {
    listApps: ({ query }, { transaction }) => listApps(transaction, query),
    createApp: async ({ body }, { transaction }) => {
      const after = await conflictsAt(insertApp(transaction, body), meanings);
      return { data: after, change: { entityId: after.id, before: null, after } };
    },
    getApp: async ({ params }, { transaction }) => found(await findApp(transaction, params.appId)),
    updateApp: async ({ params: { appId }, body }, { transaction }) => {
      const before = found(await findApp(transaction, appId, { lock: true }));
      const after = await conflictsAt(updateApp(transaction, before, given(body)), meanings);
      return { data: after, change: { entityId: appId, before, after } };
    },
    deleteApp: async ({ params: { appId } }, { transaction }) => {
      const before = found(await findApp(transaction, appId, { lock: true }));
      const { credentials, subscriptions } = await deleteApp(transaction, appId);
      const note = `With ${credentials} credentials and ${subscriptions} approved subscriptions.`;
      return { data: {}, change: { entityId: appId, before, after: null, note } };
    },
    suspendApp: ({ params }, { transaction }) => setState(transaction, params.appId, 'suspended'),
    activateApp: ({ params }, { transaction }) => setState(transaction, params.appId, 'active'),
    listCredentials: async ({ params: { appId }, query }, { transaction, now }) => {
      found(await findApp(transaction, appId));
      return listCredentials(transaction, appId, query, now);
    },
    issueCredential: async ({ params: { appId }, body }, { transaction, now }) => {
      const app = found(await findApp(transaction, appId, { lock: true }));
      const expiresAt = expiryOf(body.expiresAt, now);
      refuseTooManyCredentials(await countUnrevoked(transaction, appId));
      const { row, key } = await insertCredential(transaction, keySealers(transaction.tenantId), {
        appId,
        name: body.name,
        expiresAt,
      });
      const after = presentCredential(row, now);
      const note = `Of the app ${app.name} (${appId}).`;
      return { data: { ...after, key }, change: { entityId: row.id, before: null, after, note } };
    },
    getCredential: async ({ params }, { transaction, now }) =>
      presentCredential(found(await findCredential(transaction, params)), now),
    rotateCredential: async ({ params, body }, { transaction, now }) => {
      const old = found(await findCredential(transaction, params, { lock: true }));
      const before = presentCredential(old, now);
      refuseMove(before.state, 'rotate');
      const previousValidUntil = graceEnd(body.graceSeconds, old.expires_at, now);
      const { row, key } = await rotateCredential(
        transaction,
        keySealers(transaction.tenantId),
        old,
        previousValidUntil,
      );
      const after = presentCredential(row, now);
      return { data: { ...after, key }, change: { entityId: row.id, before, after } };
    },
    revokeCredential: async ({ params }, { transaction, now }) => {
      const old = found(await findCredential(transaction, params, { lock: true }));
      const before = presentCredential(old, now);
      refuseMove(before.state, 'revoke');
      const row = await revokeCredential(transaction, old.id, now);
      const after = presentCredential(row, now);
      return { data: after, change: { entityId: row.id, before, after } };
    },
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

const meanings = {
  apps_organization_id_developer_id_name_key: ['name', 'Another app of this developer has this name.'],
  apps_organization_id_developer_id_fkey: ['developerId', 'Developer not found.'],
} as const;

async function setState(transaction: TenantTransaction, appId: string, state: 'active' | 'suspended') {
  const before = found(await findApp(transaction, appId, { lock: true }));
  refuseState('app', before.state, state);
  const after = await updateApp(transaction, before, { state });
  return { data: after, change: { entityId: appId, before, after } };
}
