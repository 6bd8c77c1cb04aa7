import {
  Alert,
  Anchor,
  Group,
  Loader,
  Pagination,
  ScrollArea,
  Select,
  Table,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { wordsOf } from './stage-badge.tsx';

/** The part of a list that stands in the address: the same names as the API's own. */
export interface ListSearch {
  readonly search?: string;
  readonly page?: number;
  readonly sort?: string;
  readonly [filter: string]: string | number | undefined;
}

/** Takes an address's query as a list's state; whatever else stands there is left to the API to refuse. */
export function listSearch(query: Record<string, unknown>): ListSearch {
  const kept = Object.entries(query)
    .filter(([, value]) => value !== '' && value !== undefined && value !== null)
    .map(([name, value]) => [name, name === 'page' ? Math.max(1, Number(value) || 1) : String(value)]);
  return Object.fromEntries(kept);
}

/** A list's state as the API's query takes it. */
export function listQueryOf(search: ListSearch): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(search)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );
}

export interface Column<Row> {
  readonly title: string;
  /** By which the API sorts this column; without it the column cannot be sorted. */
  readonly sort?: string;
  readonly cell: (row: Row) => ReactNode;
}

/** A named filter of the API: one of the options, a moment, or a text that is typed. */
export interface Filter {
  readonly name: string;
  readonly label: string;
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly type?: 'moment' | 'text';
}

/** Codes of the API as options of a filter or a field. */
export function optionsOf(codes: readonly string[]): { readonly value: string; readonly label: string }[] {
  return codes.map((code) => ({ value: code, label: wordsOf(code) }));
}

const pageSize = 25;

/** A list as every screen has it: search, filters, sorting and pages, all of them in the address. */
export function ResourceList<Row extends { readonly id: string }>(props: {
  /** What is listed, in the plural, for the search field and the empty list. */
  readonly noun: string;
  readonly rows: readonly Row[] | undefined;
  readonly total: number | undefined;
  readonly loading: boolean;
  readonly error: Error | null;
  readonly columns: readonly Column<Row>[];
  readonly filters?: readonly Filter[];
  readonly actions?: ReactNode;
  /** What to say, and offer, where nothing is there at all. */
  readonly empty?: ReactNode;
}) {
  const state = useSearch({ strict: false }) as ListSearch;
  const navigate = useNavigate();
  const [typed, setTyped] = useState(state.search ?? '');
  const change = (changes: ListSearch) =>
    navigate({ to: '.', search: listSearch({ ...state, page: undefined, ...changes }) as never, replace: true });
  const searchSoon = useDebouncedCallback((search: string) => change({ search }), 250);
  const page = state.page ?? 1;
  const pages = Math.max(1, Math.ceil((props.total ?? 0) / pageSize));
  const filtered = Object.keys(state).some((name) => name !== 'page' && name !== 'sort');

  return (
    <>
      <Group mb="md" align="end">
        <TextInput
          aria-label={`Search ${props.noun}`}
          placeholder={`Search ${props.noun}`}
          type="search"
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            searchSoon(event.currentTarget.value);
          }}
          w={260}
        />
        {props.filters?.map((filter) => (
          <FilterField
            key={filter.name}
            filter={filter}
            value={state[filter.name] === undefined ? null : String(state[filter.name])}
            onChange={(value) => change({ [filter.name]: value ?? undefined })}
          />
        ))}
        {props.loading && <Loader size="sm" aria-label="Loading" />}
        <Group ml="auto">{props.actions}</Group>
      </Group>
      {props.error && (
        <Alert color="red" mb="md" role="alert">
          {props.error.message}
        </Alert>
      )}
      <ScrollArea viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': `Table of ${props.noun}` }}>
        <Table striped highlightOnHover verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              {props.columns.map((column) => (
                <ColumnHead key={column.title} column={column} sort={state.sort} onSort={(sort) => change({ sort })} />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {props.rows?.map((row) => (
              <Table.Tr key={row.id}>
                {props.columns.map((column) => (
                  <Table.Td key={column.title}>{column.cell(row)}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
      {props.rows?.length === 0 &&
        (filtered ? (
          <Text c="dimmed" my="lg">
            No {props.noun} match.{' '}
            <Anchor
              component="button"
              onClick={() => {
                setTyped('');
                navigate({ to: '.', search: {} as never, replace: true });
              }}
            >
              Clear search and filters
            </Anchor>
          </Text>
        ) : (
          (props.empty ?? (
            <Text c="dimmed" my="lg">
              There are no {props.noun} yet.
            </Text>
          ))
        ))}
      <Group justify="space-between" mt="md">
        <Text size="sm" c="dimmed" aria-live="polite">
          {props.total === undefined ? '' : `${props.total} ${props.noun}`}
        </Text>
        {pages > 1 && (
          <Pagination
            value={page}
            total={pages}
            onChange={(next) => change({ page: next })}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
            getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
          />
        )}
      </Group>
    </>
  );
}

function ColumnHead<Row>(props: {
  readonly column: Column<Row>;
  readonly sort: string | undefined;
  readonly onSort: (sort: string) => void;
}) {
  const { column, sort } = props;
  if (column.sort === undefined) return <Table.Th>{column.title}</Table.Th>;
  const direction = sort === column.sort ? 'ascending' : sort === `-${column.sort}` ? 'descending' : 'none';
  return (
    <Table.Th aria-sort={direction}>
      <UnstyledButton
        fw={600}
        fz="sm"
        onClick={() => props.onSort(direction === 'ascending' ? `-${column.sort}` : column.sort!)}
      >
        {column.title}
        <span aria-hidden> {direction === 'ascending' ? '↑' : direction === 'descending' ? '↓' : '↕'}</span>
      </UnstyledButton>
    </Table.Th>
  );
}

function FilterField(props: {
  readonly filter: Filter;
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}) {
  const { filter, value, onChange } = props;
  const { label, options = [], type } = filter;
  const changeSoon = useDebouncedCallback(onChange, 300);
  if (type === 'moment') {
    return (
      <TextInput
        label={label}
        type="datetime-local"
        defaultValue={value === null ? '' : localOf(value)}
        onChange={(event) => {
          const typed = event.currentTarget.value;
          changeSoon(typed === '' ? null : new Date(typed).toISOString());
        }}
        w={210}
      />
    );
  }
  if (type === 'text') {
    return (
      <TextInput
        aria-label={label}
        placeholder={label}
        defaultValue={value ?? ''}
        onChange={(event) => changeSoon(event.currentTarget.value.trim() || null)}
        w={180}
      />
    );
  }
  return (
    <Select
      aria-label={label}
      placeholder={label}
      data={[...options]}
      value={value}
      onChange={onChange}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      w={180}
    />
  );
}

/** A moment as the browser's field for local time takes it. */
function localOf(moment: string): string {
  const at = new Date(moment);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
