import { Button, Group, Text } from '@mantine/core';
import { List, type ListProps } from '@millrace/ui/list';
import type { ListSearch } from '@millrace/ui/list-search';
import { useNumbers } from '@millrace/ui/numbers';
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Cursors of the previous pages; that of the first page is an empty string. */
    readonly pagesBefore?: readonly string[];
  }
}

/** A page of a list, as every list of the service returns it. */
interface ListPage<Row> {
  readonly items: readonly Row[];
  readonly nextCursor: string | null;
  /** Of all pages; null if there are too many to count, absent if the list isn't counted. */
  readonly total?: number | null;
}

/** A list paged by cursor, which is in the address. */
export function CursorList<Row extends { readonly id: string }>(
  props: Omit<ListProps<Row>, 'rows' | 'loading' | 'error'> & {
    readonly read: {
      readonly data: ListPage<Row> | undefined;
      readonly error: Error | null;
      readonly isPending: boolean;
      readonly isPlaceholderData: boolean;
    };
    /** Whether there is a search field. */
    readonly searchable?: boolean;
  },
) {
  const { read, searchable = false, ...list } = props;
  const { data, error, isPending, isPlaceholderData } = read;
  return (
    <List
      {...list}
      searchable={searchable}
      rows={data?.items}
      // Not while the shown page is refetched, as it is every few seconds.
      loading={isPending || isPlaceholderData}
      error={error}
      pages={<Pages noun={list.noun} nextCursor={data?.nextCursor ?? null} total={data?.total} />}
    />
  );
}

function Pages(props: {
  readonly noun: string;
  readonly nextCursor: string | null;
  readonly total: number | null | undefined;
}) {
  const { noun, nextCursor, total } = props;
  const { cursor, ...rest } = useSearch({ strict: false }) as ListSearch;
  const before = useLocation().state.pagesBefore ?? [];
  const navigate = useNavigate();
  const numbers = useNumbers();
  const go = (to: string, pagesBefore: readonly string[]) =>
    navigate({
      to: '.',
      search: { ...rest, ...(to === '' ? {} : { cursor: to }) } as never,
      state: (state) => ({ ...state, pagesBefore }),
    });
  const previous = before.at(-1);
  return (
    <>
      <Text size="sm" c="dimmed" aria-live="polite">
        {total === undefined ? '' : total === null ? 'More than 10,000 total' : `${numbers.count(total)} total`}
      </Text>
      {(cursor !== undefined || nextCursor !== null) && (
        <Group gap="xs" component="nav" aria-label={`Pages of ${noun}`}>
          {cursor !== undefined && previous === undefined && (
            <Button variant="default" size="xs" onClick={() => go('', [])}>
              First page
            </Button>
          )}
          {previous !== undefined && (
            <Button variant="default" size="xs" onClick={() => go(previous, before.slice(0, -1))}>
              Previous page
            </Button>
          )}
          {nextCursor !== null && (
            <Button variant="default" size="xs" onClick={() => go(nextCursor, [...before, cursor ?? ''])}>
              Next page
            </Button>
          )}
        </Group>
      )}
    </>
  );
}
