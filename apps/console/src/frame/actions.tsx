import { type Action, ActionBar } from '@millrace/ui/action-bar';
import { useLacking } from './can.tsx';

/** An action that needs a permission. */
export interface PermittedAction extends Action {
  /** Any one of these is enough. */
  readonly permission?: string | readonly string[];
}

/** The actions of a screen; one whose permission the caller lacks is there, and names it. */
export function PermittedActions({ actions }: { readonly actions: readonly PermittedAction[] }) {
  const lacking = useLacking();
  return (
    <ActionBar
      actions={actions.map(({ permission, ...action }) => ({
        ...action,
        blocked: lacking(permission) ?? action.blocked,
      }))}
    />
  );
}
