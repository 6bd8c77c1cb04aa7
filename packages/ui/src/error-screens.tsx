import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';

/** For an address that no screen has; to be shown within the navigation. */
export function NotFound() {
  useDocumentTitle('Not found · Millrace');
  return (
    <Stack align="start">
      <Title order={1} size="h2">
        Page not found
      </Title>
      <Text>Check the address, or start from the overview.</Text>
      <Anchor renderRoot={(root) => <Link {...root} to="/" />}>Go to the overview</Anchor>
    </Stack>
  );
}

/** Shown instead of a screen that failed to render. The navigation stays. */
export function ScreenFailure({ reset }: ErrorComponentProps) {
  useDocumentTitle('Something failed · Millrace');
  return (
    <Stack align="start" role="alert">
      <Title order={1} size="h2">
        This screen failed
      </Title>
      <Text>Nothing was changed. Try again; if it still fails, reload the page.</Text>
      <Button onClick={reset}>Try again</Button>
    </Stack>
  );
}
