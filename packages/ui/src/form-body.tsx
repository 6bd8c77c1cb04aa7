import { Alert, Button, Group, Stack } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useContext, useEffect, useRef } from 'react';
import { DiscardQuestion, prepareDiscardQuestion } from './discard-question.tsx';
import type { Form } from './form.ts';
import { texts } from './texts.ts';
import { UnsentContext } from './unsent-context.ts';
import { WaitingForApproval } from './waiting.tsx';

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
    if (unsent) prepareDiscardQuestion();
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
