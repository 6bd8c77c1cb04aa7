import type { Selectable } from 'kysely';
import { loadProducts } from '../../consumers/products/store.ts';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { loadStandards } from '../../design/governance/store.ts';
import { loadParts, type WorkingCopyParts } from '../../design/proxies/content.ts';
import { found } from '../../frame/errors.ts';
import { findOrganization } from '../../identity/organizations/store.ts';
import { findBillingSettings } from '../../money/billing-settings/store.ts';
import { loadRatePlans } from '../../money/rate-plans/store.ts';
import { loadGuides } from '../../portal/guides/store.ts';
import { findPortalSettings } from '../../portal/settings/store.ts';

interface DeclaredProxyState extends WorkingCopyParts {
  readonly row: Selectable<Schema['proxies']>;
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
    billing: await findBillingSettings(transaction),
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
    ratePlans: (await loadRatePlans(transaction)).toSorted(byName),
    portal: await findPortalSettings(transaction),
    guides: (await loadGuides(transaction)).toSorted(
      (first, second) => compare(first.slug, second.slug) || compare(first.language, second.language),
    ),
  };
}

async function loadProxies(transaction: TenantTransaction): Promise<readonly DeclaredProxyState[]> {
  const proxies = await transaction
    .selectFrom('proxies')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('deleted_at', 'is', null)
    .execute();
  const partsOf = await loadParts(transaction, null);
  return proxies.toSorted(byName).map((row) => ({ row, ...partsOf(row.id) }));
}

/** By code unit: the same order everywhere, whatever the database's collation. */
export function compare(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}

function byName(first: { readonly name: string }, second: { readonly name: string }): number {
  return compare(first.name, second.name);
}
