import { NavLink } from '@mantine/core';
import { showFailure } from '@millrace/ui/form';
import {
  IconApps,
  IconChartBar,
  IconHome,
  IconLogout,
  IconReceipt,
  IconSettings,
  IconShieldCheck,
  IconStack2,
  IconUsers,
  IconWallet,
} from '@millrace/ui/icons';
import { SessionGate } from '@millrace/ui/session-gate';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import classes from './account.module.css';
import { type OperationId, useRead } from './api.ts';
import { SessionProvider, signOut, useMay, useSession } from './session.tsx';
import { texts } from './texts.ts';

/** The frame around every screen of a developer account. */
export function Account() {
  return (
    <SessionGate read={useRead('getPortalSession')}>
      {(session) => (
        <SessionProvider session={session}>
          <div className={classes.account}>
            <Navigation />
            <div className={classes.screen}>
              <Outlet />
            </div>
          </div>
        </SessionProvider>
      )}
    </SessionGate>
  );
}

const places = [
  { to: '/account', label: texts.places.overview, icon: IconHome, reads: 'listPortalApps' },
  { to: '/account/apps', label: texts.places.apps, icon: IconApps, reads: 'listPortalApps' },
  {
    to: '/account/subscriptions',
    label: texts.places.subscriptions,
    icon: IconStack2,
    reads: 'listPortalSubscriptions',
  },
  { to: '/account/usage', label: texts.places.usage, icon: IconChartBar, reads: 'getPortalUsage' },
  { to: '/account/invoices', label: texts.places.invoices, icon: IconReceipt, reads: 'listPortalInvoices' },
  { to: '/account/balance', label: texts.places.balance, icon: IconWallet, reads: 'getPortalBudget' },
  { to: '/account/team', label: texts.places.team, icon: IconUsers, reads: 'listPortalUsers' },
  { to: '/account/settings', label: texts.places.settings, icon: IconSettings, reads: 'getPortalAccount' },
  { to: '/account/security', label: texts.places.security, icon: IconShieldCheck, reads: 'listPortalSessions' },
] as const satisfies readonly { readonly reads: OperationId; readonly [field: string]: unknown }[];

function Navigation() {
  const may = useMay();
  const { user, account } = useSession();
  const { pathname } = useLocation();
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone, the current place depends on the address.
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (current && list.current) list.current.scrollLeft = current.offsetLeft - list.current.offsetLeft - 16;
  }, [pathname]);
  const isAt = (to: string) => (to === '/account' ? pathname === to : `${pathname}/`.startsWith(`${to}/`));
  return (
    <nav aria-label={texts.places.label} className={classes.navigation}>
      <div className={classes.who}>
        <strong>{account.company || account.name}</strong>
        <span>{user.email}</span>
      </div>
      <ul ref={list} className={`navigation ${classes.places}`}>
        {places
          .filter(({ reads }) => may(reads))
          .map(({ to, label, icon: PlaceIcon }) => (
            <li key={to}>
              <NavLink
                label={label}
                active={isAt(to)}
                aria-current={isAt(to) ? 'page' : undefined}
                leftSection={<PlaceIcon size={17} stroke={1.7} aria-hidden />}
                renderRoot={(root) => <Link {...root} to={to} activeOptions={{ exact: to === '/account' }} />}
              />
            </li>
          ))}
        <li className={classes.out}>
          <NavLink
            component="button"
            label={texts.signOut}
            leftSection={<IconLogout size={17} stroke={1.7} aria-hidden />}
            onClick={() => signOut().catch(showFailure)}
          />
        </li>
      </ul>
    </nav>
  );
}
