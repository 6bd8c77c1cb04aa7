import { showFailure } from '@millrace/ui/form';
import { LocaleProvider } from '@millrace/ui/locale';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { call, chosenOrganization, type DataOf } from './api.ts';

type CurrentSession = DataOf<'getSession'>;

/** Who is signed in, and what they may do. */
export interface SessionValue extends CurrentSession {
  /** The organization that is looked at: the caller's own, or the one that a Super Admin chose. */
  readonly organizationId: string;
  /** Holding any one of the permissions is enough. */
  can(...anyOf: readonly string[]): boolean;
}

const SessionContext = createContext<SessionValue | null>(null);

export function SessionProvider(props: { readonly session: CurrentSession; readonly children: ReactNode }) {
  const { session } = props;
  const organizationId = chosenOrganization() ?? session.organization.id;
  const value = useMemo(() => {
    const held = new Set(session.permissions);
    return { ...session, organizationId, can: (...anyOf: readonly string[]) => anyOf.some((name) => held.has(name)) };
  }, [session, organizationId]);
  const { locale: language, timeZone = 'UTC' } = session.user ?? {};
  const locale = useMemo(() => ({ language, timeZone }), [language, timeZone]);
  return (
    <SessionContext.Provider value={value}>
      <LocaleProvider value={locale}>{props.children}</LocaleProvider>
    </SessionContext.Provider>
  );
}

/** Of whoever is signed in; to be used within the shell. */
export function useSession(): SessionValue {
  const value = useContext(SessionContext);
  if (value === null) throw new Error('There is a session within the shell alone.');
  return value;
}

/** Signs out, and shows the sign-in of the caller's own organization. */
export function useSignOut(): () => Promise<void> {
  return async () => {
    try {
      await call('logout');
      window.location.assign('/sign-in');
    } catch (error) {
      showFailure(error);
    }
  };
}
