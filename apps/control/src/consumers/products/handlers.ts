import type { TenantTransaction } from '../../database/schema.ts';
import { conflictsAt } from '../../frame/database-errors.ts';
import { fieldError, found } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { productOperations } from './contract.ts';
import { refusePublication, refuseState, refuseSubscribed, refuseTooManyProxies } from './rules.ts';
import {
  countSubscriptions,
  deleteProduct,
  deleteProductProxy,
  findProduct,
  holdProxy,
  insertProduct,
  listProducts,
  lockProduct,
  putProductProxy,
  unknownRoutes,
  updateProduct,
} from './store.ts';

export function productHandlers(): Handlers<typeof productOperations> {
  return {
    listProducts: ({ query }, { transaction }) => listProducts(transaction, query),
    createProduct: async ({ body }, { transaction }) => {
      const after = await conflictsAt(insertProduct(transaction, body), nameTaken);
      return { data: after, change: { entityId: after.id, before: null, after } };
    },
    getProduct: async ({ params }, { transaction }) => found(await findProduct(transaction, params.productId)),
    updateProduct: async ({ params: { productId }, body }, { transaction }) => {
      const before = found(await lockProduct(transaction, productId));
      const after = await conflictsAt(updateProduct(transaction, before, given(body)), nameTaken);
      return { data: after, change: { entityId: productId, before, after } };
    },
    deleteProduct: async ({ params: { productId } }, { transaction }) => {
      const before = found(await lockProduct(transaction, productId));
      refuseSubscribed(await countSubscriptions(transaction, productId));
      await deleteProduct(transaction, productId);
      return { data: {}, change: { entityId: productId, before, after: null } };
    },
    publishProduct: ({ params }, { transaction }) => setPublished(transaction, params.productId, true),
    unpublishProduct: ({ params }, { transaction }) => setPublished(transaction, params.productId, false),
    suspendProduct: ({ params }, { transaction }) => setState(transaction, params.productId, 'suspended'),
    activateProduct: ({ params }, { transaction }) => setState(transaction, params.productId, 'active'),
    setProductProxy: async ({ params, body: { routeIds } }, { transaction }) => {
      const before = found(await lockProduct(transaction, params.productId));
      found(await holdProxy(transaction, params.proxyId));
      refuseTooManyProxies(before, params.proxyId);
      const bundled = before.proxies.find(({ proxyId }) => proxyId === params.proxyId)?.routeIds;
      // Routes already bundled may stay: another deployment may bring them back.
      const added = routeIds?.filter((id) => !bundled?.includes(id)) ?? [];
      const unknown = await unknownRoutes(transaction, params.proxyId, added);
      if (unknown.length > 0) throw fieldError('routeIds', `Route ${unknown[0]} not found.`);
      const after = await putProductProxy(transaction, before, { proxyId: params.proxyId, routeIds });
      return { data: after, change: { entityId: params.productId, before, after } };
    },
    removeProductProxy: async ({ params }, { transaction }) => {
      const before = found(await lockProduct(transaction, params.productId));
      found(before.proxies.find(({ proxyId }) => proxyId === params.proxyId));
      const after = await deleteProductProxy(transaction, before, params.proxyId);
      return { data: {}, change: { entityId: params.productId, before, after } };
    },
  };
}

const nameTaken = {
  products_organization_id_name_key: ['name', 'Another API product has this name.'],
} as const;

async function setPublished(transaction: TenantTransaction, productId: string, published: boolean) {
  const before = found(await lockProduct(transaction, productId));
  refusePublication(before, published);
  const after = await updateProduct(transaction, before, { published });
  return { data: after, change: { entityId: productId, before, after } };
}

async function setState(transaction: TenantTransaction, productId: string, state: 'active' | 'suspended') {
  const before = found(await lockProduct(transaction, productId));
  refuseState('product', before.state, state);
  const after = await updateProduct(transaction, before, { state });
  return { data: after, change: { entityId: productId, before, after } };
}
