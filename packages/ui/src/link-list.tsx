import { List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { TextLink } from './text-link.tsx';

/** Links to objects below each other, such as to what uses another one. */
export function LinkList(props: {
  readonly links: readonly { readonly to: string; readonly label: string; readonly note?: ReactNode }[];
  /** In place of the links where there are none. */
  readonly empty: string;
}) {
  if (props.links.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {props.empty}
      </Text>
    );
  }
  return (
    <List size="sm" spacing={4}>
      {props.links.map(({ to, label, note }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same object may be linked several times.
        <List.Item key={index}>
          <TextLink to={to} inherit underline="always">
            {label}
          </TextLink>{' '}
          {note}
        </List.Item>
      ))}
    </List>
  );
}
