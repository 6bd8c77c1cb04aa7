import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { texts } from './texts.ts';

/** The dialog of the question whether unsaved input may be discarded. */
export function DiscardQuestionDialog(props: { readonly onStay: () => void; readonly onLeave: () => void }) {
  return (
    <Modal
      opened
      onClose={props.onStay}
      title={texts().discard.title}
      closeButtonProps={{ 'aria-label': texts().close }}
      // Above the drawer or dialog of the form.
      zIndex={300}
    >
      <Stack>
        <Text size="sm">{texts().discard.text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onStay} data-autofocus>
            {texts().discard.stay}
          </Button>
          <Button color="red.9" onClick={props.onLeave}>
            {texts().discard.leave}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
