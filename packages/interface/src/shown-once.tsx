import { Alert, Button, Code, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';

/** A secret that was given out just now. Closed by its button alone, not by a click beside it. */
export function ShownOnce(props: {
  readonly title: string;
  /** Above the explanation; without it, that the secret is shown this once. */
  readonly notice?: string;
  readonly explanation: string;
  readonly secret: string;
  readonly onClose: () => void;
  /** What to do with it. */
  readonly children?: ReactNode;
}) {
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={props.title}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Alert color="yellow" title={props.notice ?? 'Shown this once'}>
          {props.explanation}
        </Alert>
        <Code block data-secret style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {props.secret}
        </Code>
        <Group>
          <CopyButton value={props.secret} size="sm" />
        </Group>
        {props.children}
        <Group justify="flex-end">
          <Button onClick={props.onClose}>I have kept it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
