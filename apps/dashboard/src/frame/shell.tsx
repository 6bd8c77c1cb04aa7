import { SessionGate } from '@millrace/ui/session-gate';
import { Shell as AppFrame, appAt } from '@millrace/ui/shell';
import { Outlet } from '@tanstack/react-router';
import { useRead } from './api.ts';
import { usePlaces } from './navigation.ts';
import { SessionProvider, useSession, useSignOut } from './session.tsx';

/** The frame around every screen that requires a session. */
export function Shell() {
  return (
    <SessionGate read={useRead('getSession')}>
      {(session) => (
        <SessionProvider session={session}>
          <Frame />
        </SessionProvider>
      )}
    </SessionGate>
  );
}

function Frame() {
  const { user, account, consoleUrl } = useSession();
  const signOut = useSignOut();
  return (
    <AppFrame
      apps={[{ name: 'Dashboard', address: null }, ...appAt('Console', consoleUrl)]}
      sections={usePlaces()}
      search={() => import('./search.tsx')}
      account={{
        name: user.name || user.email,
        details: [...(user.name === '' ? [] : [user.email]), account.name],
        onSignOut: signOut,
      }}
    >
      <Outlet />
    </AppFrame>
  );
}
