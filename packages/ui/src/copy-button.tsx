import { Button, type ButtonProps, CopyButton as Copy } from '@mantine/core';

/** Copies a text, and says so. */
export function CopyButton(props: ButtonProps & { readonly value: string; readonly label?: string }) {
  const { value, label = 'Copy', ...rest } = props;
  return (
    <Copy value={value} timeout={2_000}>
      {({ copied, copy }) => (
        <Button variant="default" size="xs" {...rest} onClick={copy} aria-live="polite">
          {copied ? 'Copied' : label}
        </Button>
      )}
    </Copy>
  );
}
