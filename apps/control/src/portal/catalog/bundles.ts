import { type Bundle, bundleDocuments } from '@millrace/openapi/bundle';
import type { OpenApiDocument } from '@millrace/openapi/document';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { bundledApi } from './rules.ts';
import type { CatalogEntry, Servers } from './store.ts';

/** Of one product's documents, as text; APIs beyond it have no reference. */
const mostBytesOfProduct = 20_000_000;
/** Of the documents that are kept parsed; parsed, they take several times as much memory. */
const mostBytesKept = 16_000_000;

/** Products' documents that were read last, the oldest first. */
const kept = new Map<string, { readonly bundle: Bundle; readonly sizeBytes: number }>();

/**
 * The published specifications of a product's APIs in one document, without servers. What was read last is kept in memory,
 * by what it was made of.
 */
export async function loadBundle(
  transaction: TenantTransaction,
  { product, apis }: Pick<CatalogEntry, 'product' | 'apis'>,
): Promise<Bundle> {
  const documented = apis.filter(({ specificationId }) => specificationId !== null);
  const key = JSON.stringify([
    transaction.tenantId,
    product.displayName,
    product.description,
    documented.map(({ name, basePath, specificationId, publishedAt, routeIds, routes }) => [
      name,
      basePath,
      specificationId,
      publishedAt,
      routeIds,
      routes,
    ]),
  ]);
  const known = kept.get(key);
  if (known !== undefined) {
    kept.delete(key);
    kept.set(key, known);
    return known.bundle;
  }
  const texts = await readDocuments(
    transaction,
    documented.map(({ specificationId }) => specificationId!),
  );
  const bundled = documented.flatMap((api) => {
    const text = texts.get(api.specificationId!);
    return text === undefined ? [] : [bundledApi(api, JSON.parse(text) as OpenApiDocument)];
  });
  const bundle = bundleDocuments(bundled, {
    title: product.displayName,
    description: product.description,
    servers: [],
  });
  keep(key, { bundle, sizeBytes: [...texts.values()].reduce((sum, text) => sum + text.length, key.length) });
  return bundle;
}

function keep(key: string, entry: { readonly bundle: Bundle; readonly sizeBytes: number }): void {
  kept.set(key, entry);
  let sizeBytes = [...kept.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  for (const [oldest, { sizeBytes: freed }] of kept) {
    if (sizeBytes <= mostBytesKept || oldest === key) return;
    kept.delete(oldest);
    sizeBytes -= freed;
  }
}

/** Texts of published documents by the ids of their specifications, as far as they are not too large together. */
async function readDocuments(
  transaction: TenantTransaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; text: string }>`
    select id, text from (
      select id, text, sum(octet_length(text)) over (order by place) as size
      from unnest(${ids}::text[]) with ordinality as given (id, place)
      join lateral (
        select published_document::text as text from specifications s
        where s.organization_id = ${transaction.tenantId} and s.id = given.id and s.state = 'published') document on true
    ) sized
    where size <= ${mostBytesOfProduct}`.execute(transaction);
  return new Map(rows.map(({ id, text }) => [id, text]));
}

/** The document with the gateway's addresses, as it is downloaded. */
export function withServers({ document }: Bundle, servers: Servers): OpenApiDocument {
  const { openapi, info, ...rest } = document;
  const written = servers.map(({ url, displayName }) => ({ url, description: displayName }));
  return { openapi: openapi!, info: info!, ...(written.length === 0 ? {} : { servers: written }), ...rest };
}
