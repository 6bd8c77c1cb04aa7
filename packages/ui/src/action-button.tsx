import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

export interface ActionButtonProps extends ButtonProps {
  readonly children: ReactNode;
  readonly onClick: () => void;
  /** Why it can't be used now, or by this user. */
  readonly blocked?: string | null | false;
  readonly 'aria-label'?: string;
}

/**
 * A button that stays visible when it can't be used and says why: on hover, on focus, and to screen readers.
 */
export function ActionButton(props: ActionButtonProps) {
  const { blocked, onClick, children, ...rest } = props;
  if (!blocked) {
    return (
      <Button {...rest} onClick={onClick}>
        {children}
      </Button>
    );
  }
  return (
    <Tooltip label={blocked} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <Button
        {...rest}
        data-disabled
        aria-disabled
        aria-description={blocked}
        onClick={(event) => event.preventDefault()}
      >
        {children}
      </Button>
    </Tooltip>
  );
}
