import { isDeepStrictEqual } from 'node:util';
import type { ConsumerChange } from '@millrace/gateway-configuration/consumers';
import type { TenantTransaction } from '../database/schema.ts';
import { defineEvent, emit } from '../frame/events.ts';

/**
 * A product, developer, app, credential or subscription is something else to gateway nodes than before; a null value
 * takes it away from them.
 */
export const consumerChanged = defineEvent<ConsumerChange>('consumerChanged', ({ kind, id }) => `${kind} ${id}`);

/** Emits {@link consumerChanged} where a write changed what nodes know of it. */
export function emitChanged(transaction: TenantTransaction, before: ConsumerChange, after: ConsumerChange): void {
  if (!isDeepStrictEqual(before, after)) emit(transaction, consumerChanged, after);
}
