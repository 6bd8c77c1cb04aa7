import { Group } from '@mantine/core';
import type { Action } from '@millrace/ui/action';
import { ActionBar } from '@millrace/ui/action-bar';
import { List, type ListProps } from '@millrace/ui/list';
import { NumberedPages } from '@millrace/ui/numbered-pages';
import { Page } from '@millrace/ui/page';
import type { ReactNode } from 'react';

const pageSize = 25;

interface ListRead<Row> {
  readonly rows: readonly Row[] | undefined;
  readonly total: number | undefined;
  readonly loading: boolean;
  readonly error: Error | null;
}

/** The screen of a list: title, actions and the list itself, in numbered pages. */
export function ListScreen<Row extends { readonly id: string }>(
  props: Omit<ListProps<Row>, 'rows' | 'loading' | 'error' | 'actions'> & {
    readonly title: string;
    readonly description?: ReactNode;
    readonly actions?: readonly Action[];
    readonly tabs?: ReactNode;
    readonly searchable?: boolean;
    readonly list: ListRead<Row>;
  },
) {
  const { title, description, actions = [], tabs, ...rest } = props;
  return (
    <Page title={title} description={description} actions={<ActionBar actions={actions} />} tabs={tabs}>
      <PagedList {...rest} />
    </Page>
  );
}

/** A list in numbered pages. */
export function PagedList<Row extends { readonly id: string }>(
  props: Omit<ListProps<Row>, 'rows' | 'loading' | 'error' | 'actions'> & {
    readonly searchable?: boolean;
    readonly list: ListRead<Row>;
  },
) {
  const { list, searchable = false, ...rest } = props;
  const { rows, total, loading, error } = list;
  return (
    <List
      {...rest}
      {...{ rows, loading, error, searchable }}
      pages={<NumberedPages total={total} pageSize={pageSize} />}
    />
  );
}

/** The actions of a table's row. */
export function RowActions({ actions }: { readonly actions: readonly Action[] }) {
  return (
    <Group gap={6} wrap="nowrap">
      <ActionBar size="compact-xs" actions={actions} />
    </Group>
  );
}
