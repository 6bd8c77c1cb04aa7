import { Alert, Button, Drawer, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import type { Form } from './form.ts';
import { texts } from './texts.ts';
import { WaitingForApproval } from './waiting.tsx';

/** Reports unsaved input to the dialog around a form. */
const UnsentContext = createContext<(unsent: boolean) => void>(() => {});

/**
 * A form in a dialog. Its content is created whenever it opens, so that it starts with current values. With unsaved
 * input, Escape, the close button and a click outside ask first.
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
    // Escape also reaches this dialog while the question is open above it.
    if (asking) return;
    if (unsent.current) setAsking(true);
    else onClose();
  };
  const closeButtonProps = { 'aria-label': texts().close };
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
  /** Whether it can't be submitted now. */
  readonly disabled?: boolean;
  /** Leaving doesn't ask, even with unsaved input. */
  readonly passing?: boolean;
  readonly children: ReactNode;
}) {
  const { form } = props;
  // In a dialog, a change that waits for approval leaves nothing else to do.
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
              {isSent ? texts().close : texts().cancel}
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

/** Scrolls to the first error of a form and focuses its field. */
function showFault(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  // In a group of fields, the message marks the group and not a field.
  const group = form?.querySelector('[id$="-error"]')?.parentElement;
  const fault =
    field ?? group?.querySelector<HTMLElement>('input, button') ?? form?.querySelector<HTMLElement>('[data-fault]');
  fault?.focus({ preventScroll: true });
  fault?.scrollIntoView({ block: 'center' });
}

/** Asks before leaving the screen or the page with unsaved input. */
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
