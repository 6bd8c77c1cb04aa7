import { isDeepStrictEqual } from 'node:util';
import type { ConsumerChange } from '@millrace/configuration/consumers';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';

/**
 * Takes the organization's next sequence number for something that its gateway nodes have to know. The numbers of
 * committed transactions ascend: whoever asks for one waits until the transaction that holds the last one has ended.
 */
export async function nextGatewaySequence(transaction: TenantTransaction): Promise<string> {
  const { sequence } = await transaction
    .insertInto('gateway_heads')
    .values({ organization_id: transaction.tenantId, sequence: 1 })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet({ sequence: sql<string>`gateway_heads.sequence + 1` }),
    )
    .returning('sequence')
    .executeTakeFirstOrThrow();
  return sequence;
}

/**
 * Tells every gateway node of the organization about consumers that changed: effective on each within a second of the
 * commit. To be called in the transaction of every write of a product, developer, app, credential or subscription that
 * changes who may call; a null value takes the consumer away.
 */
export async function publishConsumers(
  transaction: TenantTransaction,
  changes: readonly ConsumerChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const sequence = await nextGatewaySequence(transaction);
  await transaction
    .insertInto('consumer_changes')
    .values(
      changes.map(({ kind, id, value }) => ({
        organization_id: transaction.tenantId,
        kind,
        id,
        sequence,
        value: value === null ? null : JSON.stringify(value),
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'kind', 'id'])
        .doUpdateSet((row) => ({ sequence: row.ref('excluded.sequence'), value: row.ref('excluded.value') })),
    )
    .execute();
}

/** Tells of one consumer, where a write changed what nodes know of it. */
export async function publishChanged(
  transaction: TenantTransaction,
  before: ConsumerChange,
  after: ConsumerChange,
): Promise<void> {
  if (!isDeepStrictEqual(before, after)) await publishConsumers(transaction, [after]);
}
