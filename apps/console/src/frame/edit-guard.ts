import { createContext, useContext } from 'react';
import type { OperationId } from './api.ts';

/** Performs a write; an edit of a working copy only after the user agreed to what else it does. */
export type EditGuard = <Result>(id: OperationId, args: unknown, write: () => Promise<Result>) => Promise<Result>;

export const EditGuardContext = createContext<EditGuard>((_id, _args, write) => write());

/** The guard that every write of the screens goes through. */
export function useEditGuard(): EditGuard {
  return useContext(EditGuardContext);
}
