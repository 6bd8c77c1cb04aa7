import { ActionButton, type ActionButtonProps } from '@millrace/ui/action-button';
import type { ReactNode } from 'react';
import { useSession } from './session.tsx';

/** Shows its content to users who have one of the permissions. */
export function Can(props: { readonly anyOf: readonly string[]; readonly children: ReactNode }) {
  return useSession().can(...props.anyOf) ? props.children : null;
}

/** Names the permission that the user lacks; null if they have it, or none is needed. */
export function useLacking(): (permission: string | readonly string[] | undefined) => string | null {
  const { can } = useSession();
  return (permission = []) => {
    const anyOf = typeof permission === 'string' ? [permission] : permission;
    return anyOf.length > 0 && !can(...anyOf) ? `You need the permission ${anyOf.join(' or ')}.` : null;
  };
}

/** A button that everyone sees; for users without the permission it is blocked and names it. */
export function PermittedButton(
  props: ActionButtonProps & {
    /** Any one of these is enough. */
    readonly permission?: string | readonly string[];
  },
) {
  const { permission, blocked, ...rest } = props;
  const lacking = useLacking();
  return <ActionButton {...rest} blocked={lacking(permission) ?? blocked} />;
}
