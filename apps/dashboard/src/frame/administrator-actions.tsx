import { Group } from '@mantine/core';
import type { Action } from '@millrace/ui/action';
import { ActionBar } from '@millrace/ui/action-bar';
import { useIsAdministrator } from './session.tsx';

/** Why a control is disabled for members. */
const administratorsOnly = 'Only administrators can do this.';

/** Actions that everyone sees and only administrators can use. */
export function AdministratorActions(props: {
  readonly actions: readonly Action[];
  /** Within a table. */
  readonly size?: 'compact-xs';
}) {
  const isAdministrator = useIsAdministrator();
  const actions = isAdministrator
    ? props.actions
    : props.actions.map((action) => ({ ...action, blocked: administratorsOnly }));
  const bar = <ActionBar size={props.size} actions={actions} />;
  if (props.size === undefined) return bar;
  return (
    <Group gap={4} wrap="nowrap">
      {bar}
    </Group>
  );
}
