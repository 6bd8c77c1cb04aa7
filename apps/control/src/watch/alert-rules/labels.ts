import type { Labels } from '@millrace/alerting';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import type { RuleFields } from './rules.ts';

/** Names of what alerts are about, by id. */
export type Names = ReadonlyMap<string, string>;

/** The labels that all alerts of a rule have. */
export function ruleLabels(rule: Pick<RuleFields, 'name' | 'metric' | 'severity'>): Labels {
  return { rule: rule.name, metric: rule.metric, severity: rule.severity };
}

/** The labels of one proxy's alert in one environment. */
export function proxyLabels(
  rule: Pick<RuleFields, 'name' | 'metric' | 'severity' | 'appId' | 'productId'>,
  pair: { readonly environmentId: string; readonly proxyId: string },
  names: Names,
): Labels {
  return {
    ...ruleLabels(rule),
    ...named('environment', pair.environmentId, names),
    ...named('proxy', pair.proxyId, names),
    ...(rule.appId === null ? {} : named('app', rule.appId, names)),
    ...(rule.productId === null ? {} : named('product', rule.productId, names)),
  };
}

/** A label with the id, and one with the name. */
export function named(label: string, id: string, names: Names): Labels {
  return { [`${label}Id`]: id, [label]: names.get(id) ?? id };
}

/** Names of an organization's environments, proxies, apps and products. */
export async function loadNames(transaction: TenantTransaction): Promise<Names> {
  const organizationId = transaction.tenantId;
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from environments where organization_id = ${organizationId}
    union all select id, name from proxies where organization_id = ${organizationId} and deleted_at is null
    union all select id, name from products where organization_id = ${organizationId}
    union all select id, name from apps where organization_id = ${organizationId}`.execute(transaction);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
