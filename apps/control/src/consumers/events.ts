import { isDeepStrictEqual } from 'node:util';
import type { ConsumerChange } from '@millrace/gateway-configuration/consumers';
import type { TenantTransaction } from '../database/schema.ts';
import { defineEvent, emit } from '../frame/events.ts';

/**
 * A product, developer, app, credential or subscription changed for gateway nodes; a null value
 * removes it.
 */
export const consumerChanged = defineEvent<ConsumerChange>('consumerChanged', ({ kind, id }) => `${kind} ${id}`);

/** What the portal's catalog shows of a product or a rate plan changed. */
export const catalogChanged = defineEvent<Record<never, never>>('catalogChanged', () => 'catalog');

/** Somebody asked for a subscription that needs approval, or one was approved or revoked. */
export const subscriptionMoved = defineEvent<{
  readonly subscriptionId: string;
  readonly move: 'requested' | 'approved' | 'revoked';
}>('subscriptionMoved', ({ subscriptionId, move }) => `${subscriptionId} ${move}`);

/** Emits {@link consumerChanged} if a write changed what nodes know. */
export function emitChanged(transaction: TenantTransaction, before: ConsumerChange, after: ConsumerChange): void {
  if (!isDeepStrictEqual(before, after)) emit(transaction, consumerChanged, after);
}
