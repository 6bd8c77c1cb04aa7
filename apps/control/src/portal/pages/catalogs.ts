import type { TenantTransaction } from '../../database/schema.ts';
import { type CatalogFilters, type CatalogPage, listCatalog, type Viewer } from '../catalog/store.ts';

/** Larger catalogs are read a page at a time. */
const mostProducts = 2_000;
const mostCatalogs = 20;

/**
 * Whole catalogs, those used last: all pages of a catalog, with every search and tag, are parts of one list, and to read
 * that list costs as much as five of its pages.
 */
export class Catalogs {
  readonly #catalogs = new Map<string, Promise<CatalogPage>>();

  /**
   * A page of the catalog, as {@link listCatalog} reads it.
   *
   * @param stamp of the portal, which changes with its catalog
   */
  async list(
    transaction: TenantTransaction,
    viewer: Viewer,
    stamp: string,
    filters: CatalogFilters,
  ): Promise<CatalogPage> {
    const all = await this.#find(transaction, viewer, stamp);
    if (all.total > all.products.length) return listCatalog(transaction, viewer, filters);
    const { search = '', tag, featured, page, pageSize } = filters;
    const wanted = search.toLowerCase();
    const products = all.products.filter(
      (product) =>
        `${product.displayName} ${product.name} ${product.description}`.toLowerCase().includes(wanted) &&
        (tag === undefined || product.tags.includes(tag)) &&
        (featured === undefined || product.featured === featured),
    );
    const shown = products.slice((page - 1) * pageSize, page * pageSize);
    return { products: shown, total: products.length, tags: all.tags };
  }

  /** All products that the viewer sees, or the first of them where there are too many to be kept. */
  #find(transaction: TenantTransaction, viewer: Viewer, stamp: string): Promise<CatalogPage> {
    const key = JSON.stringify([transaction.tenantId, viewer.signedIn]);
    const stamped = JSON.stringify([key, stamp]);
    const kept = this.#catalogs.get(stamped);
    this.#catalogs.delete(stamped);
    const found = kept ?? listCatalog(transaction, viewer, { page: 1, pageSize: mostProducts });
    this.#catalogs.set(stamped, found);
    found.catch(() => this.#catalogs.delete(stamped));
    const [oldest] = this.#catalogs.keys();
    if (this.#catalogs.size > mostCatalogs && oldest !== undefined) this.#catalogs.delete(oldest);
    return found;
  }
}
