import type { AnyOperation } from '../operation.ts';

/** The methods of the operations at an address, for the `Allow` header of a 405; none if there are no operations. */
export function methodsOf(operations: readonly AnyOperation[], url: string): readonly string[] {
  const path = url.split('?', 1)[0]!;
  return operations
    .filter((operation) => new RegExp(`^${operation.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path))
    .map(({ method }) => method);
}
