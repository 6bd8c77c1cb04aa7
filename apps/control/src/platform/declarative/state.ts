import type { RevisionPolicy, RevisionRoute } from '@millrace/revision/content';
import type { Selectable } from 'kysely';
import { loadProducts } from '../../consumers/products/store.ts';
import type { JsonObject, Schema, TenantTransaction } from '../../database/schema.ts';
import { loadStandards } from '../../design/governance/store.ts';
import { found } from '../../frame/errors.ts';
import { findOrganization } from '../../identity/organizations/store.ts';

/** A policy of a working copy, with the template that it came from. */
export type TemplatedPolicy = RevisionPolicy & { readonly templateId: string | null };

interface DeclaredProxyState {
  readonly row: Selectable<Schema['proxies']>;
  readonly routes: readonly RevisionRoute[];
  readonly policies: readonly TemplatedPolicy[];
  readonly specification: JsonObject | null;
}

/** All of an organization that a document declares, as it is. */
export type OrganizationState = Awaited<ReturnType<typeof loadState>>;

/** Reads an organization whole, each table at once; every list in the order of its names. */
export async function loadState(transaction: TenantTransaction) {
  const organizationId = transaction.tenantId;
  const { organization, settings } = found(await findOrganization(transaction, organizationId));
  const roles = await transaction
    .selectFrom('roles')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .execute();
  const environments = await transaction
    .selectFrom('environments')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .execute();
  const targetServers = await transaction
    .selectFrom('target_servers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .execute();
  const policyTemplates = await transaction
    .selectFrom('policy_templates')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .execute();
  const variables = await transaction
    .selectFrom('environment_variables')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .execute();
  return {
    organization,
    settings,
    roles: roles.toSorted(byName),
    environments: environments.toSorted(byName).map((row) => ({
      row,
      variables: variables.filter(({ environment_id }) => environment_id === row.id).toSorted(byName),
      targetServers: targetServers.filter(({ environment_id }) => environment_id === row.id).toSorted(byName),
    })),
    policyTemplates: policyTemplates.toSorted(byName),
    governanceStandards: (await loadStandards(transaction)).toSorted((first, second) =>
      compare(first.code, second.code),
    ),
    proxies: await loadProxies(transaction),
    products: (await loadProducts(transaction)).toSorted(byName),
  };
}

async function loadProxies(transaction: TenantTransaction): Promise<readonly DeclaredProxyState[]> {
  const organizationId = transaction.tenantId;
  const proxies = await transaction
    .selectFrom('proxies')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .execute();
  const routes = await transaction
    .selectFrom('routes')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('position')
    .orderBy('id')
    .execute();
  const policies = await transaction
    .selectFrom('policy_attachments')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('flow')
    .orderBy('position')
    .orderBy('id')
    .execute();
  const specifications = await transaction
    .selectFrom('specifications')
    .distinctOn('proxy_id')
    .select(['proxy_id', 'document'])
    .where('organization_id', '=', organizationId)
    .where('proxy_id', 'is not', null)
    .orderBy('proxy_id')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const routesOf = Map.groupBy(routes, ({ proxy_id }) => proxy_id);
  const policiesOf = Map.groupBy(policies, ({ proxy_id }) => proxy_id);
  const documentOf = new Map(specifications.map(({ proxy_id, document }) => [proxy_id, document]));
  return proxies.toSorted(byName).map((row) => ({
    row,
    routes: (routesOf.get(row.id) ?? []).map((route) => ({
      id: route.id,
      // Written through the contract, which names the methods.
      method: route.method as RevisionRoute['method'],
      pathPattern: route.path_pattern,
      targetServer: route.target_server,
      targetPath: route.target_path,
      timeoutMs: route.timeout_ms,
      summary: route.summary,
      description: route.description,
    })),
    policies: (policiesOf.get(row.id) ?? []).map((policy) => ({
      id: policy.id,
      flow: policy.flow,
      kind: policy.kind,
      name: policy.name,
      enabled: policy.enabled,
      routeIds: policy.route_ids,
      configuration: policy.configuration as RevisionPolicy['configuration'],
      templateId: policy.template_id,
    })),
    specification: (documentOf.get(row.id) as JsonObject | undefined) ?? null,
  }));
}

/** By code unit: the same order everywhere, whatever the database's collation. */
export function compare(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}

function byName(first: { readonly name: string }, second: { readonly name: string }): number {
  return compare(first.name, second.name);
}
