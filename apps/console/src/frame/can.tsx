import { ActionButton, type ActionButtonProps } from '@millrace/ui/action-button';
import type { ReactNode } from 'react';
import { useSession } from './session.tsx';

/** Shows its content to whoever holds one of the permissions, and nothing to others. */
export function Can(props: { readonly anyOf: readonly string[]; readonly children: ReactNode }) {
  return useSession().can(...props.anyOf) ? props.children : null;
}

/** The sentence that names a permission that the caller lacks; null where they have it, or none is needed. */
export function useLacking(): (permission: string | readonly string[] | undefined) => string | null {
  const { can } = useSession();
  return (permission = []) => {
    const anyOf = typeof permission === 'string' ? [permission] : permission;
    return anyOf.length > 0 && !can(...anyOf) ? `You need the permission ${anyOf.join(' or ')}.` : null;
  };
}

/** A button that everybody sees, and that names the permission to whoever lacks it. */
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
