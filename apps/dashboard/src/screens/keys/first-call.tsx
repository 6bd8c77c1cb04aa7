import { Code, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from '@millrace/ui/copy-button';

/** A command that extracts a document with a new key. */
export function FirstCall({ rawKey }: { readonly rawKey: string }) {
  const command = [
    `curl ${window.location.origin}/api/external/v1/extract \\`,
    `  -H 'X-API-Key: ${rawKey}' \\`,
    `  -F document=@invoice.pdf -F doc_type=invoice`,
  ].join('\n');
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          Try it
        </Text>
        <CopyButton value={command} label="Copy command" />
      </Group>
      <Code block tabIndex={0} aria-label="Command">
        {command}
      </Code>
    </Stack>
  );
}
