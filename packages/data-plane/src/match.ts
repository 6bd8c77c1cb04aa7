/** Finds what handles a request in a configuration: the API proxy, its revision, and the route. */
import type { GatewayErrorCode } from '@millrace/policies/run';
import type { Exchange } from './http-server/exchange.ts';
import type { CompiledDeployment, Serving } from './snapshot/compile.ts';
import { methodIndex } from './snapshot/routes.ts';
import { hashOf } from './text-hash.ts';

const options = methodIndex('OPTIONS');

/** Sets the deployment and route of the exchange, or returns why there are none. */
export function match(exchange: Exchange): GatewayErrorCode | null {
  const { snapshot, request } = exchange;
  if (snapshot === null) return 'not_configured';
  if (snapshot.hostNames.size > 0 && (exchange.host === null || !snapshot.hostNames.has(exchange.host))) {
    return 'no_proxy';
  }
  const serving = snapshot.basePaths.find(request.path);
  if (serving === null) return 'no_proxy';
  const deployment = serving.alone ?? pick(serving, exchange);
  exchange.deployment = deployment;
  const from = deployment.basePath.length;
  const method = methodIndex(request.method);
  exchange.matched = method < 0 ? null : deployment.routes.find(request.path, from, method);
  if (exchange.matched !== null) return null;
  if (method === options) {
    // A preflight request: the policies of the route that the browser is going to call decide.
    const asked = methodIndex(request.headers.get('access-control-request-method') ?? '');
    exchange.matched = asked < 0 ? null : deployment.routes.find(request.path, from, asked);
    exchange.isPreflight = exchange.matched !== null;
    if (exchange.isPreflight) return null;
  }
  return deployment.routes.methodsOf(request.path, from).length > 0 ? 'no_method' : 'no_route';
}

/** 2³² by the golden ratio, of which the multiples modulo 2³² spread as evenly as any, every second or tenth of them too. */
const goldenStep = 0x9e3779b9;

/**
 * Of requests, the next in a sequence that keeps the shares to a call or two at any time. Of callers, by the caller's key,
 * so that an app stays with one revision; without one by the connection.
 */
function pick(serving: Serving, exchange: Exchange): CompiledDeployment {
  const { deployments, upTo } = serving;
  const share = serving.lastRequest === null ? shareOfCaller(deployments, exchange) : nextShare(serving);
  const at = share * upTo[upTo.length - 1]!;
  return deployments[upTo.findIndex((end) => at < end)]!;
}

/** Between 0 and 1, for each caller the same. */
function shareOfCaller(deployments: Serving['deployments'], exchange: Exchange): number {
  const key = keyOf(deployments[deployments.length - 1]!, exchange);
  return key === null ? exchange.connection.chance : hashOf(key) / 2 ** 32;
}

/** Between 0 and 1, by a Weyl sequence: no request is drawn for, and none asks for the caller's key. */
function nextShare(serving: Serving): number {
  const next = (serving.lastRequest! + goldenStep) >>> 0;
  serving.lastRequest = next;
  return next / 2 ** 32;
}

function keyOf({ keyLocation, proxy }: CompiledDeployment, { request }: Exchange): string | null {
  const presented =
    keyLocation?.in === 'query'
      ? new URLSearchParams(request.query).get(keyLocation.name)
      : request.headers.get(keyLocation?.name ?? 'authorization');
  // With the proxy's id, so that it is not the same apps that meet every new revision first.
  return presented === null ? null : proxy.id + presented;
}
