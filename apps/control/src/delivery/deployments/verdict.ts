import { tenantTransaction } from '@millrace/postgres';
import type { TenantTransaction } from '../../database/schema.ts';
import { findEnvironment } from '../../design/environments/store.ts';
import { type Append, chainAudit, chained, compareFields } from '../../frame/audit.ts';
import type { ChainTurn } from '../../frame/chain-ends.ts';
import { found } from '../../frame/errors.ts';
import { carryOutEvents, collectEvents } from '../../frame/events.ts';
import { listDeployers } from '../../identity/users/holders.ts';
import { notify } from '../../identity/users/notify.ts';
import type { MonitorParts } from './monitor.ts';
import { findDeployment, type PresentedDeployment } from './store.ts';

/** What was done to a deployment, and how people are notified about it. */
export interface Verdict {
  readonly before: PresentedDeployment;
  /** The operation in the audit trail. */
  readonly operation: string;
  readonly note: string;
  readonly notice: {
    readonly kind: string;
    readonly title: string;
    /** People to notify besides those who may deploy there. */
    readonly userIds: readonly string[];
  };
}

/**
 * Ends a deployment as the system, with the resulting configuration, notice and audit
 * entry.
 *
 * @param decide ends it, in the same transaction and with the environment locked; null: nothing to do
 */
export async function carryOut(
  parts: MonitorParts,
  organizationId: string,
  { id, environmentId }: { readonly id: string; readonly environmentId: string },
  decide: (transaction: TenantTransaction) => Promise<Verdict | null>,
): Promise<void> {
  await chained(parts.chain, (turn) =>
    tenantTransaction(
      parts.database,
      organizationId,
      (transaction) => collectEvents(transaction, () => work(transaction, turn)),
      { last: ({ last }) => last },
    ),
  );

  async function work(transaction: TenantTransaction, turn: ChainTurn): Promise<{ readonly last: Append | null }> {
    const { production } = found(await findEnvironment(transaction, environmentId, { lock: true }));
    const verdict = await decide(transaction);
    if (verdict === null) return { last: null };
    const { before, operation, note, notice } = verdict;
    await carryOutEvents(parts.subscribers, transaction, null);
    const after = found(await findDeployment(transaction, id));
    const now = new Date();
    const deployers = await listDeployers(transaction, production);
    const userIds = [...notice.userIds, ...deployers.map((deployer) => deployer.id)];
    await notify(transaction, { ...notice, userIds, link: `/deployments/${id}` }, now);
    const row = {
      organizationId,
      at: now,
      actorKind: 'system',
      actorId: null,
      actorName: 'Millrace',
      operation,
      entityType: 'deployment',
      entityId: id,
      category: 'deployment',
      severity: 'high',
      outcome: 'done',
      note,
      changes: compareFields(before, after),
      origin: { ip: '', userAgent: '', requestId: '' },
    } as const;
    return { last: await chainAudit(transaction, parts.chain, row, turn) };
  }
}
