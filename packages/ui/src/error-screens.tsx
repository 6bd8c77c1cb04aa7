import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { texts } from './texts.ts';

/** For an address that no screen has; to be shown within the navigation. */
export function NotFound() {
  const words = texts().failure;
  useDocumentTitle(`${words.notFoundTab} · ${texts().product}`);
  return (
    <Stack align="start">
      <Title order={1} size="h2">
        {words.notFound}
      </Title>
      <Text>{words.notFoundText}</Text>
      <Anchor renderRoot={(root) => <Link {...root} to="/" />}>{words.toOverview}</Anchor>
    </Stack>
  );
}

/** Shown instead of a screen that failed to render. The navigation stays. */
export function ScreenFailure({ reset }: ErrorComponentProps) {
  const words = texts().failure;
  useDocumentTitle(`${words.screenTab} · ${texts().product}`);
  return (
    <Stack align="start" role="alert">
      <Title order={1} size="h2">
        {words.screen}
      </Title>
      <Text>{words.screenText}</Text>
      <Button onClick={reset}>{words.again}</Button>
    </Stack>
  );
}
