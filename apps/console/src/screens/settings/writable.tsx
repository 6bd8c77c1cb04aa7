import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLacking } from '../../frame/can.tsx';

/** A form that a user without the permission reads but can't change. */
export function Writable(props: { readonly permission: string; readonly children: ReactNode }) {
  const lacking = useLacking()(props.permission);
  return (
    <>
      {lacking && (
        <Text size="sm" c="dimmed" mb="md">
          {lacking}
        </Text>
      )}
      <fieldset disabled={lacking !== null} className="plain-fieldset">
        {props.children}
      </fieldset>
    </>
  );
}
