/**
 * A page of a list whose cursor is the id of its last item.
 *
 * @param found one more than the page takes, where there are more
 */
export function pageOf<Item extends { readonly id: string }>(
  found: readonly Item[],
  limit: number,
): { items: Item[]; nextCursor: string | null } {
  const items = found.slice(0, limit);
  return { items, nextCursor: found.length > limit ? items.at(-1)!.id : null };
}
