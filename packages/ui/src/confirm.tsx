import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { ResponseError } from '@millrace/operations/client';
import { type ReactNode, useState } from 'react';
import { showDone, WaitsForApproval, WriteCancelled } from './form.ts';
import { texts } from './texts.ts';
import { WaitingForApproval } from './waiting.tsx';

/**
 * Asks before an action. The server's error, such as for something still in use, is shown in the dialog.
 *
 * @param props.typed a name to type first, for what is dangerous
 */
export function Confirm(props: {
  readonly title: string;
  readonly children: ReactNode;
  readonly action: string;
  readonly typed?: string;
  /** False for what is easily reversed. */
  readonly danger?: boolean;
  readonly done: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  /** After success, instead of closing the dialog. */
  readonly onDone?: () => void;
}) {
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const [waitingAt, setWaitingAt] = useState<string | null>(null);
  const wrong = props.typed !== undefined && typed !== props.typed;
  const confirm = async () => {
    setBusy(true);
    setRefused(null);
    try {
      await props.onConfirm();
      showDone(props.done);
      (props.onDone ?? props.onClose)();
    } catch (error) {
      if (error instanceof WriteCancelled) return;
      if (error instanceof WaitsForApproval) setWaitingAt(error.path);
      else setRefused(error instanceof ResponseError ? error.message : texts().failure.unreachable);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={props.onClose} title={props.title} closeButtonProps={{ 'aria-label': texts().close }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!wrong) confirm();
        }}
      >
        <Stack>
          <Text size="sm" component="div">
            {props.children}
          </Text>
          {props.typed !== undefined && (
            <TextInput
              label={texts().typeToConfirm(props.typed)}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          {refused && (
            <Text c="var(--mantine-color-error)" size="sm" role="alert">
              {refused}
            </Text>
          )}
          {waitingAt && <WaitingForApproval path={waitingAt} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={props.onClose}>
              {waitingAt ? texts().close : texts().cancel}
            </Button>
            {!waitingAt && (
              <Button
                type="submit"
                color={props.danger === false ? undefined : 'red.9'}
                loading={busy}
                disabled={wrong}
              >
                {props.action}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
