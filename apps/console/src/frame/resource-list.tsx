import { Pagination, Text } from '@mantine/core';
import { List, type ListProps } from '@millrace/ui/list';
import { type ListSearch, listSearch } from '@millrace/ui/list-search';
import { useNumbers } from '@millrace/ui/numbers';
import { useNavigate, useSearch } from '@tanstack/react-router';

const pageSize = 25;

/** A list of the management API: in numbered pages. */
export function ResourceList<Row extends { readonly id: string }>(
  props: ListProps<Row> & { readonly total: number | undefined },
) {
  const { total, ...list } = props;
  return <List {...list} searchable pages={<Pages total={total} />} />;
}

/** The total of a list and its pages, which the address selects. */
export function Pages({ total }: { readonly total: number | undefined }) {
  const numbers = useNumbers();
  const state = useSearch({ strict: false }) as ListSearch;
  const navigate = useNavigate();
  const pages = Math.max(1, Math.ceil((total ?? 0) / pageSize));
  return (
    <>
      <Text size="xs" c="dimmed" aria-live="polite">
        {total === undefined ? '' : `${numbers.count(total)} total`}
      </Text>
      {pages > 1 && (
        <Pagination
          size="sm"
          value={state.page ?? 1}
          total={pages}
          onChange={(page) => navigate({ to: '.', search: listSearch({ ...state, page }) as never, replace: true })}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
        />
      )}
    </>
  );
}
