import { Alert, Button, Code, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import { texts } from './texts.ts';

/** A new secret. Only its button closes it, so that no stray click loses it. */
export function ShownOnce(props: {
  readonly title: string;
  /** Above the explanation, of a secret that can be shown again; without it, that this is the only time. */
  readonly notice?: string | undefined;
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
        <Alert color="yellow" title={props.notice ?? texts().shownOnce}>
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
          <Button onClick={props.onClose}>{texts().done}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
