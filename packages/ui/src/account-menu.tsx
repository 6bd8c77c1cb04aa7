import { Avatar, Button, Stack, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import classes from './account-menu.module.css';
import { IconLogout, IconUser } from './icons.ts';

/** Who is signed in. */
export interface Account {
  readonly name: string;
  /** Below the name, such as the e-mail address and the roles. */
  readonly details: readonly string[];
  readonly settings?: { readonly label: string; readonly to: string };
  readonly onSignOut: () => void;
}

/** Who is signed in, the theme, and the way out. */
export function AccountMenu({ name, details, settings, onSignOut }: Account) {
  const panelId = useId();
  return (
    <>
      <UnstyledButton popoverTarget={panelId} className={classes.button!}>
        <VisuallyHidden>Account of {name}</VisuallyHidden>
        <Avatar name={name} size={28} color="water.8" variant="filled" aria-hidden />
      </UnstyledButton>
      {/* The browser's own popover: its button opens it, Escape or a click beside it closes it. */}
      <section id={panelId} popover="auto" className={classes.panel} aria-label="Account">
        <Stack gap="md">
          <div>
            <Text size="sm" fw={600}>
              {name}
            </Text>
            {details.map((detail) => (
              <Text key={detail} size="xs" c="dimmed">
                {detail}
              </Text>
            ))}
          </div>
          {settings && (
            <Button
              variant="default"
              leftSection={<IconUser size={15} aria-hidden />}
              renderRoot={(root) => <Link {...root} to={settings.to} />}
            >
              {settings.label}
            </Button>
          )}
          <Theme />
          <Button variant="default" leftSection={<IconLogout size={15} aria-hidden />} onClick={onSignOut}>
            Sign out
          </Button>
        </Stack>
      </section>
    </>
  );
}

const schemes = { light: 'Light', dark: 'Dark', auto: 'System' } as const;

function Theme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <fieldset className="plain-fieldset">
      <Text component="legend" size="xs" c="dimmed" mb={4}>
        Theme
      </Text>
      <Stack gap={6}>
        {(['light', 'dark', 'auto'] as const).map((scheme) => (
          <label key={scheme} className={classes.choice}>
            <input type="radio" name="theme" checked={colorScheme === scheme} onChange={() => setColorScheme(scheme)} />
            {schemes[scheme]}
          </label>
        ))}
      </Stack>
    </fieldset>
  );
}
