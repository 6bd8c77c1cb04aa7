import { Button, type ButtonProps, CopyButton as Copy } from '@mantine/core';
import { texts } from './texts.ts';

/** Copies a text, and says so. */
export function CopyButton(props: ButtonProps & { readonly value: string; readonly label?: string }) {
  const { value, label = texts().copy, ...rest } = props;
  return (
    <Copy value={value} timeout={2_000}>
      {({ copied, copy }) => (
        <Button variant="default" size="xs" {...rest} onClick={copy} aria-live="polite">
          {copied ? texts().copied : label}
        </Button>
      )}
    </Copy>
  );
}
