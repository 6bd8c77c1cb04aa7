import { findProduct } from '../../consumers/products/store.ts';
import { found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { ratePlanOperations } from './contract.ts';
import { listRatePlans } from './store.ts';

export function ratePlanHandlers(): Handlers<typeof ratePlanOperations> {
  return {
    listProductRatePlans: async ({ params: { productId }, query }, { transaction }) => {
      found(await findProduct(transaction, productId));
      return listRatePlans(transaction, productId, query);
    },
  };
}
