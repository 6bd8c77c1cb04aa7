import { ApiError, fieldError } from '../../frame/errors.ts';
import type { Outbound } from '../../frame/outbound.ts';

interface References {
  readonly routes: readonly { readonly proxyName: string; readonly method: string; readonly pathPattern: string }[];
  readonly revisions: readonly { readonly proxyName: string; readonly revision: number }[];
  readonly total: number;
}

/** Rejects deleting or renaming a target server that something refers to by name. */
export function refuseReferenced({ routes, revisions, total }: References, move: 'deleted' | 'renamed'): void {
  if (total === 0) return;
  const listed = [
    ...routes.map(({ proxyName, method, pathPattern }) => `route ${method} ${pathPattern} of ${proxyName}`),
    ...revisions.map(({ proxyName, revision }) => `live revision ${revision} of ${proxyName}`),
  ].slice(0, 3);
  const more = total > listed.length ? ` and ${total - listed.length} more` : '';
  throw new ApiError('conflict', {
    message: `It can't be ${move}: used by ${listed.join('; ')}${more}. Point these at another target first, or disable it.`,
  });
}

/** Rejects enabling an enabled target server, and disabling a disabled one. */
export function refuseUnchanged({ enabled }: { readonly enabled: boolean }, wanted: boolean): void {
  if (enabled !== wanted) return;
  throw new ApiError('conflict', {
    message: enabled ? 'It is enabled. It can be disabled.' : 'It is disabled. It can be enabled.',
  });
}

interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Rejects a duplicate endpoint. */
export function refuseRepeatedEndpoints(own: Endpoint, further: readonly Endpoint[]): void {
  const seen = new Set([addressOf(own)]);
  for (const [index, endpoint] of further.entries()) {
    const address = addressOf(endpoint);
    if (seen.has(address)) throw fieldError(`endpoints.${index}`, `${address} is listed twice.`);
    seen.add(address);
  }
}

/** Rejects addresses that can't be a tenant's server, such as those of cloud metadata services. */
export function refuseUnservable(
  given: { readonly host?: string | undefined; readonly endpoints?: readonly Endpoint[] | undefined },
  { targetProblem }: Pick<Outbound, 'targetProblem'>,
): void {
  const hosts = [
    ...(given.host === undefined ? [] : [{ path: 'host', host: given.host }]),
    ...(given.endpoints ?? []).map(({ host }, index) => ({ path: `endpoints.${index}.host`, host })),
  ];
  for (const { path, host } of hosts) {
    const problem = targetProblem(host);
    if (problem !== null) throw fieldError(path, `${problem}. Enter the name or address of your server.`);
  }
}

function addressOf({ host, port }: Endpoint): string {
  return `${host.toLowerCase()}:${port}`;
}
