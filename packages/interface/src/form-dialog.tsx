import { Alert, Button, Drawer, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Form } from './form.ts';
import { WaitingForApproval } from './waiting.tsx';

/**
 * A form beside or above its screen. Its content is made anew whenever it opens, so that it begins with present values.
 *
 * @param props.large for forms of more than a few fields: a drawer from the side
 */
export function FormDialog(props: {
  readonly title: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly large?: boolean;
  readonly children: ReactNode;
}) {
  const { title, opened, onClose, large, children } = props;
  const closeButtonProps = { 'aria-label': 'Close' };
  return large ? (
    <Drawer {...{ title, opened, onClose, closeButtonProps, children }} position="right" size="lg" />
  ) : (
    <Modal {...{ title, opened, onClose, closeButtonProps, children }} size="lg" />
  );
}

/** A form's fields, the server's message where no single field is at fault, and the buttons. */
export function FormBody<Values extends object>(props: {
  readonly form: Form<Values>;
  readonly submitLabel: string;
  readonly onCancel?: () => void;
  readonly danger?: boolean;
  /** Why it cannot be sent now. */
  readonly disabled?: boolean;
  /** What is typed here is no loss: whoever leaves is not asked. */
  readonly passing?: boolean;
  readonly children: ReactNode;
}) {
  const { form } = props;
  // In a dialog, what waits is sent: there is nothing left to do in it.
  const isSent = form.waitingAt !== null && props.onCancel !== undefined;
  const element = useRef<HTMLFormElement>(null);
  const wasSubmitting = useRef(false);
  useEffect(() => {
    if (wasSubmitting.current && !form.submitting) {
      element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
    wasSubmitting.current = form.submitting;
  }, [form.submitting]);
  return (
    <form ref={element} onSubmit={(event) => form.submit(event)} noValidate>
      {!props.passing && <LeaveQuestion changed={form.changed && !form.submitting} />}
      <Stack>
        {form.message && (
          <Alert color="red" role="alert">
            {form.message}
          </Alert>
        )}
        {form.waitingAt && <WaitingForApproval path={form.waitingAt} />}
        {!isSent && props.children}
        <Group justify="flex-end">
          {props.onCancel && (
            <Button variant="default" onClick={props.onCancel}>
              {isSent ? 'Close' : 'Cancel'}
            </Button>
          )}
          {!isSent && (
            <Button
              type="submit"
              loading={form.submitting}
              color={props.danger ? 'red.9' : undefined}
              disabled={props.disabled}
            >
              {props.submitLabel}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** Asks before another screen is opened, or the page left, while a form holds what is not sent yet. */
function LeaveQuestion({ changed }: { readonly changed: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => changed && current.pathname !== next.pathname,
    enableBeforeUnload: changed,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Modal
      opened
      onClose={blocker.reset}
      title="Leave without sending it?"
      closeButtonProps={{ 'aria-label': 'Close' }}
      // Above the drawer or dialog that the form stands in.
      zIndex={300}
    >
      <Stack>
        <Text size="sm">What you typed is lost then.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={blocker.reset} data-autofocus>
            Stay
          </Button>
          <Button color="red.9" onClick={blocker.proceed}>
            Leave
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
