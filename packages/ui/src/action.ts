import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Icon } from './icons.ts';

/** Something that can be done on a screen: at once, after a question, with a form, or on another screen. */
export interface Action {
  /** A verb, with its object where the screen doesn't say it, such as `Create API key`. */
  readonly label: string;
  /** For screen readers, where the label alone could be another row's. */
  readonly name?: string;
  readonly icon?: Icon;
  /** The one that a screen is for; at most one of them. */
  readonly primary?: boolean;
  /** Deletes or ends something. */
  readonly danger?: boolean;
  /** Why it can't be done now, or by this user. */
  readonly blocked?: string | null | false | undefined;
  /** Left out of the bar. */
  readonly hidden?: boolean;
  /** In the menu at the end of the bar, for what is done rarely. */
  readonly inMenu?: boolean;
  /** The screen that it opens. */
  readonly link?: LinkProps;
  /** Does it, after the question if there is one. */
  readonly run?: () => unknown;
  /** Shown once it is done. */
  readonly done?: string;
  /** Instead of closing the question. */
  readonly onDone?: () => void;
  readonly confirm?: {
    readonly title: string;
    readonly text: ReactNode;
    /** Has to be typed, for what is dangerous. */
    readonly typed?: string | undefined;
  };
  readonly form?: {
    readonly title: string;
    /** A panel at the side, for more than a few fields. */
    readonly large?: boolean;
    readonly body: (close: () => void) => ReactNode;
  };
}
