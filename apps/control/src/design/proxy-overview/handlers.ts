import { found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import { findProxy, listServing } from '../proxies/store.ts';
import type { proxyOverviewOperations } from './contract.ts';
import { loadOverview } from './store.ts';

export function proxyOverviewHandlers(): Handlers<typeof proxyOverviewOperations> {
  return {
    getProxyOverview: async ({ params }, { transaction }) => {
      const proxy = found(await findProxy(transaction, params.proxyId));
      return {
        proxy,
        ...(await loadOverview(transaction, proxy)),
        deployments: await listServing(transaction, proxy.id),
      };
    },
  };
}
