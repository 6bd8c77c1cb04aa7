import { ActionButton, type ActionButtonProps } from '@millrace/ui/action-button';
import type { ReactNode } from 'react';
import { useSession } from './session.tsx';

/** Shows its content to whoever holds one of the permissions, and nothing to others. */
export function Can(props: { readonly anyOf: readonly string[]; readonly children: ReactNode }) {
  return useSession().can(...props.anyOf) ? props.children : null;
}

/** A button that is there for everybody, and says to whoever lacks its permission which one that is. */
export function PermittedButton(
  props: ActionButtonProps & {
    /** Holding any one of these is enough. */
    readonly permission?: string | readonly string[];
  },
) {
  const { permission, blocked, ...rest } = props;
  const { can } = useSession();
  const asked = permission === undefined ? [] : typeof permission === 'string' ? [permission] : permission;
  const lacking = asked.length > 0 && !can(...asked) ? `You need the permission ${asked.join(' or ')}.` : null;
  return <ActionButton {...rest} blocked={lacking ?? blocked} />;
}
