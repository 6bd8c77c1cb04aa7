import { ActionIcon, Avatar, Menu, Text, VisuallyHidden } from '@mantine/core';
import { ColorSchemeItems } from '@millrace/ui/color-scheme-items';
import { Link } from '@tanstack/react-router';
import { useSession, useSignOut } from './session.tsx';

/** Who is signed in, and the ways to their account and out of it. */
export function AccountMenu() {
  const { user, roles } = useSession();
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" radius="xl">
          <VisuallyHidden>Account of {user?.name}</VisuallyHidden>
          <Avatar name={user?.name ?? '?'} size={32} color="water.8" variant="filled" aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)">
            {user?.name}
          </Text>
          {user?.email}
          <br />
          {roles.map(({ name }) => name).join(', ')}
        </Menu.Label>
        <Menu.Item renderRoot={(root) => <Link {...root} to="/account" />}>Your account</Menu.Item>
        <Menu.Item component="a" href="/api-docs">
          API reference
        </Menu.Item>
        <ColorSchemeItems />
        <Menu.Divider />
        <Menu.Item onClick={signOut}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
