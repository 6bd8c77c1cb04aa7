import { newId } from '@millrace/identifiers';
import { ImportError, importDocument } from '@millrace/openapi/import';
import { checkOrder } from '@millrace/policies';
import type { RevisionContent, RevisionRoute } from '@millrace/revision/content';
import { canonicalJson } from '@millrace/revision/hash';
import type { TenantTransaction } from '../../database/schema.ts';
import { freeName, isNameTaken, requireConfiguration, requireFlow, requireKind } from '../../design/policies/rules.ts';
import { loadParts, lockProxy, type TemplatedPolicy, type WorkingCopyParts } from '../../design/proxies/content.ts';
import { checkBasePathChange } from '../../design/proxies/rules.ts';
import { presentProxy, updateProxy } from '../../design/proxies/store.ts';
import { replaceContent } from '../../design/revisions/store.ts';
import { routeConflict, routeName, targetPathFault } from '../../design/routes/rules.ts';
import { unknownTargetServers } from '../../design/routes/store.ts';
import { ApiError, fieldError } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { CallerContext } from '../../frame/handler.ts';
import type { DeclaredPolicy, DeclaredProxy } from './document.ts';
import { located, type Perform, requirePermission } from './perform.ts';
import { keepSecrets } from './secrets.ts';

/** A template that policies of the document may name. */
export interface KnownTemplate {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly configuration: RevisionContent['policies'][number]['configuration'];
}

/**
 * Makes the working copy of a proxy what the document says, by the rules of edits by hand: routes and policies that stay
 * keep their ids, an approval of other content is void, and a deployed proxy gets a revision.
 *
 * @param id null where the document makes the proxy
 * @param path of the proxy in the document
 */
export async function applyProxy(
  context: CallerContext<TenantTransaction>,
  perform: Perform,
  declared: DeclaredProxy,
  {
    id,
    path,
    templates,
  }: { readonly id: string | null; readonly path: string; readonly templates: readonly KnownTemplate[] },
): Promise<void> {
  const { transaction, caller, settle } = context;
  const { routes, policies, specification, ...fields } = declared;
  const { displayName, basePath } = fields;
  const proxyId =
    id ??
    // The operation that creates a new one reports what is missing.
    (await perform(path, 'createProxy', { body: { ...fields, displayName: displayName!, basePath: basePath! } }))!;
  const row = await lockProxy(transaction, proxyId);
  const before = presentProxy(row);
  const present = (await loadParts(transaction, proxyId))(proxyId);
  const wantedRoutes = routes === undefined ? present.routes : await routesOf(transaction, present, routes, path);
  const wanted: WorkingCopyParts = {
    routes: wantedRoutes,
    policies:
      policies === undefined
        ? await withoutRemovedRoutes(present, wantedRoutes, path)
        : await policiesOf(present, wantedRoutes, policies, { path, templates }),
    specification: await specificationOf(present, specification, path),
  };
  const changed = {
    fields: differs({ ...before, ...given(fields) }, before),
    routes: differs(wanted.routes, present.routes),
    policies: differs(wanted.policies, present.policies),
    specification: differs(wanted.specification, present.specification),
  };
  if (!Object.values(changed).includes(true)) return;
  await located(path, async () => {
    if (changed.fields || changed.routes) requirePermission(caller, ['proxy.write']);
    if (changed.policies) requirePermission(caller, ['policy.write']);
    if (changed.specification) requirePermission(caller, ['specification.write']);
    const refusal = checkBasePathChange(before.basePath, basePath ?? before.basePath);
    if (refusal !== null) throw fieldError('basePath', refusal);
    if (changed.fields) await updateProxy(transaction, proxyId, { ...before, ...given(fields) });
    // The policies take their templates along.
    await replaceContent(transaction, proxyId, wanted, before.version + 1);
    await settle();
  });
}

function differs(first: unknown, second: unknown): boolean {
  return canonicalJson(first) !== canonicalJson(second);
}

async function routesOf(
  transaction: TenantTransaction,
  present: WorkingCopyParts,
  declared: NonNullable<DeclaredProxy['routes']>,
  path: string,
): Promise<RevisionRoute[]> {
  const ids = new Map(present.routes.map((route) => [routeName(route), route.id]));
  const kept = new Set(present.routes.map(({ targetServer }) => targetServer));
  const targets = declared.map(({ targetServer }) => targetServer).filter((name) => !kept.has(name));
  const unknown = new Set(await unknownTargetServers(transaction, targets));
  const routes: RevisionRoute[] = [];
  for (const [index, route] of declared.entries()) {
    await located(`${path}.routes.${index}`, () => {
      const fault = targetPathFault(route) ?? routeConflict(routes, route);
      if (fault !== null) throw fieldError(fault.field, fault.message);
      if (unknown.has(route.targetServer)) {
        throw fieldError('targetServer', `No environment has a target server ${route.targetServer}.`);
      }
    });
    routes.push({ id: ids.get(routeName(route)) ?? newId('rte'), ...route });
  }
  return routes;
}

/** The policies as they are, without routes that go; none of them comes to apply to all routes by that. */
async function withoutRemovedRoutes(
  { policies }: WorkingCopyParts,
  routes: readonly RevisionRoute[],
  path: string,
): Promise<TemplatedPolicy[]> {
  const left = new Set(routes.map(({ id }) => id));
  return policies.map((policy) => {
    const routeIds = policy.routeIds?.filter((id) => left.has(id)) ?? null;
    if (routeIds?.length === 0) {
      const message = `The policy "${policy.name}" only applies to removed routes. Declare the policies too.`;
      throw new ApiError('conflict', {
        message: `${path}.routes: ${message}`,
        errors: { [`${path}.routes`]: message },
      });
    }
    return { ...policy, routeIds };
  });
}

async function policiesOf(
  present: WorkingCopyParts,
  routes: readonly RevisionRoute[],
  declared: readonly DeclaredPolicy[],
  { path, templates }: { readonly path: string; readonly templates: readonly KnownTemplate[] },
): Promise<TemplatedPolicy[]> {
  const routeIds = new Map(routes.map((route) => [routeName(route), route.id]));
  const policies: TemplatedPolicy[] = [];
  for (const [index, policy] of declared.entries()) {
    const made = await located(`${path}.policies.${index}`, () => {
      const kind = requireKind(policy.kind);
      const flow = requireFlow(kind, policy.flow);
      const name = policy.name ?? freeName(policies, flow, kind);
      if (isNameTaken(policies, { flow, kind: kind.kind, name })) {
        throw fieldError('name', `Another ${kind.kind} policy of this flow has this name.`);
      }
      const before = present.policies.find(
        (candidate) => candidate.flow === flow && candidate.kind === kind.kind && candidate.name === name,
      );
      const template = requireTemplate(templates, kind.kind, policy.template);
      return {
        id: before?.id ?? newId('pol'),
        flow,
        kind: kind.kind,
        name,
        enabled: policy.enabled,
        routeIds: policy.routes?.map((route, place) => requireRoute(routeIds, route, place)) ?? null,
        configuration: requireConfiguration(
          kind.kind,
          policy.configuration === undefined
            ? (template?.configuration ?? kind.defaultConfiguration)
            : keepSecrets(policy.configuration, before?.configuration ?? null),
        ),
        templateId: template?.id ?? null,
      };
    });
    policies.push(made);
  }
  const illegal = checkOrder(policies);
  if (illegal !== null) {
    throw new ApiError('invalid_request', { message: illegal, errors: { [`${path}.policies`]: illegal } });
  }
  // The request flow first, as a working copy has them.
  return policies.toSorted((first, second) => first.flow.localeCompare(second.flow));
}

function requireTemplate(
  templates: readonly KnownTemplate[],
  kind: string,
  name: string | undefined,
): KnownTemplate | null {
  if (name === undefined) return null;
  const template = templates.find((candidate) => candidate.name === name);
  if (template === undefined) throw fieldError('template', 'Policy template not found.');
  if (template.kind === kind) return template;
  throw fieldError('template', `The template ${name} is for ${template.kind} policies, not ${kind}.`);
}

/** The id of a route that the document names by method and path, such as `GET /{orderId}`. */
export function requireRoute(routeIds: ReadonlyMap<string, string>, name: string, index: number): string {
  const id = routeIds.get(name);
  if (id === undefined) throw fieldError(`routes.${index}`, `Route ${name} not found.`);
  return id;
}

/** The declared document, checked where it is new. */
async function specificationOf(
  { specification: present }: WorkingCopyParts,
  declared: DeclaredProxy['specification'],
  path: string,
): Promise<WorkingCopyParts['specification']> {
  if (declared === undefined || !differs(declared, present)) return present;
  try {
    return (await importDocument(JSON.stringify(declared))).document;
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    const entries = Object.entries(error.errors).map(([pointer, message]) => [
      `${path}.specification${pointer === '' ? '' : `#${pointer}`}`,
      message,
    ]);
    throw new ApiError('invalid_request', {
      message: 'Correct the specification; see errors.',
      errors: Object.fromEntries(entries),
      cause: error,
    });
  }
}
