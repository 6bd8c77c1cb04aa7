import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { compareFields } from '../../frame/audit.ts';
import type { Audited, Change } from '../../frame/handler.ts';
import type { ProductionReach } from '../../frame/production.ts';

/** What only people in the console read. */
const descriptive = new Set(['displayName', 'description']);

/**
 * Whether what a write changed is something that production callers get, from the entity as it was and as it is. To be
 * called in the write's own transaction, after it: whatever decides is locked by then.
 */
export async function reachesProduction(
  transaction: TenantTransaction,
  reach: ProductionReach,
  change: Change,
): Promise<boolean> {
  const sides = [change.before, change.after].filter((side) => side !== null);
  switch (reach) {
    case 'environment':
      return sides.some((side) => fieldOf(side, 'production') === true) && differs(change);
    case 'environment_part':
    case 'deployment':
    case 'gateway_node':
      return isProduction(
        transaction,
        sides.map((side) => fieldOf(side, 'environmentId')),
      );
    case 'product':
      return differs(change) && (await isUsed(transaction, change, sides)) && (await servesAny(transaction, sides));
    case 'settings':
      return asksForApproval(change.before) && !asksForApproval(change.after);
    case 'document':
      return change.production === true;
  }
}

function fieldOf(entity: Audited, name: string): unknown {
  return (entity as Readonly<Record<string, unknown>> | null)?.[name];
}

function differs({ before, after }: Change): boolean {
  return compareFields(before, after).some(({ path }) => !descriptive.has(path));
}

function asksForApproval(settings: Audited): boolean {
  return (fieldOf(settings, 'approval') as { readonly productionChanges?: boolean })?.productionChanges === true;
}

async function isProduction(transaction: TenantTransaction, environmentIds: readonly unknown[]): Promise<boolean> {
  const rows = await transaction
    .selectFrom('environments')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', 'in', environmentIds.map(String))
    .where('production', '=', true)
    .execute();
  return rows.length > 0;
}

/** Whether somebody can subscribe to the product, or has. */
async function isUsed(transaction: TenantTransaction, change: Change, sides: readonly Audited[]): Promise<boolean> {
  if (sides.some((side) => fieldOf(side, 'published') === true)) return true;
  const subscription = await transaction
    .selectFrom('subscriptions')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('product_id', '=', change.entityId)
    .where('state', 'in', ['pending', 'approved'])
    .limit(1)
    .executeTakeFirst();
  return subscription !== undefined;
}

/** Whether a proxy that the product bundles, or did, serves in production. */
async function servesAny(transaction: TenantTransaction, sides: readonly Audited[]): Promise<boolean> {
  const proxyIds = sides.flatMap((side) =>
    (fieldOf(side, 'proxies') as readonly { readonly proxyId: string }[]).map(({ proxyId }) => proxyId),
  );
  const { rows } = await sql`
    select 1 from deployments d
    join environments e on e.organization_id = d.organization_id and e.id = d.environment_id
    where d.organization_id = ${transaction.tenantId} and d.ended_at is null and e.production
      and d.proxy_id = any(${proxyIds}::text[])
    limit 1`.execute(transaction);
  return rows.length > 0;
}
