import { found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { catalogOperations } from './contract.ts';
import { readDocumentFile, readOperationPage, readPostmanFile, readProductPage, readSpecification } from './pages.ts';
import { listCatalog, type Viewer } from './store.ts';

export function catalogHandlers(): Handlers<typeof catalogOperations> {
  return {
    listCatalog: ({ query }, { caller, transaction }) => listCatalog(transaction, viewerOf(caller), query),
    getCatalogProduct: async ({ params }, { caller, transaction }) =>
      found(await readProductPage(transaction, viewerOf(caller), params.productId)),
    getCatalogSpecification: async ({ params }, { caller, transaction }) =>
      found(await readSpecification(transaction, viewerOf(caller), params.productId)),
    downloadCatalogSpecification: async ({ params }, { caller, transaction }) =>
      found(await readDocumentFile(transaction, viewerOf(caller), params.productId)),
    downloadCatalogCollection: async ({ params }, { caller, transaction }) =>
      found(await readPostmanFile(transaction, viewerOf(caller), params.productId)),
    getCatalogOperation: async ({ params }, { caller, transaction }) =>
      found(await readOperationPage(transaction, viewerOf(caller), params.productId, params.operationId)),
  };
}

function viewerOf(caller: object | null): Viewer {
  return { signedIn: caller !== null };
}
