import { SessionGate } from '@millrace/ui/session-gate';
import { Shell as AppFrame, appAt } from '@millrace/ui/shell';
import { Outlet, useLocation } from '@tanstack/react-router';
import { chosenOrganization, ResponseError, useRead } from './api.ts';
import { EditQuestion } from './edit-question.tsx';
import { ForOperators } from './for-operators.tsx';
import { IncidentNotices } from './incident-notices.tsx';
import { usePlaces } from './navigation.ts';
import { NotificationsBell } from './notifications-bell.tsx';
import { OrganizationMenu } from './organization-menu.tsx';
import { SessionProvider, useSession, useSignOut } from './session.tsx';
import { UnreachableOrganization } from './unreachable-organization.tsx';

/** The frame of every screen behind the sign-in. */
export function Shell() {
  const session = useRead('getSession');
  const organizationId = chosenOrganization();
  const chosen = useRead(
    'getOrganization',
    { params: { organizationId: organizationId ?? '' } },
    { enabled: organizationId !== null && session.data !== undefined },
  );
  const error = session.error ?? chosen.error;
  if (organizationId !== null && error instanceof ResponseError && [403, 404].includes(error.status)) {
    return <UnreachableOrganization />;
  }
  return (
    <SessionGate read={session}>
      {(current) => (
        <SessionProvider session={current}>
          <EditQuestion>
            <Frame />
          </EditQuestion>
        </SessionProvider>
      )}
    </SessionGate>
  );
}

// The same at each drawing, so that what changes in the frame doesn't draw them again.
const organizationMenu = <OrganizationMenu />;
const notifications = (
  <>
    <IncidentNotices />
    <NotificationsBell />
  </>
);
const search = () => import('./search.tsx');

function Frame() {
  const { user, roles, dashboardUrl } = useSession();
  const signOut = useSignOut();
  return (
    <AppFrame
      apps={[{ name: 'Console', address: null }, ...appAt('Dashboard', dashboardUrl)]}
      sections={usePlaces()}
      context={organizationMenu}
      search={search}
      notifications={notifications}
      account={{
        name: user?.name ?? '?',
        details: [user?.email ?? '', roles.map(({ name }) => name).join(', ')].filter((detail) => detail !== ''),
        settings: { label: 'Your account', to: '/account' },
        onSignOut: signOut,
      }}
    >
      <Screen />
    </AppFrame>
  );
}

function Screen() {
  const { organizationId, permissions } = useSession();
  const { pathname } = useLocation();
  // Every user can open their own account.
  const isForOperators = permissions.length === 0 && pathname !== '/account';
  return isForOperators ? <ForOperators /> : <Outlet key={organizationId} />;
}
