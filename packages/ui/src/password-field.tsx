import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useId } from 'react';
import { texts } from './texts.ts';

/**
 * A field for a password. Mantine leaves the button that shows it out of the order of focus, and what is wrong with it to
 * the eye alone.
 */
export function PasswordField(props: PasswordInputProps) {
  const id = useId();
  const { error, description } = props;
  const described = [description && `${id}-description`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <PasswordInput
      id={id}
      aria-invalid={error ? true : undefined}
      aria-describedby={described || undefined}
      visibilityToggleButtonProps={{ 'aria-label': texts().password.show, tabIndex: 0 }}
      {...props}
    />
  );
}
