import { ActionIcon, Avatar, Menu, Text, VisuallyHidden } from '@mantine/core';
import { ColorSchemeItems } from '@millrace/interface/color-scheme-items';
import { showFailure } from '@millrace/interface/form';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from './api.ts';
import { useSession } from './session.tsx';

/** Who is signed in, the colours of the pages, and the way out. */
export function AccountMenu() {
  const { user, account } = useSession();
  const name = user.name || user.email;
  const cache = useQueryClient();
  const navigate = useNavigate();
  const signOut = async () => {
    try {
      await call('signOut');
      cache.clear();
      await navigate({ to: '/sign-in' });
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" radius="xl">
          <VisuallyHidden>Account of {name}</VisuallyHidden>
          <Avatar name={name} size={32} color="water.8" variant="filled" aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)">
            {name}
          </Text>
          {user.name !== '' && (
            <>
              {user.email}
              <br />
            </>
          )}
          {account.name}
        </Menu.Label>
        <ColorSchemeItems />
        <Menu.Divider />
        <Menu.Item onClick={signOut}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
