import { showFailure } from '@millrace/ui/form';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext } from 'react';
import { type AnswerOf, call } from './api.ts';

type CurrentSession = AnswerOf<'getSession'>;

const SessionContext = createContext<CurrentSession | null>(null);

export function SessionProvider(props: { readonly session: CurrentSession; readonly children: ReactNode }) {
  return <SessionContext.Provider value={props.session}>{props.children}</SessionContext.Provider>;
}

/** The signed-in user and their account; only available inside the shell. */
export function useSession(): CurrentSession {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('useSession must be used within the shell.');
  return session;
}

/** Whether the signed-in user may change the account: its keys, webhooks, members and settings. */
export function useIsAdministrator(): boolean {
  return useSession().user.role === 'administrator';
}

/** Signs out, at the identity provider as well if the session began there, and shows the sign-in. */
export function useSignOut(): () => Promise<void> {
  const cache = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    try {
      const { signOutUrl } = await call('signOut');
      cache.clear();
      if (signOutUrl === null) await navigate({ to: '/sign-in' });
      else window.location.assign(signOutUrl);
    } catch (error) {
      showFailure(error);
    }
  };
}
