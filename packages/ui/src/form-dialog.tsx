import { Alert, Button, Drawer, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import type { Form } from './form.ts';
import { WaitingForApproval } from './waiting.tsx';

/** Tells the dialog around a form whether anything in it is not sent yet. */
const UnsentContext = createContext<(unsent: boolean) => void>(() => {});

/**
 * A form beside or above its screen. Its content is made anew whenever it opens, so that it begins with present values.
 * Escape, the cross and a click beside it ask first where something was filled in.
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
  const { title, opened, onClose, large } = props;
  const unsent = useRef(false);
  const [asking, setAsking] = useState(false);
  const noteUnsent = useCallback((now: boolean) => {
    unsent.current = now;
  }, []);
  const close = () => {
    // Escape reaches this dialog, too, while the question stands above it.
    if (asking) return;
    if (unsent.current) setAsking(true);
    else onClose();
  };
  const closeButtonProps = { 'aria-label': 'Close' };
  const children = (
    <UnsentContext value={noteUnsent}>
      {props.children}
      {asking && (
        <DiscardQuestion
          onStay={() => setAsking(false)}
          onLeave={() => {
            setAsking(false);
            onClose();
          }}
        />
      )}
    </UnsentContext>
  );
  return large ? (
    <Drawer {...{ title, opened, closeButtonProps, children }} onClose={close} position="right" size="lg" />
  ) : (
    <Modal {...{ title, opened, closeButtonProps, children }} onClose={close} size="lg" />
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
    if (wasSubmitting.current && !form.submitting) showFault(element.current);
    wasSubmitting.current = form.submitting;
  }, [form.submitting]);
  const unsent = form.changed && !form.submitting && !props.passing;
  const noteUnsent = useContext(UnsentContext);
  useEffect(() => {
    noteUnsent(unsent);
    return () => noteUnsent(false);
  }, [noteUnsent, unsent]);
  return (
    <form ref={element} onSubmit={(event) => form.submit(event)} noValidate>
      {!props.passing && <LeaveQuestion changed={unsent} />}
      <Stack maw={720}>
        {form.message && (
          <Alert color="red" role="alert" tabIndex={-1} data-fault>
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

/** Brings what is wrong with a form before the eyes, and the focus to the first field that is. */
function showFault(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  // Of a group of fields, none is marked as wrong but the group's message.
  const group = form?.querySelector('[id$="-error"]')?.parentElement;
  const fault =
    field ?? group?.querySelector<HTMLElement>('input, button') ?? form?.querySelector<HTMLElement>('[data-fault]');
  fault?.focus({ preventScroll: true });
  fault?.scrollIntoView({ block: 'center' });
}

/** Asks before another screen is opened, or the page left, while a form holds what is not sent yet. */
function LeaveQuestion({ changed }: { readonly changed: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => changed && current.pathname !== next.pathname,
    enableBeforeUnload: changed,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return <DiscardQuestion onStay={blocker.reset} onLeave={blocker.proceed} />;
}

function DiscardQuestion(props: { readonly onStay: () => void; readonly onLeave: () => void }) {
  return (
    <Modal
      opened
      onClose={props.onStay}
      title="Discard what you entered?"
      closeButtonProps={{ 'aria-label': 'Close' }}
      // Above the drawer or dialog that the form stands in.
      zIndex={300}
    >
      <Stack>
        <Text size="sm">It has not been saved.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onStay} data-autofocus>
            Stay
          </Button>
          <Button color="red.9" onClick={props.onLeave}>
            Discard
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
