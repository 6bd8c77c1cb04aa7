import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type Props = AnchorProps & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof AnchorProps>;

/** A link to a screen, within a text or a table. */
export const TextLink = createLink((props: Props & { readonly ref?: Ref<HTMLAnchorElement> }) => <Anchor {...props} />);
