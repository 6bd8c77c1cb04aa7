import { Anchor, Center, Stack, Text, Title } from '@mantine/core';

/** Shown where the address names an organization that is not there, or that the caller may not look at. */
export function UnreachableOrganization() {
  return (
    <Center mih="100vh" component="main">
      <Stack gap="xs" maw={480} px="md">
        <Title order={1} size="h3">
          This organization cannot be reached
        </Title>
        <Text>
          The address names an organization that does not exist or that you have no access to. Ask who gave you the
          link.
        </Text>
        <Anchor href="/">Go to your own organization</Anchor>
      </Stack>
    </Center>
  );
}
