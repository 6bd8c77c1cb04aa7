import { useRead } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';

/** API products as options, the first 100; a product that isn't among them is shown by its id. */
export function useProductOptions(chosen: readonly string[]) {
  const { can } = useSession();
  const read = useRead('listProducts', { query: { pageSize: 100 } }, { enabled: can('product.read') });
  const products = (read.data?.products ?? []).map(({ id, displayName }) => ({ value: id, label: displayName }));
  const known = new Set(products.map(({ value }) => value));
  const others = [...new Set(chosen)].filter((id) => !known.has(id));
  return [...products, ...others.map((id) => ({ value: id, label: id }))];
}
