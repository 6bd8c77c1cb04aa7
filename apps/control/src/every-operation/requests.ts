import type { AnyControlOperation } from '../frame/operation.ts';
import type { Caller, FullOrganization } from './organizations.ts';

/** The password in the examples; Robin's in every organization. */
export const examplePassword = 'correct horse battery staple';

/** The parts of a request that an operation may declare. */
export interface Parts {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Undefined where there is none. */
  readonly body: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Null where the answer is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says by its assertions what it expects
  readonly json: any;
  /** By which the audit trail names this call. */
  readonly requestId: string;
}

/** Sends one request; the body as JSON. */
export async function send(
  baseUrl: string,
  request: {
    readonly method: string;
    readonly path: string;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  },
): Promise<Answer> {
  const { method, path, body, headers } = request;
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : null,
    requestId: response.headers.get('x-request-id') ?? '',
  };
}

/** Sends an operation's request. */
export function sendOperation(
  baseUrl: string,
  operation: AnyControlOperation,
  { params, query, body }: Parts,
  caller: Caller | null,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const path = operation.path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  const { method } = operation;
  return send(baseUrl, {
    method,
    path: search.size === 0 ? path : `${path}?${search}`,
    body,
    headers: { ...caller?.headers, ...headers },
  });
}

/** The request of the operation's example with the ids and e-mail addresses of an organization. */
export function exampleOf(operation: AnyControlOperation, organization: FullOrganization): Parts {
  const { params = {}, query = {}, body } = operation.examples[0]!.request;
  const named =
    operation.auth === 'portal_visitor' ? { organization: `full-${organization.key}`, ...(query as object) } : query;
  return withIdsOf({ params, query: named, body } as Parts, organization);
}

/** @throws Error where an example has an id that stands for nothing in the fixture */
function withIdsOf(parts: Parts, { ids, key }: FullOrganization): Parts {
  const replaced = JSON.stringify(parts)
    .replaceAll(/\b[a-z]{3}_0{25}\d\b/g, (id) => {
      const real = ids.get(id);
      if (real === undefined) throw new Error(`${id} is no id of the fixture: let organizations.ts make such a thing.`);
      return real;
    })
    .replaceAll('@example.com', `.${key}@example.com`);
  return { body: undefined, ...JSON.parse(replaced) };
}

/** Every id in a value, each once. */
export function idsIn(value: unknown): readonly string[] {
  return [...new Set((JSON.stringify(value) ?? '').match(/\b[a-z]{3}_[0-9a-z]{26}\b/g))];
}

/** The value with other ids in it. */
export function withIds<Value>(value: Value, others: ReadonlyMap<string, string>): Value {
  if (value === undefined) return value;
  return JSON.parse(JSON.stringify(value).replaceAll(/\b[a-z]{3}_[0-9a-z]{26}\b/g, (id) => others.get(id) ?? id));
}
