import { AppShell, Burger, Center, Group, Loader } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Failure } from '@millrace/interface/page';
import { ResponseError } from '@millrace/operations/client';
import { Link, Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { AccountMenu } from './account-menu.tsx';
import { useRead } from './api.ts';
import { Navigation } from './navigation.tsx';
import { SessionProvider } from './session.tsx';

/** What stands around every screen behind the sign-in; who is not signed in is led there, and back afterwards. */
export function Shell() {
  const session = useRead('getSession');
  const router = useRouter();
  const signedOut = session.error instanceof ResponseError && session.error.status === 401;
  useEffect(() => {
    if (!signedOut) return;
    const { href } = router.state.location;
    router.navigate({ to: '/sign-in', search: href === '/' ? {} : { next: href }, replace: true });
  }, [signedOut, router]);
  if (signedOut) return null;
  if (session.data === undefined) {
    return (
      <Center mih="100vh">
        {session.error ? <Failure error={session.error} /> : <Loader aria-label="Loading" role="status" />}
      </Center>
    );
  }
  return (
    <SessionProvider session={session.data}>
      <Frame />
    </SessionProvider>
  );
}

function Frame() {
  const [opened, { toggle, close }] = useDisclosure();
  const home = useRead('getHome', {}, { refetchInterval: 60_000 });
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
        <Navigation reviewCount={home.data?.reviewCount ?? 0} onChoose={close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}
