import { Pagination, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import type { ListSearch } from './list-search.ts';
import { useNumbers } from './numbers.ts';
import { useSearchChange } from './search-change.ts';
import { texts } from './texts.ts';

/** The total of a list and its pages, which the address selects. */
export function NumberedPages(props: { readonly total: number | undefined; readonly pageSize: number }) {
  const { total, pageSize } = props;
  const numbers = useNumbers();
  const state = useSearch({ strict: false }) as ListSearch;
  const change = useSearchChange({ replace: true });
  const pages = Math.max(1, Math.ceil((total ?? 0) / pageSize));
  const words = texts().list;
  return (
    <>
      <Text size="xs" c="dimmed" aria-live="polite">
        {total === undefined ? '' : words.total(numbers.count(total))}
      </Text>
      {pages > 1 && (
        <Pagination
          size="sm"
          value={state.page ?? 1}
          total={pages}
          onChange={(page) => change((current) => ({ ...current, page }))}
          getControlProps={(control) => ({ 'aria-label': words.pageControl[control] })}
          getItemProps={(item) => ({ 'aria-label': words.page(item) })}
        />
      )}
    </>
  );
}
