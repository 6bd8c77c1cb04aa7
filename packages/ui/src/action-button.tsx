import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

export interface ActionButtonProps extends ButtonProps {
  readonly children: ReactNode;
  readonly onClick: () => void;
  /** Why it cannot be pressed now, or by whoever is signed in. */
  readonly blocked?: string | null | false;
  readonly 'aria-label'?: string;
}

/**
 * A button that stays visible where it cannot be pressed, and then says why: on pointing at it, on focus, and to a screen
 * reader.
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
