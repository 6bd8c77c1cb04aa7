import { createContext, type ReactNode, useContext } from 'react';
import type { AnswerOf } from './api.ts';

type CurrentSession = AnswerOf<'getSession'>;

const SessionContext = createContext<CurrentSession | null>(null);

export function SessionProvider(props: { readonly session: CurrentSession; readonly children: ReactNode }) {
  return <SessionContext.Provider value={props.session}>{props.children}</SessionContext.Provider>;
}

/** Who is signed in, and the account they work in; to be used within the shell. */
export function useSession(): CurrentSession {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('There is a session within the shell alone.');
  return session;
}

/** Whether whoever is signed in may change the account: its keys, webhooks, members and settings. */
export function useIsAdministrator(): boolean {
  return useSession().user.role === 'administrator';
}
