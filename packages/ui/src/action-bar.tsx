import { type ReactNode, useState } from 'react';
import { ActionButton } from './action-button.tsx';
import { Confirm } from './confirm.tsx';
import { showDone, showFailure } from './form.ts';
import { FormDialog } from './form-dialog.tsx';
import type { Icon } from './icons.ts';

/** Something that can be done on a screen, by a button: at once, after a question, or with a form. */
export interface Action {
  /** A verb, with its object where the screen doesn't say it, such as `Create API key`. */
  readonly label: string;
  /** For screen readers, where the label alone could be another row's. */
  readonly name?: string;
  readonly icon?: Icon;
  /** The one that a screen is for; at most one of them. */
  readonly primary?: boolean;
  /** Deletes or ends something. */
  readonly danger?: boolean;
  /** Why it can't be done now, or by this user. */
  readonly blocked?: string | null | false | undefined;
  /** Left out of the bar. */
  readonly hidden?: boolean;
  /** Does it, after the question if there is one. */
  readonly run?: () => Promise<unknown>;
  /** Shown once it is done. */
  readonly done?: string;
  /** In place of closing the question. */
  readonly onDone?: () => void;
  readonly confirm?: {
    readonly title: string;
    readonly text: ReactNode;
    /** Has to be typed, for what is dangerous. */
    readonly typed?: string;
  };
  readonly form?: {
    readonly title: string;
    /** A panel at the side, for more than a few fields. */
    readonly large?: boolean;
    readonly body: (close: () => void) => ReactNode;
  };
}

/** The actions of a screen as buttons, with the dialogs that they open. */
export function ActionBar(props: {
  readonly actions: readonly Action[];
  /** Within a table. */
  readonly size?: 'compact-xs';
}) {
  const { actions, size } = props;
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
  return (
    <>
      {shown.map((action) => (
        <ActionButton
          key={action.label}
          size={size}
          aria-label={action.name}
          variant={action.primary ? 'filled' : 'default'}
          c={action.danger ? 'var(--mantine-color-error)' : undefined}
          leftSection={action.icon && <action.icon size={15} stroke={1.8} aria-hidden />}
          blocked={action.blocked}
          loading={running === action.label}
          onClick={() => (action.form || action.confirm ? setOpen(action.label) : runNow(action))}
        >
          {action.label}
        </ActionButton>
      ))}
      {shown.map(
        ({ label, form }) =>
          form && (
            <FormDialog
              key={label}
              title={form.title}
              large={form.large ?? false}
              opened={open === label}
              onClose={close}
            >
              {form.body(close)}
            </FormDialog>
          ),
      )}
      {shown.map(
        ({ label, confirm, run, done, danger, onDone }) =>
          confirm &&
          open === label && (
            <Confirm
              key={label}
              title={confirm.title}
              action={label}
              danger={danger ?? false}
              {...(confirm.typed === undefined ? {} : { typed: confirm.typed })}
              done={done ?? 'Done.'}
              onConfirm={() => run?.() ?? Promise.resolve()}
              onClose={close}
              {...(onDone && { onDone })}
            >
              {confirm.text}
            </Confirm>
          ),
      )}
    </>
  );
}
