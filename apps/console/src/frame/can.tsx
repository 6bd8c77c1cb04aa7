import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSession } from './session.tsx';

/** Shows its content to whoever holds one of the permissions, and nothing to others. */
export function Can(props: { readonly anyOf: readonly string[]; readonly children: ReactNode }) {
  return useSession().can(...props.anyOf) ? props.children : null;
}

/**
 * A button that stays visible where its caller may not press it, or where the present state does not allow it, and then
 * says why: on pointing at it, on focus, and to a screen reader.
 */
export function ActionButton(
  props: ButtonProps & {
    readonly children: ReactNode;
    readonly onClick: () => void;
    /** Holding any one of these is enough. */
    readonly permission?: string | readonly string[];
    /** Why the present state does not allow it. */
    readonly blocked?: string | null | false;
    readonly 'aria-label'?: string;
  },
) {
  const { permission, blocked, onClick, children, ...rest } = props;
  const { can } = useSession();
  const asked = permission === undefined ? [] : typeof permission === 'string' ? [permission] : permission;
  const reason =
    asked.length > 0 && !can(...asked) ? `You need the permission ${asked.join(' or ')}.` : blocked || null;
  if (reason === null) {
    return (
      <Button {...rest} onClick={onClick}>
        {children}
      </Button>
    );
  }
  return (
    <Tooltip label={reason} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <Button
        {...rest}
        data-disabled
        aria-disabled
        aria-description={reason}
        onClick={(event) => event.preventDefault()}
      >
        {children}
      </Button>
    </Tooltip>
  );
}
