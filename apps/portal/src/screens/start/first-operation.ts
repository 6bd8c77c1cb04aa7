import type { DataOf } from '../../frame/api.ts';

type Product = Pick<DataOf<'getCatalogProduct'>, 'operations' | 'apis' | 'id'>;
type Operation = DataOf<'getCatalogOperation'>;

/** The operation that a first call is made of. */
export interface FirstOperation {
  readonly id: string;
  readonly summary: string;
  /** Its body is a file, which only the operation's own page asks for. */
  readonly needsFile: boolean;
}

/** The simplest operation of a product: a read, without parameters in its path if there is such; null if it has none. */
export function firstOperation(product: Product): FirstOperation | null {
  const all = product.operations.flatMap(({ operations }) => operations).filter(({ deprecated }) => !deprecated);
  const effort = ({ method, path }: (typeof all)[number]) =>
    (method === 'GET' ? 0 : method === 'POST' ? 10 : 20) + (path.match(/\{/g)?.length ?? 0);
  const [first] = all.toSorted((one, other) => effort(one) - effort(other));
  if (first === undefined) return null;
  return { id: first.id, summary: first.summary, needsFile: first.method !== 'GET' };
}

const keyPlaceholder = /YOUR_API_KEY|<api-key>/gi;

/** A snippet with the key in place of its placeholder. */
export function withKey(snippet: string, key: string): string {
  return snippet.replaceAll(keyPlaceholder, key);
}

/** The call of an operation with the specification's example values, and a key of one's own. */
export function tryRequest(product: Product, operation: Operation, credentialId: string) {
  const basePath = product.apis.find(({ name }) => name === operation.api)?.basePath ?? '';
  const exampleOf = ({ example }: Operation['parameters'][number]) =>
    typeof example === 'string' ? example : JSON.stringify(example ?? '');
  const wanted = operation.parameters.filter(({ required }) => required);
  return {
    productId: product.id,
    proxyId: operation.proxyId,
    method: operation.method.toLowerCase() as 'get',
    path: operation.path.slice(basePath.length) || '/',
    credentialId,
    pathParameters: Object.fromEntries(
      wanted.filter((each) => each.in === 'path').map((each) => [each.name, exampleOf(each)]),
    ),
    query: wanted.filter((each) => each.in === 'query').map((each) => ({ name: each.name, value: exampleOf(each) })),
    headers: wanted.filter((each) => each.in === 'header').map((each) => ({ name: each.name, value: exampleOf(each) })),
  };
}
