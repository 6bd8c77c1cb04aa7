import { SessionGate } from '@millrace/ui/session-gate';
import { Shell as AppFrame } from '@millrace/ui/shell';
import { Outlet } from '@tanstack/react-router';
import { useRead } from './api.ts';
import { usePlaces } from './navigation.ts';
import { SessionProvider, useSession, useSignOut } from './session.tsx';

/** What stands around every screen behind the sign-in. */
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
  const { user, account } = useSession();
  const signOut = useSignOut();
  return (
    <AppFrame
      apps={[{ name: 'Dashboard', address: null }]}
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
