import { newId } from '@millrace/identifiers';
import { ApiError, fieldError, found } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { Handlers } from '../../frame/handler.ts';
import { listPoliciesOfRoute, narrowPolicies } from '../policies/store.ts';
import { lockProxy } from '../proxies/content.ts';
import { findProxy } from '../proxies/store.ts';
import { within } from '../proxies/trail.ts';
import type { routeOperations } from './contract.ts';
import { mostRoutes, type RouteFault, routeConflict, routeName, targetPathFault } from './rules.ts';
import * as store from './store.ts';

export function routeHandlers(): Handlers<typeof routeOperations> {
  return {
    listRoutes: async ({ params, query }, { transaction }) => {
      found(await findProxy(transaction, params.proxyId));
      return store.listRoutes(transaction, params.proxyId, query);
    },
    createRoute: async ({ params, body }, { transaction }) => {
      const { proxyId } = params;
      await lockProxy(transaction, proxyId);
      const routes = await store.allRoutes(transaction, proxyId);
      if (routes.length >= mostRoutes) {
        throw new ApiError('conflict', {
          message: `An API proxy can have at most ${mostRoutes} routes. Remove one first.`,
        });
      }
      refuse(targetPathFault(body) ?? routeConflict(routes, body));
      await store.requireTargetServer(transaction, body.targetServer);
      const id = newId('rte');
      await store.insertRoutes(transaction, proxyId, [{ id, ...body }]);
      const created = found(await store.findRoute(transaction, proxyId, id));
      return { data: created, change: within('route', proxyId, null, created, `Route ${routeName(created)}`) };
    },
    getRoute: async ({ params }, { transaction }) => {
      found(await findProxy(transaction, params.proxyId));
      return found(await store.findRoute(transaction, params.proxyId, params.routeId));
    },
    updateRoute: async ({ params, body }, { transaction }) => {
      const { proxyId, routeId } = params;
      await lockProxy(transaction, proxyId);
      const routes = await store.allRoutes(transaction, proxyId);
      const before = found(routes.find(({ id }) => id === routeId));
      const wanted = { ...before, ...given(body) };
      const others = routes.filter(({ id }) => id !== routeId);
      refuse(targetPathFault(wanted) ?? routeConflict(others, wanted));
      if (wanted.targetServer !== before.targetServer) {
        await store.requireTargetServer(transaction, wanted.targetServer);
      }
      const after = await store.updateRoute(transaction, wanted);
      return { data: after, change: within('route', proxyId, before, after, `Route ${routeName(after)}`) };
    },
    deleteRoute: async ({ params }, { transaction }) => {
      const { proxyId, routeId } = params;
      await lockProxy(transaction, proxyId);
      const before = found(await store.findRoute(transaction, proxyId, routeId));
      const alone = (await listPoliciesOfRoute(transaction, proxyId, routeId)).filter(
        ({ routeIds }) => routeIds?.length === 1,
      );
      if (alone.length > 0) {
        const names = alone.map(({ name }) => `"${name}"`).join(', ');
        throw new ApiError('conflict', {
          message: `The policy ${names} only applies to this route. Detach the policy or apply it elsewhere first.`,
        });
      }
      await narrowPolicies(transaction, proxyId, routeId);
      await store.deleteRoute(transaction, proxyId, routeId);
      return { data: {}, change: within('route', proxyId, before, null, `Route ${routeName(before)}`) };
    },
  };
}

function refuse(fault: RouteFault | null): void {
  if (fault !== null) throw fieldError(fault.field, fault.message);
}
