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
  const told = [
    ...routes.map(({ proxyName, method, pathPattern }) => `route ${method} ${pathPattern} of ${proxyName}`),
    ...revisions.map(({ proxyName, revision }) => `revision ${revision} of ${proxyName}, which serves`),
  ].slice(0, 3);
  const more = total > told.length ? ` and ${total - told.length} more` : '';
  throw new ApiError('conflict', {
    message: `It can't be ${move}: used by ${told.join('; ')}${more}. Point these at another target first, or disable it.`,
  });
}

/** Rejects enabling what is enabled, and disabling what is disabled. */
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

/** Rejects a duplicate endpoint: its calls would be shared between it and itself. */
export function refuseRepeatedEndpoints(own: Endpoint, further: readonly Endpoint[]): void {
  const seen = new Set([addressOf(own)]);
  for (const [index, endpoint] of further.entries()) {
    const address = addressOf(endpoint);
    if (seen.has(address)) throw fieldError(`endpoints.${index}`, `${address} is listed twice.`);
    seen.add(address);
  }
}

/** Rejects addresses at which no one can have a server, such as those of cloud metadata services. */
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
