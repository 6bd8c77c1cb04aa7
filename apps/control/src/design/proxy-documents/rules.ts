import { isObject, listAt, type OpenApiDocument, textAt } from '@millrace/openapi/document';
import { hideWrittenOut } from '@millrace/policies/secrets';
import type { RevisionContent, RevisionPolicy, RevisionRoute } from '@millrace/revision/content';
import { routeName } from '../routes/rules.ts';

/**
 * The working copy as a document for people and pipelines: without ids, secrets and default values. Policies refer to
 * routes as `GET /{orderId}`.
 */
export function declareProxy({ proxy, routes, policies, specification }: RevisionContent, tags: readonly string[]) {
  return {
    proxy: {
      name: proxy.name,
      displayName: proxy.displayName,
      ...(proxy.description === '' ? {} : { description: proxy.description }),
      basePath: proxy.basePath,
      protocol: proxy.protocol,
      authScheme: proxy.authScheme,
      ...(tags.length === 0 ? {} : { tags }),
    },
    routes: declareRoutes(routes),
    policies: declarePolicies(policies, routes),
    ...(specification === null ? {} : { specification }),
  };
}

/** Routes as every document declares them. */
export function declareRoutes(routes: readonly RevisionRoute[]) {
  return routes.map((route) => ({
    method: route.method,
    pathPattern: route.pathPattern,
    targetServer: route.targetServer,
    ...(route.targetPath === null ? {} : { targetPath: route.targetPath }),
    ...(route.timeoutMs === null ? {} : { timeoutMs: route.timeoutMs }),
    ...(route.summary === '' ? {} : { summary: route.summary }),
    ...(route.description === '' ? {} : { description: route.description }),
  }));
}

/**
 * Policies as documents declare them, with their secrets redacted.
 *
 * @param templateNames by id; without them no template is included
 */
export function declarePolicies(
  policies: readonly (RevisionPolicy & { readonly templateId?: string | null })[],
  routes: readonly RevisionRoute[],
  templateNames: ReadonlyMap<string, string> = new Map(),
) {
  const routeNames = new Map(routes.map((route) => [route.id, routeName(route)]));
  return policies.map(({ flow, kind, name, enabled, routeIds, templateId = null, configuration }) => ({
    flow,
    kind,
    name,
    ...(enabled ? {} : { enabled: false }),
    ...(routeIds === null ? {} : { routes: routeIds.map((id) => routeNames.get(id) ?? id) }),
    ...(templateId === null ? {} : { template: templateNames.get(templateId) }),
    configuration: hideWrittenOut(kind, configuration),
  }));
}

/** An OpenAPI document whose servers with one base path are changed to another. */
export function movedServers(document: OpenApiDocument, from: string, to: string): OpenApiDocument {
  if (!Array.isArray(document.servers)) return document;
  const servers = listAt(document.servers).map((server) => {
    const url = isObject(server) ? textAt(server.url) : null;
    const address = url?.endsWith('/') ? url.slice(0, -1) : url;
    if (!isObject(server) || !address?.endsWith(from)) return server;
    return { ...server, url: `${address.slice(0, address.length - from.length)}${to}` };
  });
  return { ...document, servers };
}
