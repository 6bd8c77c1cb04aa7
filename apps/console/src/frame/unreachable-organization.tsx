import { Anchor, Center, Stack, Text, Title } from '@mantine/core';

/** Shown if the address names an organization that doesn't exist or that the user can't open. */
export function UnreachableOrganization() {
  return (
    <Center mih="100vh" component="main">
      <Stack gap="xs" maw={480} px="md">
        <Title order={1} size="h3">
          Organization not available
        </Title>
        <Text>It doesn’t exist, or you don’t have access to it. Ask the person who gave you the link.</Text>
        <Anchor href="/">Go to your own organization</Anchor>
      </Stack>
    </Center>
  );
}
