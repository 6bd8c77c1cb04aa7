import type { Bundle, BundledApi, BundledOperation } from '@millrace/openapi/bundle';
import { listAt, type OpenApiDocument, objectAt, pathShape, textAt } from '@millrace/openapi/document';
import { describeOperation, exampleRequest } from '@millrace/openapi/reference';
import { snippetsOf } from '@millrace/openapi/snippets';
import { shapeOf } from '../changes/rules.ts';
import type { CatalogOperationPage, CatalogSpecification } from './contract.ts';
import type { ApiRow, CatalogEntry, Servers } from './store.ts';

type Groups = CatalogSpecification['operations'];

/** An API's documented operations as a product bundles them: all, or those of the bundled routes. */
export function bundledApi(api: ApiRow, document: OpenApiDocument): BundledApi {
  const { name, basePath, routeIds, routes } = api;
  if (routeIds === null) return { name, basePath, document, includes: () => true };
  const ids = new Set(routeIds);
  const places = new Set(routes.map(({ method, pathPattern }) => `${method.toLowerCase()} ${shapeOf(pathPattern)}`));
  return {
    name,
    basePath,
    document,
    includes: ({ method, path, value }) => {
      const routeId = textAt(objectAt(value['x-route']).id);
      if (routeId !== null) return ids.has(routeId);
      return places.has(`${method} ${pathShape(path)}`) || places.has(`any ${pathShape(path)}`);
    },
  };
}

/** Operations by their first tag, in the order in which tags and operations first appear. */
export function groupOperations({ document, operations }: Bundle): Groups {
  const groups = new Map<string, Groups[number]>();
  for (const operation of operations) {
    const tag = operation.tags[0] ?? '';
    const group = groups.get(tag) ?? { tag, description: descriptionOf(document, tag), operations: [] };
    groups.set(tag, group);
    group.operations.push(presentOperation(operation));
  }
  return [...groups.values()];
}

function descriptionOf(document: OpenApiDocument, tag: string): string {
  const found = listAt(document.tags).find((candidate) => objectAt(candidate).name === tag);
  return textAt(objectAt(found).description) ?? '';
}

function presentOperation({ id, api, method, path, summary, deprecated }: BundledOperation) {
  return { id, api, method: method.toUpperCase(), path, summary, deprecated };
}

/** The address in snippets where no gateway is known. */
const unknownServer = 'https://GATEWAY';

/** Everything that the page of an operation sets. */
export function presentOperationPage(
  { product, apis }: CatalogEntry,
  bundle: Bundle,
  operation: BundledOperation,
  servers: Servers,
): CatalogOperationPage {
  const model = describeOperation(bundle, operation);
  const api = apis.find(({ name }) => name === operation.api)!;
  const request = exampleRequest(operation, model, servers[0]?.url ?? unknownServer);
  const { id, name, displayName, sandbox } = product;
  return {
    ...presentOperation(operation),
    product: { id, name, displayName, sandbox },
    apiDisplayName: api.displayName,
    proxyId: api.id,
    tags: [...operation.tags],
    servers,
    ...model,
    request,
    snippets: snippetsOf(request),
  };
}
