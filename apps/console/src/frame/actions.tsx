import type { Action } from '@millrace/ui/action';
import { ActionBar } from '@millrace/ui/action-bar';
import { ActionMenu } from '@millrace/ui/action-menu';
import { IconPencil, IconPlus, IconTrash } from '@millrace/ui/icons';
import type { ReactNode } from 'react';
import { useLacking } from './can.tsx';

/** An action that needs a permission. */
export interface PermittedAction extends Action {
  /** Any one of these is enough. */
  readonly permission?: string | readonly string[];
}

/** The actions of a screen; one whose permission the caller lacks is there, and names it. */
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

interface FormAction {
  /** What it makes or changes, such as `target server`. */
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

/** Suspends an active object after a question, or activates a suspended one. */
export function suspendAction(options: {
  readonly name: string;
  readonly state: 'active' | 'suspended';
  readonly permission: string;
  /** Why it can't be suspended. */
  readonly blocked?: string | false;
  /** Has to be typed first. */
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

/** Deletes an object, after a question. */
export function deleteAction(options: {
  readonly name: string;
  readonly permission: string;
  readonly blocked?: string | false;
  /** What goes with it, or what keeps it from being deleted. */
  readonly text: ReactNode;
  /** Has to be typed first. */
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
