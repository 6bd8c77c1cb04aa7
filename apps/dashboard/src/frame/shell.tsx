import { AppShell, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { SessionGate } from '@millrace/ui/session-gate';
import { Link, Outlet } from '@tanstack/react-router';
import { AccountMenu } from './account-menu.tsx';
import { useRead } from './api.ts';
import { Navigation } from './navigation.tsx';
import { useReviewCount } from './review-count.ts';
import { SessionProvider } from './session.tsx';

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
  const [opened, { toggle, close }] = useDisclosure();
  const waiting = useReviewCount();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', sm: 'lg' }}
      transitionDuration={0}
    >
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={opened}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label="Navigation"
            aria-expanded={opened}
          />
          <Link to="/" className="brand">
            <img src="/favicon.svg" alt="" width={22} height={22} className="sign" />
            Millrace
          </Link>
          <Group ml="auto" gap="xs" wrap="nowrap">
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Main" style={{ overflowY: 'auto' }}>
        <Navigation waiting={waiting} onChoose={close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}
