import { Code, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from '@millrace/ui/copy-button';
import { ShownOnce } from '@millrace/ui/shown-once';

/** A registration token, and the line that starts a node with it. */
export function RegistrationToken(props: { readonly token: string; readonly onClose: () => void }) {
  const { token, onClose } = props;
  const line = `MILLRACE_GATEWAY_TOKEN=${token} npm run start:gateway`;
  return (
    <ShownOnce
      title="Registration token"
      explanation="It registers this node once, within 24 hours, and can’t be shown again."
      secret={token}
      onClose={onClose}
    >
      <Stack gap="xs">
        <Text size="sm">Start the node with it:</Text>
        <Code block data-command style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {line}
        </Code>
        <Text size="sm" c="dimmed">
          On another machine, also set <code>MILLRACE_CONTROL_URL</code>: <code>{window.location.origin}</code>
        </Text>
        <Group>
          <CopyButton value={line} size="sm" label="Copy command" />
        </Group>
      </Stack>
    </ShownOnce>
  );
}
