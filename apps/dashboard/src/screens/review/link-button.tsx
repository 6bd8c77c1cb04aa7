import { Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type Props = ButtonProps & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps>;

/** A link styled as a button. */
export const LinkButton = createLink((props: Props & { readonly ref?: Ref<HTMLAnchorElement> }) => (
  <Button component="a" {...props} />
));
