import type { AnyOperation } from '../operation.ts';

/** The methods under which an address is an operation's: for the `Allow` header of a 405; none where it is nobody's. */
export function methodsOf(operations: readonly AnyOperation[], url: string): readonly string[] {
  const path = url.split('?', 1)[0]!;
  return operations
    .filter((operation) => new RegExp(`^${operation.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path))
    .map(({ method }) => method);
}
