import { newId } from '@millrace/identifiers';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import type { Caller } from '../../frame/caller.ts';
import type { RewrittenProxy } from '../events.ts';

/**
 * An edit voids the approval of other content and a pending request for it: the proxy is a draft again.
 * The proxy is locked by then.
 */
export async function returnToDraft(
  transaction: TenantTransaction,
  caller: Caller,
  { proxyId, contentHash, stage, approvedHash }: RewrittenProxy,
): Promise<void> {
  const voided = await voidRequest(transaction, proxyId, contentHash);
  if (stage === 'approved' && approvedHash !== contentHash) await backToDraft(transaction, caller, proxyId, stage);
  if (stage === 'review' && voided) await backToDraft(transaction, caller, proxyId, stage);
}

/** Voids the pending request for other content. Returns whether there was one. */
async function voidRequest(transaction: TenantTransaction, proxyId: string, hash: string): Promise<boolean> {
  const voided = await transaction
    .updateTable('lifecycle_requests')
    .set({
      state: 'void',
      reason: voidReason,
      decided_at: sql`now()`,
      version: sql`version + 1`,
      updated_at: sql`now()`,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .where('state', '=', 'pending')
    .where('content_hash', '<>', hash)
    .returning('id')
    .execute();
  return voided.length > 0;
}

const voidReason = 'The working copy was changed.';

async function backToDraft(
  transaction: TenantTransaction,
  caller: Caller,
  proxyId: string,
  from: 'approved' | 'review',
): Promise<void> {
  await transaction
    .updateTable('proxies')
    .set({ stage: 'draft', approved_hash: null, approved_revision: null })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', proxyId)
    .execute();
  await transaction
    .insertInto('lifecycle_moves')
    .values({
      id: newId('mov'),
      organization_id: transaction.tenantId,
      proxy_id: proxyId,
      from_stage: from,
      to_stage: 'draft',
      moved_by: caller.id,
      moved_by_name: caller.name,
      reason: voidReason,
    })
    .execute();
}
