import { writePostman } from '@millrace/openapi/postman';
import type { TenantTransaction } from '../../database/schema.ts';
import { listChanges } from '../changes/store.ts';
import { listGuidesOfProduct } from '../guides/store.ts';
import { loadBundle, withServers } from './bundles.ts';
import type { CatalogOperationPage, CatalogProductPage, CatalogSpecification } from './contract.ts';
import { groupOperations, presentOperationPage } from './rules.ts';
import { type CatalogEntry, findCatalogEntry, findServers, type Viewer } from './store.ts';

const shownChanges = 5;

/** A product's page; null if there is no such product that the viewer sees. */
export async function readProductPage(
  transaction: TenantTransaction,
  viewer: Viewer,
  key: string,
): Promise<CatalogProductPage | null> {
  const entry = await findCatalogEntry(transaction, viewer, key);
  if (entry === null) return null;
  const { product, plans, billingPeriod } = entry;
  const [bundle, { changes }, servers, guides] = await Promise.all([
    loadBundle(transaction, entry),
    listChanges(transaction, viewer, { product: product.id, page: 1, pageSize: shownChanges }),
    serversOf(transaction, entry),
    listGuidesOfProduct(transaction, product.id),
  ]);
  return {
    ...product,
    apis: apisOf(entry),
    plans,
    billingPeriod,
    servers,
    operations: groupOperations(bundle),
    guides,
    changes,
  };
}

/** The list of a product's operations; null if there is no such product that the viewer sees. */
export async function readSpecification(
  transaction: TenantTransaction,
  viewer: Viewer,
  key: string,
): Promise<CatalogSpecification | null> {
  const entry = await findCatalogEntry(transaction, viewer, key);
  if (entry === null) return null;
  const bundle = await loadBundle(transaction, entry);
  const { id, name, displayName } = entry.product;
  return {
    product: { id, name, displayName },
    apis: apisOf(entry),
    servers: await serversOf(transaction, entry),
    operations: groupOperations(bundle),
    total: bundle.operations.length,
  };
}

/** One operation, whole; null if there is no such product that the viewer sees, or it has no such operation. */
export async function readOperationPage(
  transaction: TenantTransaction,
  viewer: Viewer,
  key: string,
  operationId: string,
): Promise<CatalogOperationPage | null> {
  return (await readReference(transaction, viewer, key, operationId))?.operation ?? null;
}

/** The same, with the list of the product's operations that stands beside it. */
export async function readReference(
  transaction: TenantTransaction,
  viewer: Viewer,
  key: string,
  operationId: string,
): Promise<{
  readonly operation: CatalogOperationPage;
  readonly groups: CatalogSpecification['operations'];
} | null> {
  const entry = await findCatalogEntry(transaction, viewer, key);
  if (entry === null) return null;
  const bundle = await loadBundle(transaction, entry);
  const found = bundle.operations.find(({ id }) => id === operationId);
  if (found === undefined) return null;
  const operation = presentOperationPage(entry, bundle, found, await serversOf(transaction, entry));
  return { operation, groups: groupOperations(bundle) };
}

/** A file to download. */
interface CatalogFile {
  readonly text: string;
  readonly fileName: string;
}

/** A product's OpenAPI 3.1 document; null if there is no such product that the viewer sees. */
export async function readDocumentFile(
  transaction: TenantTransaction,
  viewer: Viewer,
  key: string,
): Promise<CatalogFile | null> {
  const entry = await findCatalogEntry(transaction, viewer, key);
  if (entry === null) return null;
  const document = withServers(await loadBundle(transaction, entry), await serversOf(transaction, entry));
  return { text: `${JSON.stringify(document, null, 2)}\n`, fileName: `${entry.product.name}.openapi.json` };
}

/** A product's Postman collection; null if there is no such product that the viewer sees. */
export async function readPostmanFile(
  transaction: TenantTransaction,
  viewer: Viewer,
  key: string,
): Promise<CatalogFile | null> {
  const entry = await findCatalogEntry(transaction, viewer, key);
  if (entry === null) return null;
  const servers = await serversOf(transaction, entry);
  const collection = writePostman(await loadBundle(transaction, entry), servers[0]?.url ?? '');
  return { text: `${JSON.stringify(collection, null, 2)}\n`, fileName: `${entry.product.name}.postman.json` };
}

function apisOf({ apis }: CatalogEntry): CatalogProductPage['apis'] {
  return apis.map(({ specificationId: _, routeIds: __, routes: ___, ...api }) => api);
}

function serversOf(transaction: TenantTransaction, { apis }: CatalogEntry) {
  return findServers(
    transaction,
    apis.map(({ id }) => id),
  );
}
