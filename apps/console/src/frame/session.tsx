import { showFailure } from '@millrace/ui/form';
import { LocaleProvider } from '@millrace/ui/locale';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { call, chosenOrganization, type DataOf } from './api.ts';

type CurrentSession = DataOf<'getSession'>;

/** The signed-in user, and what they can do. */
export interface SessionValue extends CurrentSession {
  /** The organization that is open: the user's own, or the one that a Super Admin chose. */
  readonly organizationId: string;
  /** Of the user or service account that is signed in, as the API names who requested something. */
  readonly callerId: string | null;
  /** Whether the user has one of the permissions. */
  can(...anyOf: readonly string[]): boolean;
}

const SessionContext = createContext<SessionValue | null>(null);

export function SessionProvider(props: { readonly session: CurrentSession; readonly children: ReactNode }) {
  const { session } = props;
  const organizationId = chosenOrganization() ?? session.organization.id;
  const value = useMemo(() => {
    const held = new Set(session.permissions);
    const callerId = session.user?.id ?? session.serviceAccount?.id ?? null;
    return {
      ...session,
      organizationId,
      callerId,
      can: (...anyOf: readonly string[]) => anyOf.some((name) => held.has(name)),
    };
  }, [session, organizationId]);
  const { locale: language, timeZone = 'UTC' } = session.user ?? {};
  const locale = useMemo(() => ({ language, timeZone }), [language, timeZone]);
  return (
    <SessionContext.Provider value={value}>
      <LocaleProvider value={locale}>{props.children}</LocaleProvider>
    </SessionContext.Provider>
  );
}

/** The session of the signed-in user; only within the shell. */
export function useSession(): SessionValue {
  const value = useContext(SessionContext);
  if (value === null) throw new Error('useSession is used outside of the shell.');
  return value;
}

/** Signs out, at the identity provider as well if the session began there, and opens the sign-in. */
export function useSignOut(): () => Promise<void> {
  return async () => {
    try {
      const { signOutUrl } = await call('logout');
      window.location.assign(signOutUrl ?? '/sign-in');
    } catch (error) {
      showFailure(error);
    }
  };
}
