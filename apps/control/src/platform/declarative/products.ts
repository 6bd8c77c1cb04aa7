import type { TenantTransaction } from '../../database/schema.ts';
import { routeName } from '../../design/routes/rules.ts';
import { fieldError } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import { type Application, changesOf, removing, unnamed } from './application.ts';
import type { DeclaredProduct } from './document.ts';
import { located } from './perform.ts';
import { applyRatePlans, pruneRatePlans } from './rate-plans.ts';
import type { OrganizationState } from './state.ts';
import { requireRoute } from './working-copy.ts';

type Present = OrganizationState['products'][number];

/**
 * Takes the products away that the document does not name, and from the others the rate plans and the API proxies that
 * their lists do not name: what is bundled cannot be deleted.
 */
export async function pruneProducts(application: Application): Promise<void> {
  const { perform, state, document, prune } = application;
  if (document.products === undefined) return;
  for (const { id, name } of prune ? unnamed(state.products, document.products) : []) {
    await removing('products', name, () => perform(null, 'deleteProduct', { params: { productId: id } }));
  }
  for (const [index, { name, proxies, ratePlans }] of document.products.entries()) {
    const present = state.products.find((product) => product.name === name);
    if (present === undefined) continue;
    await pruneRatePlans(application, ratePlans, { productId: present.id, path: `products.${index}` });
    if (proxies === undefined) continue;
    const declared = new Set(proxies.map(({ proxy }) => proxy));
    for (const { proxyId } of present.proxies.filter(({ proxyName }) => !declared.has(proxyName))) {
      const params = { productId: present.id, proxyId };
      await perform(`products.${index}.proxies`, 'removeProductProxy', { params });
    }
  }
}

/** Makes the products what the document says; the API proxies and routes that they bundle are there by then. */
export async function applyProducts(application: Application): Promise<void> {
  const { document, state } = application;
  const products = document.products ?? [];
  const bundled = products.flatMap(({ proxies = [], ratePlans = [] }) => [
    ...proxies.map(({ proxy }) => proxy),
    ...ratePlans.flatMap(({ charges = [] }) => charges.flatMap((charge) => charge.proxies ?? [])),
  ]);
  const proxies = await loadBundled(application.context.transaction, bundled);
  for (const [index, declared] of products.entries()) {
    const present = state.products.find(({ name }) => name === declared.name) ?? null;
    await applyProduct(application, declared, { present, path: `products.${index}`, proxies });
  }
}

/** An API proxy that products bundle: its routes' ids by method and path. */
interface Bundled {
  readonly id: string;
  readonly routeIds: ReadonlyMap<string, string>;
}

async function loadBundled(
  transaction: TenantTransaction,
  names: readonly string[],
): Promise<ReadonlyMap<string, Bundled>> {
  if (names.length === 0) return new Map();
  const proxies = await transaction
    .selectFrom('proxies')
    .select(['id', 'name'])
    .where('organization_id', '=', transaction.tenantId)
    .where('name', 'in', [...new Set(names)])
    .where('deleted_at', 'is', null)
    .execute();
  const ids = proxies.map(({ id }) => id);
  const routes =
    ids.length === 0
      ? []
      : await transaction
          .selectFrom('routes')
          .select(['id', 'proxy_id', 'method', 'path_pattern as pathPattern'])
          .where('organization_id', '=', transaction.tenantId)
          .where('proxy_id', 'in', ids)
          .execute();
  const routesOf = Map.groupBy(routes, ({ proxy_id }) => proxy_id);
  return new Map(
    proxies.map(({ id, name }) => {
      const routeIds = new Map((routesOf.get(id) ?? []).map((route) => [routeName(route), route.id]));
      return [name, { id, routeIds }];
    }),
  );
}

async function applyProduct(
  application: Application,
  declared: DeclaredProduct,
  {
    present,
    path,
    proxies,
  }: { readonly present: Present | null; readonly path: string; readonly proxies: ReadonlyMap<string, Bundled> },
): Promise<void> {
  const { perform } = application;
  const { published, state: wantedState, proxies: bundles = [], ratePlans, ...fields } = declared;
  let productId = present?.id ?? null;
  if (productId === null) {
    // The operation that creates a new one reports what is missing.
    const body = { ...given(fields), name: fields.name, displayName: fields.displayName! };
    productId = await perform(path, 'createProduct', { body });
  } else {
    const body = changesOf(fields, present!);
    if (body !== null) await perform(path, 'updateProduct', { params: { productId }, body });
  }
  const params = { productId: productId! };
  for (const [index, { proxy: name, routes }] of bundles.entries()) {
    const at = `${path}.proxies.${index}`;
    const proxy = await located(at, () => requireProxy(proxies, name));
    const before = present?.proxies.find(({ proxyId }) => proxyId === proxy.id);
    if (before !== undefined && isSame(namesOf(before, proxy), routes)) continue;
    const proxyId = proxy.id;
    const routeIds = await located(at, () => requireRoutes(proxy, routes));
    await perform(at, 'setProductProxy', { params: { ...params, proxyId }, body: { routeIds } });
  }
  if (published !== undefined && published !== (present?.published ?? false)) {
    await perform(`${path}.published`, published ? 'publishProduct' : 'unpublishProduct', { params });
  }
  if (wantedState !== undefined && wantedState !== (present?.state ?? 'active')) {
    await perform(`${path}.state`, wantedState === 'active' ? 'activateProduct' : 'suspendProduct', { params });
  }
  const proxyIds = new Map([...proxies].map(([name, { id }]) => [name, id]));
  await applyRatePlans(application, ratePlans, { productId: params.productId, path, proxyIds });
}

/** Whether two bundles are of the same routes; undefined: of all. */
function isSame(first: readonly string[] | undefined, second: readonly string[] | undefined): boolean {
  return JSON.stringify(first?.toSorted()) === JSON.stringify(second?.toSorted());
}

function requireProxy(proxies: ReadonlyMap<string, Bundled>, name: string): Bundled {
  const proxy = proxies.get(name);
  if (proxy === undefined) throw fieldError('proxy', 'API proxy not found.');
  return proxy;
}

function requireRoutes({ routeIds }: Bundled, routes: readonly string[] | undefined): string[] | null {
  if (routes?.length === 0) throw fieldError('routes', 'List a route, or leave this out for all routes.');
  return routes?.map((route, place) => requireRoute(routeIds, route, place)) ?? null;
}

/** The routes of the working copy that are bundled; undefined: all of them. */
function namesOf(bundle: Present['proxies'][number], { routeIds }: Bundled): readonly string[] | undefined {
  if (bundle.routeIds === null) return undefined;
  const bundled = new Set(bundle.routeIds);
  return [...routeIds].filter(([, id]) => bundled.has(id)).map(([name]) => name);
}
