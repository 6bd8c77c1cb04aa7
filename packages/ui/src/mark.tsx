import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';

/** Each keeps 4.5:1 below white. */
const colors = {
  neutral: 'gray.7',
  accent: 'water.8',
  active: 'blue.9',
  good: 'teal.9',
  warning: '#9c4100',
  bad: 'red.9',
} as const;

export type Tone = keyof typeof colors;

/** A short word on a state, coloured by what it means; the word alone says it all. */
export function Mark(props: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <Badge
      variant="filled"
      color={colors[props.tone]}
      tt="none"
      fw={600}
      // Narrow columns are as wide as their marks, whose words are never cut.
      styles={{ root: { flexShrink: 0, overflow: 'visible' }, label: { overflow: 'visible' } }}
    >
      {props.children}
    </Badge>
  );
}
