import { type ReactNode, useState } from 'react';
import type { Action } from './action.ts';
import { Confirm } from './confirm.tsx';
import { showDone, showFailure } from './form.ts';
import { FormDialog } from './form-dialog.tsx';
import { texts } from './texts.ts';

/** Starts actions, and draws the forms and questions that they open. */
export function useActions(actions: readonly Action[]): {
  readonly shown: readonly Action[];
  readonly isRunning: (action: Action) => boolean;
  readonly start: (action: Action) => void;
  readonly dialogs: ReactNode;
} {
  const [open, setOpen] = useState<string | null>(null);
  const [running, setRunning] = useState<string | null>(null);
  const close = () => setOpen(null);
  const runNow = async ({ label, run, done }: Action) => {
    setRunning(label);
    try {
      await run?.();
      if (done) showDone(done);
    } catch (error) {
      showFailure(error);
    } finally {
      setRunning(null);
    }
  };
  const shown = actions.filter(({ hidden }) => !hidden);
  return {
    shown,
    isRunning: ({ label }) => running === label,
    start: (action) => {
      if (action.form || action.confirm) setOpen(action.label);
      else runNow(action);
    },
    dialogs: shown.map((action) => (
      <ActionDialog key={action.label} action={action} opened={open === action.label} onClose={close} />
    )),
  };
}

/** The form that an action opens, or its question. */
function ActionDialog(props: { readonly action: Action; readonly opened: boolean; readonly onClose: () => void }) {
  const { action, opened, onClose } = props;
  const { label, form, confirm, run, done, danger, onDone } = action;
  if (form) {
    return (
      <FormDialog title={form.title} large={form.large ?? false} opened={opened} onClose={onClose}>
        {form.body(onClose)}
      </FormDialog>
    );
  }
  if (!confirm || !opened) return null;
  return (
    <Confirm
      title={confirm.title}
      action={label}
      danger={danger ?? false}
      {...(confirm.typed === undefined ? {} : { typed: confirm.typed })}
      done={done ?? texts().doneSentence}
      onConfirm={async () => run?.()}
      onClose={onClose}
      {...(onDone && { onDone })}
    >
      {confirm.text}
    </Confirm>
  );
}
