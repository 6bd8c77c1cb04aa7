import { useQuery } from '@tanstack/react-query';
import { call, chosenOrganization, type DataOf } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';

const pageSize = 100;

/** All API products as options; one that was chosen and no longer exists is shown by its id. */
export function useProductOptions(chosen: readonly string[]) {
  const { can } = useSession();
  const read = useQuery({
    queryKey: ['listProducts', 'all', chosenOrganization()],
    queryFn: readProducts,
    enabled: can('product.read'),
  });
  const products = (read.data ?? []).map(({ id, displayName }) => ({ value: id, label: displayName }));
  const known = new Set(products.map(({ value }) => value));
  const others = [...new Set(chosen)].filter((id) => !known.has(id));
  return [...products, ...others.map((id) => ({ value: id, label: id }))];
}

async function readProducts() {
  const products: DataOf<'listProducts'>['products'] = [];
  for (let page = 1; ; page += 1) {
    const read = await call('listProducts', { query: { page, pageSize, sort: 'displayName' } });
    products.push(...read.products);
    if (read.products.length < pageSize) return products;
  }
}
