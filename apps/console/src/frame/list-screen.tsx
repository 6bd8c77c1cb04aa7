import type { ListProps } from '@millrace/ui/list';
import { Page } from '@millrace/ui/page';
import type { ReactNode } from 'react';
import { type PermittedAction, PermittedActions } from './actions.tsx';
import { ResourceList } from './resource-list.tsx';

/** The screen of a resource's list: title, actions and the list itself. */
export function ListScreen<Row extends { readonly id: string }>(
  props: Omit<ListProps<Row>, 'rows' | 'loading' | 'error' | 'actions'> & {
    readonly title: string;
    readonly description?: ReactNode;
    readonly actions?: readonly PermittedAction[];
    /** Links to related lists. */
    readonly tabs?: ReactNode;
    readonly list: {
      readonly rows: readonly Row[] | undefined;
      readonly total: number | undefined;
      readonly loading: boolean;
      readonly error: Error | null;
    };
  },
) {
  const { title, description, actions = [], tabs, list, ...rest } = props;
  return (
    <Page title={title} description={description} actions={<PermittedActions actions={actions} />} tabs={tabs}>
      <ResourceList {...rest} {...list} />
    </Page>
  );
}
