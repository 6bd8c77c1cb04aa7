import { defineEvent } from '../frame/events.ts';

/** An invoice got its number, or nothing of it is left to pay. */
export const invoiceMoved = defineEvent<{ readonly invoiceId: string; readonly move: 'created' | 'paid' }>(
  'invoiceMoved',
  ({ invoiceId, move }) => `${invoiceId} ${move}`,
);
