import type { Handlers } from '../../frame/handler.ts';
import type { portalStatusOperations } from './contract.ts';
import { readStatus } from './store.ts';

export function portalStatusHandlers(): Handlers<typeof portalStatusOperations> {
  return {
    getPortalStatus: (_input, { transaction, caller, now }) =>
      readStatus(transaction, { signedIn: caller !== null }, now),
  };
}
