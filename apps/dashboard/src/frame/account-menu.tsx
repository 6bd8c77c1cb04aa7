import { Avatar, Button, Stack, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { showFailure } from '@millrace/ui/form';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import classes from './account-menu.module.css';
import { call } from './api.ts';
import { useSession } from './session.tsx';

const panelId = 'account-panel';

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
    <>
      <UnstyledButton popoverTarget={panelId} className={classes.button!}>
        <VisuallyHidden>Account of {name}</VisuallyHidden>
        <Avatar name={name} size={32} color="water.8" variant="filled" aria-hidden />
      </UnstyledButton>
      {/* The browser's own: it opens by its button, and closes by Escape or a click beside it. */}
      <section id={panelId} popover="auto" className={classes.panel} aria-label="Your account">
        <Stack gap="md">
          <div>
            <Text size="sm" fw={600}>
              {name}
            </Text>
            <Text size="sm" c="dimmed">
              {user.name !== '' && (
                <>
                  {user.email}
                  <br />
                </>
              )}
              {account.name}
            </Text>
          </div>
          <ColorSchemes />
          <Button variant="default" size="xs" onClick={signOut}>
            Sign out
          </Button>
        </Stack>
      </section>
    </>
  );
}

const schemes = { light: 'Light', dark: 'Dark', auto: 'As the system has it' } as const;

function ColorSchemes() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <fieldset className="plain-fieldset">
      <Text component="legend" size="sm" fw={600} mb={4}>
        Colours
      </Text>
      <Stack gap={6}>
        {(['light', 'dark', 'auto'] as const).map((scheme) => (
          <label key={scheme} className={classes.choice}>
            <input
              type="radio"
              name="colour-scheme"
              checked={colorScheme === scheme}
              onChange={() => setColorScheme(scheme)}
            />
            {schemes[scheme]}
          </label>
        ))}
      </Stack>
    </fieldset>
  );
}
