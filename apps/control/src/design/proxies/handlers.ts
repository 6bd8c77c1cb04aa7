import type { TenantTransaction } from '../../database/schema.ts';
import { ApiError, fieldError, found } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { Handlers } from '../../frame/handler.ts';
import { lockProxy } from './content.ts';
import type { proxyOperations } from './contract.ts';
import { checkBasePathChange } from './rules.ts';
import * as store from './store.ts';

/** What bundles a proxy, by its consumers. */
interface Bundled {
  /** Names of the API products that do. */
  listProductsOf(transaction: TenantTransaction, proxyId: string): Promise<readonly string[]>;
}

export function proxyHandlers({ listProductsOf }: Bundled): Handlers<typeof proxyOperations> {
  return {
    listProxies: ({ query }, { transaction }) => store.listProxies(transaction, query),
    createProxy: async ({ body }, { transaction, caller, settle }) => {
      const id = await store.insertProxy(transaction, caller.id, body);
      await settle();
      const created = found(await store.findProxy(transaction, id));
      return { data: created, change: { entityId: id, before: null, after: created } };
    },
    getProxy: async ({ params }, { transaction }) => found(await store.findProxy(transaction, params.proxyId)),
    updateProxy: async ({ params, body }, { transaction, settle }) => {
      const { proxyId } = params;
      const before = store.presentProxy(await lockProxy(transaction, proxyId));
      const wanted = { ...before, ...given(body) };
      const refusal = checkBasePathChange(before.basePath, wanted.basePath);
      if (refusal !== null) throw fieldError('basePath', refusal);
      await store.updateProxy(transaction, proxyId, wanted);
      await settle();
      const after = found(await store.findProxy(transaction, proxyId));
      return { data: after, change: { entityId: proxyId, before, after } };
    },
    deleteProxy: async ({ params }, { transaction }) => {
      const { proxyId } = params;
      const before = store.presentProxy(await lockProxy(transaction, proxyId));
      const serving = await store.listServing(transaction, proxyId);
      if (serving.length > 0) {
        const environments = [...new Set(serving.map(({ environmentName }) => environmentName))].join(', ');
        throw new ApiError('conflict', { message: `It is live in ${environments}. Undeploy it there first.` });
      }
      const products = await listProductsOf(transaction, proxyId);
      if (products.length > 0) {
        const named = products.slice(0, 10).join(', ');
        throw new ApiError('conflict', { message: `API products bundle it. Unbundle it from ${named} first.` });
      }
      await store.removeProxy(transaction, proxyId);
      return { data: {}, change: { entityId: proxyId, before, after: null } };
    },
  };
}
