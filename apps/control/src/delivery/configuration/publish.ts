import type { ConsumerChange } from '@millrace/gateway-configuration/consumers';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';

/**
 * Takes the organization's next sequence number for something that its gateway nodes have to learn; of several, the last.
 * The numbers of committed transactions ascend: whoever asks for one waits until the transaction that holds the last one
 * has ended.
 */
export async function nextGatewaySequence(transaction: TenantTransaction, count = 1): Promise<string> {
  const { sequence } = await transaction
    .insertInto('gateway_heads')
    .values({ organization_id: transaction.tenantId, sequence: count })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet({ sequence: sql<string>`gateway_heads.sequence + ${count}` }),
    )
    .returning('sequence')
    .executeTakeFirstOrThrow();
  return sequence;
}

/**
 * Publishes consumers that changed, each once, to every gateway node of the organization: effective on each within a
 * second of the commit. Each change has a sequence number of its own, so that pages of any size hold all of them.
 */
export async function publishConsumers(
  transaction: TenantTransaction,
  changes: readonly ConsumerChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const last = await nextGatewaySequence(transaction, changes.length);
  const values = changes.map(({ value }) => (value === null ? null : JSON.stringify(value)));
  await sql`
    insert into consumer_changes (organization_id, kind, id, sequence, value)
    select ${transaction.tenantId}, kind, id, ${last}::bigint - ${changes.length}::int + place, value::jsonb
    from unnest(
      ${changes.map(({ kind }) => kind)}::text[], ${changes.map(({ id }) => id)}::text[], ${values}::text[]
    ) with ordinality as given (kind, id, value, place)
    on conflict (organization_id, kind, id) do update
      set sequence = excluded.sequence, value = excluded.value, changed_at = excluded.changed_at`.execute(transaction);
}
