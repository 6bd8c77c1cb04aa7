import { createContext, type ReactNode, useContext } from 'react';
import { call, type DataOf, type OperationId, rolesOf } from './api.ts';
import { openPage } from './place.ts';

type CurrentSession = DataOf<'getPortalSession'>;

const SessionContext = createContext<CurrentSession | null>(null);

export function SessionProvider(props: { readonly session: CurrentSession; readonly children: ReactNode }) {
  return <SessionContext.Provider value={props.session}>{props.children}</SessionContext.Provider>;
}

/** The signed-in user and their developer account; only within the account's screens. */
export function useSession(): CurrentSession {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('useSession must be used within the account.');
  return session;
}

/** Whether the user's role may call an operation: what it may not isn't offered. */
export function useMay(): (operation: OperationId) => boolean {
  const { role } = useSession().user;
  return (operation) => rolesOf(operation).includes(role);
}

/** Signs out, at the identity provider as well if it has a page for that, and opens the portal's first page. */
export async function signOut(): Promise<void> {
  const { signOutUrl } = await call('signOutOfPortal');
  if (signOutUrl === null) openPage('/');
  else window.location.assign(signOutUrl);
}
