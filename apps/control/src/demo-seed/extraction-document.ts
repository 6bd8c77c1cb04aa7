import type { JsonObject } from '../database/schema.ts';

/** Where the extraction API of this installation listens by default. */
const address = 'http://127.0.0.1:4100';

/**
 * The OpenAPI document of the extraction API as an import takes it best: what all its paths begin with is part of the
 * server's address, and so becomes the base path of the proxy.
 */
export async function extractionDocument(): Promise<JsonObject> {
  // Needed at the first start alone.
  const { referenceDocument } = await import('@millrace/extraction-contract/reference');
  const document = referenceDocument(address) as JsonObject;
  const paths = Object.entries(document.paths as JsonObject);
  const prefix = commonPrefix(paths.map(([path]) => path));
  return {
    ...document,
    servers: [{ url: `${address}${prefix}` }],
    paths: Object.fromEntries(paths.map(([path, item]) => [path.slice(prefix.length) || '/', item])),
  };
}

/** `/api/v1` of `/api/v1/jobs` and `/api/v1/documents/{id}`: the segments with which every path begins. */
function commonPrefix(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split('/').slice(0, -1));
  const differing = first.findIndex((segment, index) => others.some((other) => other[index] !== segment));
  return (differing < 0 ? first : first.slice(0, differing)).join('/');
}
