import { newId } from '@millrace/identifiers';
import { objectAt, textAt } from '@millrace/openapi/document';
import type { ImportedDocument } from '@millrace/openapi/import';
import { writeYaml } from '@millrace/openapi/text';
import type { ParsedRequest } from '@millrace/operations';
import { displayName } from '@millrace/operations/display-name';
import { nameOfTitle } from '@millrace/operations/name-of-title';
import { tenantTransaction } from '@millrace/postgres';
import type { RevisionContent, RevisionRoute } from '@millrace/revision/content';
import type { TenantTransaction } from '../../database/schema.ts';
import { ApiError, fieldError, found } from '../../frame/errors.ts';
import type { CallerContext, Handlers } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import { findingsOf, loadSubjectOf } from '../governance/evaluate.ts';
import { insertPolicies } from '../policies/store.ts';
import { addAuthors, loadContent, lockProxy } from '../proxies/content.ts';
import * as store from '../proxies/store.ts';
import { mostRoutes, routeConflict, routeName } from '../routes/rules.ts';
import { insertRoutes, requireTargetServer } from '../routes/store.ts';
import { readDocument } from '../specifications/document-text.ts';
import * as specifications from '../specifications/store.ts';
import type { proxyDocumentOperations } from './contract.ts';
import { declareProxy, movedServers } from './rules.ts';

export function proxyDocumentHandlers({ database }: Pick<Parts, 'database'>): Handlers<typeof proxyDocumentOperations> {
  return {
    importProxy: {
      // Parsing megabytes takes long, so no connection is held meanwhile.
      prepare: async ({ body }) => {
        const imported = await readDocument(body.document);
        const { routes, fault } = routesOf(imported, body.targetServer);
        if (fault !== null) throw fieldError('document', fault);
        return (context) => importProxy(context, body, imported, routes);
      },
    },
    previewProxyImport: {
      prepare: async ({ body }, { organizationId }) => {
        const imported = await readDocument(body.document);
        const { routes, fault } = routesOf(imported, body.targetServer);
        const written = writtenOf(body, imported);
        const { conflicts, subject } = await tenantTransaction(
          database,
          organizationId,
          async (transaction) => ({
            conflicts: await conflictsOf(transaction, written, body.targetServer),
            subject: await loadSubjectOf(transaction, {
              proxy: { ...written, name: written.name ?? '' },
              routes: [...routes],
              policies: [],
              specification: imported.document as RevisionContent['specification'],
            }),
          }),
          { access: 'read only' },
        );
        const { name, displayName, basePath, authScheme } = written;
        const preview = {
          name,
          displayName,
          basePath,
          authScheme,
          routes: routes.map(({ method, pathPattern, targetServer, targetPath, summary }) => ({
            method,
            pathPattern,
            targetServer,
            targetPath,
            summary,
          })),
          specification: { title: imported.title.slice(0, 200), apiVersion: imported.version.slice(0, 50) },
          conflicts: [...conflicts, ...(fault === null ? [] : [{ field: 'document', message: fault }])],
          // An organization's rulesets take long, so no connection is held meanwhile.
          findings: (await findingsOf(subject)).map((finding) => ({ ...finding })),
          warnings: [...imported.warnings],
        };
        return async () => preview;
      },
    },
    cloneProxy: async ({ params, body }, { transaction, caller, settle }) => {
      const original = store.presentProxy(await lockProxy(transaction, params.proxyId));
      const content = await loadContent(transaction, original.id);
      const id = await store.insertProxy(transaction, caller.id, {
        ...original,
        name: body.name,
        basePath: body.basePath,
        displayName: body.displayName ?? original.displayName,
      });
      const copy = withNewIds(content);
      await insertRoutes(transaction, id, copy.routes);
      await insertPolicies(transaction, id, copy.policies);
      const specificationId = await specifications.newestSpecificationId(transaction, original.id);
      const specification =
        specificationId === null ? null : await specifications.findSpecification(transaction, specificationId);
      let copiedId: string | null = null;
      if (specification !== null && content.specification !== null) {
        copiedId = await specifications.insertSpecification(transaction, id, specification.source, {
          ...specification,
          document: movedServers(content.specification, original.basePath, body.basePath),
        });
      }
      // Authors of the original are authors of the copy and can't approve it either.
      await addAuthors(transaction, id, await store.listAuthors(transaction, original.id));
      await settle();
      if (copiedId !== null && specification?.outdated === false)
        await specifications.markCurrent(transaction, copiedId);
      const created = found(await store.findProxy(transaction, id));
      return {
        data: created,
        change: { entityId: id, before: null, after: created, note: `Cloned from ${original.name} (${original.id})` },
      };
    },
    exportProxy: async ({ params, query }, { transaction }) => {
      const proxy = found(await store.findProxy(transaction, params.proxyId));
      const declared = declareProxy(await loadContent(transaction, proxy.id), proxy.tags);
      return query.format === 'json'
        ? {
            text: `${JSON.stringify(declared, null, 2)}\n`,
            fileName: `${proxy.name}.json`,
            mediaType: 'application/json',
          }
        : { text: await writeYaml(declared), fileName: `${proxy.name}.yaml` };
    },
  };
}

type ImportBody = ParsedRequest<
  Extract<(typeof proxyDocumentOperations)[number], { id: 'importProxy' }>['request']
>['body'];

async function importProxy(
  { transaction, caller, settle }: CallerContext<TenantTransaction>,
  body: ImportBody,
  imported: ImportedDocument,
  routes: readonly RevisionRoute[],
) {
  const written = writtenOf(body, imported);
  const { name } = written;
  if (name === null) throw fieldError('name', 'No name can be derived from the document’s title. Give one.');
  await requireTargetServer(transaction, body.targetServer);
  const id = await store.insertProxy(transaction, caller.id, { ...written, name });
  await insertRoutes(transaction, id, routes);
  const specificationId = await specifications.insertSpecification(transaction, id, 'imported', {
    title: imported.title.slice(0, 200),
    description: (textAt(objectAt(imported.document.info).description) ?? '').slice(0, 5_000),
    apiVersion: imported.version.slice(0, 50),
    document: imported.document,
  });
  await settle();
  await specifications.markCurrent(transaction, specificationId);
  const proxy = found(await store.findProxy(transaction, id));
  return {
    data: { proxy, routes: routes.length, specificationId, warnings: [...imported.warnings] },
    change: {
      entityId: id,
      before: null,
      after: proxy,
      note: `Imported with ${routes.length} routes and the specification ${specificationId}`,
    },
  };
}

/** The fields of the proxy that an import creates; without a name if none can be derived from the title. */
function writtenOf(body: ImportBody, imported: ImportedDocument) {
  const name = body.name ?? (nameOfTitle(imported.title) || null);
  return {
    name,
    displayName: displayName().safeParse(imported.title.trim().slice(0, 100)).data ?? name ?? '',
    description: '',
    basePath: body.basePath ?? imported.basePath,
    protocol: 'rest' as const,
    authScheme: imported.authScheme,
    tags: [],
  };
}

/** Why an import of these fields would be rejected, by field. */
async function conflictsOf(
  transaction: TenantTransaction,
  { name, basePath }: ReturnType<typeof writtenOf>,
  targetServer: string,
) {
  const taken = await store.listTaken(transaction, name, basePath);
  const conflicts = [
    ...(name === null
      ? [{ field: 'name', message: 'No name can be derived from the document’s title. Enter one.' }]
      : []),
    ...taken,
  ];
  const refusal = await requireTargetServer(transaction, targetServer).then(
    () => null,
    (error: unknown) => {
      if (error instanceof ApiError) return error;
      throw error;
    },
  );
  return [...conflicts, ...Object.entries(refusal?.errors ?? {}).map(([field, message]) => ({ field, message }))];
}

/** The routes of a document up to the first invalid one, and why it is invalid. */
function routesOf(
  imported: ImportedDocument,
  targetServer: string,
): { readonly routes: readonly RevisionRoute[]; readonly fault: string | null } {
  if (imported.routes.length > mostRoutes) {
    const fault = `It has ${imported.routes.length} operations; an API proxy can have at most ${mostRoutes} routes.`;
    return { routes: [], fault };
  }
  const routes: RevisionRoute[] = [];
  for (const { method, pathPattern, summary, description } of imported.routes) {
    const route = {
      id: newId('rte'),
      method,
      pathPattern,
      targetServer,
      targetPath: imported.serverPath === '' ? null : `${imported.serverPath}${pathPattern === '/' ? '' : pathPattern}`,
      timeoutMs: null,
      summary: summary.slice(0, 200),
      description: description.slice(0, 5_000),
    };
    const conflict = routeConflict(routes, route);
    if (conflict !== null) return { routes, fault: `${routeName(route)}: ${conflict.message}` };
    routes.push(route);
  }
  return { routes, fault: null };
}

/** The content as another proxy's, with new ids for routes and policies. */
function withNewIds(content: RevisionContent): Pick<RevisionContent, 'routes' | 'policies'> {
  const routeIds = new Map(content.routes.map(({ id }) => [id, newId('rte')]));
  return {
    routes: content.routes.map((route) => ({ ...route, id: routeIds.get(route.id) ?? newId('rte') })),
    policies: content.policies.map((policy) => ({
      ...policy,
      id: newId('pol'),
      routeIds: policy.routeIds?.map((id) => routeIds.get(id) ?? id) ?? null,
    })),
  };
}
