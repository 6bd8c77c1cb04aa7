/** Items of two lists matched to each other, and those that have no match. */
export interface Pairs<Item> {
  readonly matched: readonly (readonly [before: Item, after: Item])[];
  readonly removed: readonly Item[];
  readonly added: readonly Item[];
}

/**
 * Matches the items of two lists by the first identity they have in common, the earlier identities first. Each item is
 * matched at most once; the order is that of `after`.
 */
export function pairUp<Item>(
  before: readonly Item[],
  after: readonly Item[],
  identities: readonly ((item: Item) => string)[],
): Pairs<Item> {
  const partners = new Map<Item, Item>();
  const open = new Set(before);
  for (const identity of identities) {
    const byIdentity = Map.groupBy(open, identity);
    for (const item of after) {
      if (partners.has(item)) continue;
      const partner = byIdentity.get(identity(item))?.shift();
      if (partner === undefined) continue;
      partners.set(item, partner);
      open.delete(partner);
    }
  }
  return {
    matched: after.flatMap((item) => (partners.has(item) ? [[partners.get(item)!, item] as const] : [])),
    removed: before.filter((item) => open.has(item)),
    added: after.filter((item) => !partners.has(item)),
  };
}
