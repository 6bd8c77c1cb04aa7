import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';

/** Asks before JSON that can’t be saved is discarded. */
export interface DiscardQuestion {
  /** Goes on at once if nothing is lost. */
  ask(goOn: () => void): void;
  setUnsaved(unsaved: boolean): void;
  readonly question: ReactNode;
}

export function useDiscardQuestion(): DiscardQuestion {
  const unsaved = useRef(false);
  const [pending, setPending] = useState<{ readonly goOn: () => void } | null>(null);
  const close = () => setPending(null);
  const discard = () => {
    close();
    unsaved.current = false;
    pending?.goOn();
  };
  return {
    ask: (goOn) => (unsaved.current ? setPending({ goOn }) : goOn()),
    setUnsaved: (value) => {
      unsaved.current = value;
    },
    question: pending && (
      <Modal
        opened
        onClose={close}
        title="Discard the JSON?"
        closeButtonProps={{ 'aria-label': 'Close' }}
        // Above the drawer that the form stands in.
        zIndex={300}
      >
        <Stack>
          <Text size="sm">It isn’t valid, so it can’t be saved.</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Keep editing
            </Button>
            <Button color="red.9" onClick={discard}>
              Discard
            </Button>
          </Group>
        </Stack>
      </Modal>
    ),
  };
}
