import { createContext, useContext } from 'react';

/** Carries out a write; one that edits a working copy after whoever makes it was told what else that does. */
export type EditGuard = <Result>(id: string, args: unknown, write: () => Promise<Result>) => Promise<Result>;

export const EditGuardContext = createContext<EditGuard>((_id, _args, write) => write());

/** What every write of the screens goes through. */
export function useEditGuard(): EditGuard {
  return useContext(EditGuardContext);
}
