import type { ListProps } from '@millrace/ui/list';
import { Page } from '@millrace/ui/page';
import type { ReactNode } from 'react';
import { type PermittedAction, PermittedActions } from './actions.tsx';
import { ResourceList } from './resource-list.tsx';

/** The screen of a resource's list: its title, the action that makes one, and the list itself. */
export function ListScreen<Row extends { readonly id: string }>(
  props: Omit<ListProps<Row>, 'rows' | 'loading' | 'error' | 'actions'> & {
    readonly title: string;
    readonly description?: ReactNode;
    readonly actions?: readonly PermittedAction[];
    readonly list: {
      readonly rows: readonly Row[] | undefined;
      readonly total: number | undefined;
      readonly loading: boolean;
      readonly error: Error | null;
    };
  },
) {
  const { title, description, actions = [], list, ...rest } = props;
  return (
    <Page title={title} description={description} actions={<PermittedActions actions={actions} />}>
      <ResourceList {...rest} {...list} />
    </Page>
  );
}
