import { Code, Group, Text } from '@mantine/core';
import { CopyButton } from './copy-button.tsx';

/** A text to enter elsewhere, such as an address, with its label and a button that copies it. */
export function CopiedValue({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed" mb={2}>
        {label}
      </Text>
      <Group gap="xs" align="start">
        <Code style={{ wordBreak: 'break-all' }}>{value}</Code>
        <CopyButton
          value={value}
          label={`Copy ${/^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)}`}
        />
      </Group>
    </div>
  );
}
