import { notifications } from '@mantine/notifications';
import { ResponseError } from '@millrace/operations/client';
import { createElement, useState } from 'react';

/** What a call asked for is held until somebody else approves it: nothing has failed, and nothing has changed yet. */
export class WaitsForApproval extends Error {
  /** Of the screen that shows what is held. */
  readonly path: string;

  constructor(path: string) {
    super('Somebody else has to approve this before anything changes.');
    this.name = 'WaitsForApproval';
    this.path = path;
  }
}

/** The values of a form, and what the server says of them. */
export interface Form<Values extends object> {
  readonly values: Values;
  /** Of the whole form, where no single field is at fault. */
  readonly message: string | null;
  /** Where what was sent is shown, if it is held for approval. */
  readonly waitingAt: string | null;
  readonly submitting: boolean;
  readonly changed: boolean;
  set<Key extends keyof Values>(key: Key, value: Values[Key]): void;
  /** The server's error at a field, by its path such as `hostNames.0`, or at anything below it. */
  errorAt(path: string): string | undefined;
  /** Props of a text input for a field. */
  text<Key extends keyof Values & string>(
    key: Key,
  ): {
    readonly value: string;
    readonly onChange: (event: { readonly currentTarget: { readonly value: string } }) => void;
    readonly error: string | undefined;
  };
  /** Sends the values; field errors of the answer go to their fields, any other message to the form. */
  submit(event?: { preventDefault(): void }): Promise<void>;
  /** Shows why something else that was asked with these values failed, as `submit` does. */
  refuse(error: unknown): void;
  reset(values: Values): void;
}

/** Whoever was asked before a write decided against it: nothing was sent, and there is nothing to show. */
export class WriteCancelled extends Error {}

/** What was typed cannot be sent as it stands; a sentence for each field, by its path. */
export class InvalidInput extends Error {
  readonly errors: Readonly<Record<string, string>>;

  constructor(errors: Readonly<Record<string, string>>) {
    super(Object.values(errors)[0]);
    this.errors = errors;
  }
}

/** A form whose rules are the server's: it is sent as it stands, and shows what the server objects to. */
export function useForm<Values extends object>(
  initial: Values,
  send: (values: Values) => Promise<unknown>,
): Form<Values> {
  const [values, setValues] = useState(initial);
  const [changed, setChanged] = useState(false);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [message, setMessage] = useState<string | null>(null);
  const [waitingAt, setWaitingAt] = useState<string | null>(null);
  const [submitting, setSubmitting] = useState(false);

  const errorAt = (path: string) =>
    errors[path] ?? Object.entries(errors).find(([at]) => at.startsWith(`${path}.`))?.[1];
  const set = <Key extends keyof Values>(key: Key, value: Values[Key]) => {
    setValues((present) => ({ ...present, [key]: value }));
    setChanged(true);
    setWaitingAt(null);
    setErrors((present) =>
      Object.fromEntries(Object.entries(present).filter(([at]) => at !== key && !at.startsWith(`${String(key)}.`))),
    );
  };
  const refuse = (error: unknown) => {
    if (error instanceof WriteCancelled) return;
    if (error instanceof WaitsForApproval) {
      setWaitingAt(error.path);
      setChanged(false);
      return;
    }
    const at = error instanceof ResponseError || error instanceof InvalidInput ? error.errors : {};
    setErrors(at);
    if (Object.keys(at).some((path) => path.split('.')[0]! in values)) setMessage(null);
    else if (error instanceof ResponseError) setMessage(error.message);
    else setMessage('The server cannot be reached. Nothing was changed; try again.');
  };
  return {
    values,
    message,
    waitingAt,
    submitting,
    changed,
    set,
    errorAt,
    text: (key) => ({
      value: String(values[key] ?? ''),
      onChange: (event) => set(key, event.currentTarget.value as never),
      error: errorAt(key),
    }),
    submit: async (event) => {
      event?.preventDefault();
      setSubmitting(true);
      setErrors({});
      setMessage(null);
      setWaitingAt(null);
      try {
        await send(values);
        setChanged(false);
      } catch (error) {
        refuse(error);
      } finally {
        setSubmitting(false);
      }
    },
    refuse,
    reset: (next) => {
      setValues(next);
      setChanged(false);
      setErrors({});
      setMessage(null);
      setWaitingAt(null);
    },
  };
}

const closeButtonProps = { 'aria-label': 'Dismiss' };

/** Shows why an action outside of a form failed, or that it waits for approval. */
export function showFailure(error: unknown): void {
  if (error instanceof WriteCancelled) return;
  if (error instanceof WaitsForApproval) {
    // Notifications stand outside of the router.
    const message = [`${error.message} `, createElement('a', { key: 'link', href: error.path }, 'Show the change')];
    notifications.show({ color: 'blue', title: 'Waiting for approval', message, autoClose: 15_000, closeButtonProps });
    return;
  }
  const message = error instanceof ResponseError ? error.message : 'The server cannot be reached. Try again.';
  notifications.show({ color: 'red', title: 'That did not work', message, autoClose: 8_000, closeButtonProps });
}

/** Tells of an action that is done. */
export function showDone(message: string): void {
  notifications.show({ color: 'teal', message, autoClose: 3_000, closeButtonProps });
}
