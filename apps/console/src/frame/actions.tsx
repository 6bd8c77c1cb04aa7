import { Group, Textarea } from '@mantine/core';
import type { Action } from '@millrace/ui/action';
import { ActionBar } from '@millrace/ui/action-bar';
import { ActionMenu } from '@millrace/ui/action-menu';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { IconPencil, IconPlus, IconTrash } from '@millrace/ui/icons';
import type { ReactNode } from 'react';
import { useLacking } from './can.tsx';

/** An action that needs a permission. */
export interface PermittedAction extends Action {
  /** Any one of these is enough. */
  readonly permission?: string | readonly string[];
}

/** The actions of a screen. One whose permission the user lacks is blocked, and names the permission. */
export function PermittedActions(props: {
  readonly actions: readonly PermittedAction[];
  /** Within a table or card. */
  readonly size?: 'compact-xs' | 'xs';
  /** Of the menu, where a screen has several. */
  readonly menuLabel?: string;
}) {
  const { actions, size, menuLabel } = props;
  return <ActionBar size={size} menuLabel={menuLabel} actions={usePermitted(actions)} />;
}

/** The actions of a row or card in a menu, likewise. */
export function PermittedMenu(props: {
  /** For screen readers, such as `Actions for Quota`. */
  readonly label: string;
  readonly actions: readonly PermittedAction[];
}) {
  return <ActionMenu label={props.label} actions={usePermitted(props.actions)} />;
}

function usePermitted(actions: readonly PermittedAction[]): readonly Action[] {
  const lacking = useLacking();
  return actions.map(({ permission, ...action }) => ({ ...action, blocked: lacking(permission) ?? action.blocked }));
}

/** The actions of a table's row; none of them is the screen's primary one. */
export function RowActions({ actions }: { readonly actions: readonly PermittedAction[] }) {
  return (
    <Group gap={6} wrap="nowrap">
      <PermittedActions size="compact-xs" actions={actions.map((action) => ({ ...action, primary: false }))} />
    </Group>
  );
}

interface FormAction {
  /** What it creates or edits, such as `target server`. */
  readonly noun: string;
  readonly permission: string;
  readonly large?: boolean;
  readonly body: (close: () => void) => ReactNode;
}

/** The primary action of a list. */
export function createAction({ noun, permission, large = false, body }: FormAction): PermittedAction {
  const label = `Create ${noun}`;
  return { label, icon: IconPlus, primary: true, permission, form: { title: label, large, body } };
}

/** Edits an object. */
export function editAction({ noun, permission, large = false, body }: FormAction): PermittedAction {
  return { label: 'Edit', icon: IconPencil, permission, form: { title: `Edit ${noun}`, large, body } };
}

/** Suspends an active object after confirmation, or activates a suspended one. */
export function suspendAction(options: {
  readonly name: string;
  readonly state: 'active' | 'suspended';
  readonly permission: string;
  /** Why it can't be suspended. */
  readonly blocked?: string | false;
  /** Has to be typed to confirm. */
  readonly typed?: string;
  /** What stops. */
  readonly text: ReactNode;
  readonly suspend: () => Promise<unknown>;
  readonly activate: () => Promise<unknown>;
}): PermittedAction {
  const { name, state, permission, blocked, typed, text, suspend, activate } = options;
  return state === 'active'
    ? {
        label: 'Suspend',
        permission,
        blocked,
        run: suspend,
        done: `${name} suspended.`,
        confirm: { title: `Suspend ${name}?`, text, ...(typed === undefined ? {} : { typed }) },
      }
    : { label: 'Activate', permission, run: activate, done: `${name} is active again.` };
}

/** Deletes an object after confirmation. */
export function deleteAction(options: {
  readonly name: string;
  readonly permission: string;
  readonly blocked?: string | false;
  /** What is deleted with it, or what prevents it. */
  readonly text: ReactNode;
  /** Has to be typed to confirm. */
  readonly typed?: string;
  readonly run: () => Promise<unknown>;
  /** Leaves the screen of what is deleted. */
  readonly onDone?: () => void;
}): PermittedAction {
  const { name, permission, blocked, text, typed, run, onDone } = options;
  return {
    label: 'Delete',
    icon: IconTrash,
    danger: true,
    permission,
    blocked,
    run,
    done: `${name} deleted.`,
    ...(onDone && { onDone }),
    confirm: { title: `Delete ${name}?`, text, ...(typed === undefined ? {} : { typed }) },
  };
}

interface ReasonOptions {
  readonly title: string;
  /** Who reads the reason, or what the action does. */
  readonly help: string;
  readonly optional?: boolean;
  /** Resolves to what is shown once it is done. */
  readonly send: (body: { readonly reason: string }) => Promise<string>;
}

/** An action that asks for a reason, such as rejecting a request. */
export function reasonAction({
  title,
  help,
  optional = false,
  send,
  ...action
}: ReasonOptions & Omit<PermittedAction, 'form' | 'run' | 'done' | 'confirm'>): PermittedAction {
  const form = { label: action.label, danger: action.danger ?? false, help, optional, send };
  return { ...action, form: { title, body: (close) => <ReasonForm {...form} onClose={close} /> } };
}

function ReasonForm(
  props: Required<Omit<ReasonOptions, 'title'>> & {
    readonly label: string;
    readonly danger: boolean;
    readonly onClose: () => void;
  },
) {
  const { label, danger, help, optional, send, onClose } = props;
  const form = useForm({ reason: '' }, async (body) => {
    showDone(await send(body));
    onClose();
  });
  return (
    <FormBody form={form} submitLabel={label} danger={danger} onCancel={onClose}>
      <Textarea
        label="Reason"
        description={help}
        required={!optional}
        autosize
        minRows={3}
        data-autofocus
        {...form.text('reason')}
      />
    </FormBody>
  );
}
