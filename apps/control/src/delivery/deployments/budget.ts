import { tenantTransaction } from '@millrace/postgres';
import type { TenantTransaction } from '../../database/schema.ts';
import { found } from '../../frame/errors.ts';
import { readTraffic } from './comparison.ts';
import type { MonitorParts } from './monitor.ts';
import { spentBudget } from './rules.ts';
import { findDeployment, findServing, takeBackCanary } from './store.ts';
import { carryOut, type Verdict } from './verdict.ts';

/** Rolls back the canaries of an environment that have spent their budget. */
export async function rollBackSpent(parts: MonitorParts, organizationId: string, environmentId: string): Promise<void> {
  const spent = await tenantTransaction(
    parts.database,
    organizationId,
    (transaction) => findSpent(transaction, environmentId),
    { access: 'read only' },
  );
  for (const canary of spent) {
    await carryOut(parts, organizationId, canary, (transaction) => rollBack(transaction, canary));
  }
}

interface SpentCanary {
  readonly id: string;
  readonly environmentId: string;
  readonly proxyId: string;
  readonly reason: string;
}

async function findSpent(transaction: TenantTransaction, environmentId: string): Promise<readonly SpentCanary[]> {
  const rows = await transaction
    .selectFrom('deployments as d')
    .innerJoin('deployments as beside', (join) =>
      join
        .onRef('beside.organization_id', '=', 'd.organization_id')
        .onRef('beside.id', '=', 'd.previous_id')
        .on('beside.ended_at', 'is', null),
    )
    .select(['d.id', 'd.proxy_id', 'd.created_at', 'd.budget', 'beside.id as beside_id'])
    .where('d.organization_id', '=', transaction.tenantId)
    .where('d.environment_id', '=', environmentId)
    .where('d.ended_at', 'is', null)
    .where('d.budget', 'is not', null)
    .orderBy('d.id')
    .execute();
  const spent: SpentCanary[] = [];
  for (const row of rows) {
    const since = row.created_at.toISOString();
    const traffic = await readTraffic(transaction, row.id, since);
    if (row.budget === null || traffic.requests < row.budget.minimumRequests) continue;
    const reason = spentBudget(row.budget, traffic, await readTraffic(transaction, row.beside_id, since));
    if (reason !== null) spent.push({ id: row.id, environmentId, proxyId: row.proxy_id, reason });
  }
  return spent;
}

/** Rolls back a canary, unless it was promoted, rolled back or undeployed meanwhile. */
async function rollBack(
  transaction: TenantTransaction,
  { id, environmentId, proxyId, reason }: SpentCanary,
): Promise<Verdict | null> {
  const before = found(await findDeployment(transaction, id));
  const serving = await findServing(transaction, environmentId, proxyId);
  const beside = serving.find((one) => one.id === before.previousId);
  if (before.endedAt !== null || beside === undefined) return null;
  await takeBackCanary(transaction, before, beside.id, 'rolled_back', reason);
  return {
    before,
    operation: 'rollBackDeployment',
    note: `${reason} Revision ${beside.revision} serves all calls again (${beside.id}).`,
    notice: {
      kind: 'canary_rolled_back',
      title: `${before.proxyName}: the canary of revision ${before.revision} in ${before.environmentName} was rolled back`,
      userIds: [],
    },
  };
}
