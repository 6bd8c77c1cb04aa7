import { Button, Group, Stack, Text } from '@mantine/core';
import { Page } from '@millrace/ui/page';
import { Link } from '@tanstack/react-router';
import { useSession, useSignOut } from './session.tsx';

/** The screen of users whose roles allow nothing here, such as API Consumer only. */
export function ForOperators() {
  const { user, roles, organization } = useSession();
  const signOut = useSignOut();
  const held = roles.map(({ name }) => name).join(', ');
  return (
    <Page title="This console is for operators">
      <Stack maw={640}>
        <Text>
          You are signed in as {user?.name ?? 'a service account'}
          {held === '' ? ' without a role' : ` with the role ${held}`}, which has no permissions in this console. The
          team of {organization.displayName} manages its APIs here.
        </Text>
        <Text>
          To call an API, use your app’s key. For a key, documentation or another role, ask an administrator of{' '}
          {organization.displayName}.
        </Text>
        <Group>
          <Button onClick={signOut}>Sign out</Button>
          <Button variant="default" renderRoot={(root) => <Link {...root} to="/account" />}>
            Your account
          </Button>
        </Group>
      </Stack>
    </Page>
  );
}
