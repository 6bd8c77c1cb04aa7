import type { Handlers } from '../../frame/handler.ts';
import type { portalChangeOperations } from './contract.ts';
import { listChanges } from './store.ts';

export function portalChangeHandlers(): Handlers<typeof portalChangeOperations> {
  return {
    listPortalChanges: ({ query }, { caller, transaction }) =>
      listChanges(transaction, { signedIn: caller !== null }, query),
  };
}
