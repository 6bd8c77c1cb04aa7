import type { DataOf } from '../../frame/api.ts';

type Group = DataOf<'getCatalogProduct'>['operations'][number];
type Operation = Pick<Group['operations'][number], 'id' | 'method' | 'path' | 'summary' | 'deprecated'>;

/**
 * The operation that a first call is made of: the first of the reference that is a read or a POST and needs nothing in
 * its path, or else the first at all; null if there is none.
 */
export function firstOperation(groups: readonly { readonly operations: readonly Operation[] }[]): Operation | null {
  const all = groups.flatMap(({ operations }) => operations).filter(({ deprecated }) => !deprecated);
  const simple = all.find(({ method, path }) => (method === 'GET' || method === 'POST') && !path.includes('{'));
  return simple ?? all[0] ?? null;
}

/** A snippet with the key in place of its placeholder. */
export function withKey(snippet: string, key: string): string {
  return snippet.replaceAll('YOUR_API_KEY', () => key);
}
