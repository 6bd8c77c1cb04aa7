import { useForm as useMantineForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { ResponseError } from '@millrace/operations/client';
import { createElement, useRef, useState } from 'react';
import { InvalidInput } from './invalid-input.ts';
import { TextLink } from './text-link.tsx';
import { texts } from './texts.ts';

/** A change that needs another person's approval first: nothing has failed, and nothing has changed yet. */
export class WaitsForApproval extends Error {
  /** Of the screen that shows what is held. */
  readonly path: string;

  constructor(path: string) {
    super('Another person has to approve this before anything changes.');
    this.name = 'WaitsForApproval';
    this.path = path;
  }
}

/**
 * The values of a form, and the server's errors about them. Its functions may be kept: those of an earlier drawing do the
 * same as those of the latest.
 */
export interface Form<Values extends object> {
  /** Those of now, also where the form is one of an earlier drawing. */
  readonly values: Values;
  /** The error of the whole form, if it isn't about a field. */
  readonly message: string | null;
  /** The screen of the change, if it waits for approval. */
  readonly waitingAt: string | null;
  readonly submitting: boolean;
  readonly changed: boolean;
  set<Key extends keyof Values>(key: Key, value: Values[Key]): void;
  /** Sets a value by its path, such as `endpoints.0.host`. */
  setAt(path: string, value: unknown): void;
  /** Appends to the list at a path. */
  insertAt(path: string, item: unknown): void;
  removeAt(path: string, index: number): void;
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
  /** Sends the values; field errors appear at their fields, other messages at the form. */
  submit(event?: { preventDefault(): void }): Promise<void>;
  /** Shows the error of another call with these values, as `submit` does. */
  refuse(error: unknown): void;
  reset(values: Values): void;
}

/** The user was asked before a write and decided against it: nothing was sent, and there is nothing to show. */
export class WriteCancelled extends Error {}

/** A form whose rules are the server's: it is sent as it is, and shows the server's errors. */
export function useForm<Values extends object>(
  initial: Values,
  send: (values: Values) => Promise<unknown>,
): Form<Values> {
  const form = useMantineForm<Values>({ initialValues: initial });
  const [message, setMessage] = useState<string | null>(null);
  const [waitingAt, setWaitingAt] = useState<string | null>(null);
  const [submitting, setSubmitting] = useState(false);
  const errors = useRef(form.errors);
  errors.current = form.errors;

  const errorAt = (path: string) => {
    const now = errors.current;
    return (now[path] ?? Object.entries(now).find(([at]) => at.startsWith(`${path}.`))?.[1]) as string | undefined;
  };
  const setAt = (path: string, value: unknown) => {
    form.setFieldValue(path as never, value as never);
    setWaitingAt(null);
    for (const at of Object.keys(errors.current)) if (at.startsWith(`${path}.`)) form.clearFieldError(at as never);
  };
  const refuse = (error: unknown) => {
    if (error instanceof WriteCancelled) return;
    if (error instanceof WaitsForApproval) {
      setWaitingAt(error.path);
      form.resetDirty();
      return;
    }
    const at = error instanceof ResponseError || error instanceof InvalidInput ? error.errors : {};
    form.setErrors({ ...at });
    if (Object.keys(at).some((path) => path.split('.')[0]! in form.getValues())) setMessage(null);
    else if (error instanceof ResponseError) setMessage(error.message);
    else setMessage(texts().failure.nothingSent);
  };
  return {
    get values() {
      return form.getValues();
    },
    message,
    waitingAt,
    submitting,
    changed: form.isDirty(),
    set: (key, value) => setAt(String(key), value),
    setAt,
    insertAt: (path, item) => form.insertListItem(path as never, item as never),
    removeAt: (path, index) => form.removeListItem(path as never, index),
    errorAt,
    text: (key) => ({
      value: String(form.getValues()[key] ?? ''),
      onChange: (event) => setAt(key, event.currentTarget.value),
      error: errorAt(key),
    }),
    submit: async (event) => {
      event?.preventDefault();
      setSubmitting(true);
      form.clearErrors();
      setMessage(null);
      setWaitingAt(null);
      try {
        await send(form.getValues());
        form.resetDirty();
      } catch (error) {
        refuse(error);
      } finally {
        setSubmitting(false);
      }
    },
    refuse,
    reset: (next) => {
      form.setValues(next);
      form.resetDirty(next);
      form.clearErrors();
      setMessage(null);
      setWaitingAt(null);
    },
  };
}

const closeButtonProps = () => ({ 'aria-label': texts().dismiss });

/** Shows why an action outside of a form failed, or that it waits for approval. */
export function showFailure(error: unknown): void {
  if (error instanceof WriteCancelled) return;
  if (error instanceof WaitsForApproval) {
    const message = [`${error.message} `, createElement(TextLink, { key: 'link', to: error.path }, 'Show the change')];
    notifications.show({
      color: 'blue',
      title: 'Waiting for approval',
      message,
      autoClose: 15_000,
      closeButtonProps: closeButtonProps(),
    });
    return;
  }
  const message = error instanceof ResponseError ? error.message : texts().failure.unreachable;
  notifications.show({
    color: 'red',
    title: texts().failure.title,
    message,
    autoClose: 8_000,
    closeButtonProps: closeButtonProps(),
  });
}

/** Confirms an action outside of a form. */
export function showDone(message: string): void {
  notifications.show({ color: 'teal', message, autoClose: 3_000, closeButtonProps: closeButtonProps() });
}
