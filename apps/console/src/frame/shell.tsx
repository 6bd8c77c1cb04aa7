import { ActionIcon, AppShell, Box, Burger, Button, Group, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { spotlight } from '@mantine/spotlight';
import { SessionGate } from '@millrace/ui/session-gate';
import { TimeZoneNote } from '@millrace/ui/values';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { AccountMenu } from './account-menu.tsx';
import { chosenOrganization, ResponseError, useRead } from './api.ts';
import { CommandPalette } from './command-palette.tsx';
import { EditQuestion } from './edit-question.tsx';
import { ForOperators } from './for-operators.tsx';
import { Navigation } from './navigation.tsx';
import { NotificationsBell } from './notifications-bell.tsx';
import { OrganizationMenu } from './organization-menu.tsx';
import { SessionProvider, useSession } from './session.tsx';
import { UnreachableOrganization } from './unreachable-organization.tsx';

/** What stands around every screen behind the sign-in. */
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

function Frame() {
  const [opened, { toggle, close }] = useDisclosure();
  const { organizationId, permissions, can } = useSession();
  const { pathname } = useLocation();
  // Their own account is open to everybody.
  const isForOperators = permissions.length === 0 && pathname !== '/account';
  const nodes = useRead('getNavigation').data?.nodes ?? [];
  const changes = useRead(
    'listProductionChanges',
    { query: { approvable: 'true', pageSize: 1 } },
    { enabled: can('deployment.prod'), refetchInterval: 60_000 },
  );
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="lg"
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
          <Text
            fw={700}
            visibleFrom="xs"
            renderRoot={(root) => <Link {...root} to="/" style={{ color: 'inherit', textDecoration: 'none' }} />}
          >
            Millrace
          </Text>
          <OrganizationMenu />
          <Group ml="auto" gap="xs" wrap="nowrap">
            <Button
              visibleFrom="sm"
              variant="default"
              size="xs"
              onClick={spotlight.open}
              rightSection={
                <Text size="xs" c="dimmed" aria-hidden>
                  Ctrl K
                </Text>
              }
            >
              Search
            </Button>
            <ActionIcon hiddenFrom="sm" variant="default" size="lg" onClick={spotlight.open} aria-label="Search">
              <SearchSign />
            </ActionIcon>
            <NotificationsBell />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Main">
        <ScrollArea>
          <Navigation nodes={nodes} waiting={{ 'production-changes': changes.data?.total ?? 0 }} onChoose={close} />
          <Box px="sm" mt="md">
            <TimeZoneNote />
          </Box>
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        {isForOperators ? <ForOperators /> : <Outlet key={organizationId} />}
      </AppShell.Main>
      <CommandPalette nodes={nodes} />
    </AppShell>
  );
}

function SearchSign() {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.6" aria-hidden>
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.5 10.5 4 4" />
    </svg>
  );
}
