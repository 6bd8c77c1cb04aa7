import type { ReactNode } from 'react';
import classes from './mark.module.css';

export type Tone = 'neutral' | 'accent' | 'active' | 'good' | 'warning' | 'bad';

/** A short word for a state, with a dot in the colour of its meaning; the word alone is enough. */
export function Mark(props: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={classes.mark} data-tone={props.tone}>
      {props.children}
    </span>
  );
}
