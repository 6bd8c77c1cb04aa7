import type { Handlers } from '../../frame/handler.ts';
import type { ControlParts } from '../../parts.ts';
import type { environmentOperations } from './contract.ts';
import { listEnvironments } from './store.ts';

export function environmentHandlers(_parts: ControlParts): Handlers<typeof environmentOperations> {
  return { listEnvironments: ({ query }, { transaction }) => listEnvironments(transaction, query) };
}
