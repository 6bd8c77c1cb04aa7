import { Alert, Anchor, Button, Group, Loader, Select, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type ListSearch, listSearch } from './list-search.ts';
import { useLocale } from './locale.tsx';
import { type Column, RecordTable } from './record-table.tsx';
import { TimeZoneNote } from './values.tsx';
import { wordsOf } from './words.ts';
import { localTextOf, momentOf } from './zones.ts';

/**
 * A named filter of the API: one of the options, a moment, a day, a number, or a text that is typed. Moments are typed as
 * local times of whoever looks, and stand in the address as ISO 8601; a day stands there as it is.
 */
export interface Filter {
  readonly name: string;
  readonly label: string;
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly type?: 'moment' | 'date' | 'number' | 'text';
}

/** Codes of the API as options of a filter or a field. */
export function optionsOf(codes: readonly string[]): { readonly value: string; readonly label: string }[] {
  return codes.map((code) => ({ value: code, label: wordsOf(code) }));
}

/** What every list takes, whichever way it is parted into pages. */
export interface ListProps<Row extends { readonly id: string }> {
  /** What is listed, in the plural, for the search field and the empty list. */
  readonly noun: string;
  readonly rows: readonly Row[] | undefined;
  readonly loading: boolean;
  readonly error: Error | null;
  readonly columns: readonly Column<Row>[];
  readonly filters?: readonly Filter[];
  readonly actions?: ReactNode;
  /** What to say, and offer, where nothing is there at all. */
  readonly empty?: ReactNode;
}

/** A list as every screen has it: search, filters and sorting, all of them in the address. */
export function List<Row extends { readonly id: string }>(
  props: ListProps<Row> & {
    /** Whether there is a field for the search of all texts. */
    readonly searchable: boolean;
    /** How much there is, and the way through the pages. */
    readonly pages: ReactNode;
  },
) {
  const state = useSearch({ strict: false }) as ListSearch;
  const navigate = useNavigate();
  const [typed, setTyped] = useState(state.search ?? '');
  const [filtersShown, setFiltersShown] = useState(false);
  const { filters = [] } = props;
  const filtersSet = filters.filter(({ name }) => state[name] !== undefined).length;
  const change = (changes: ListSearch) => {
    const search = listSearch({ ...state, page: undefined, cursor: undefined, ...changes });
    return navigate({ to: '.', search: search as never, replace: true });
  };
  const searchSoon = useDebouncedCallback((search: string) => change({ search }), 250);
  // Not by what else stands in the address, such as which row is open.
  const filtered = state.search !== undefined || filtersSet > 0;
  const hasTimes = filters.some(({ type }) => type === 'moment' || type === 'date');

  return (
    <>
      <Group mb="md" align="end">
        {props.searchable && (
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
        )}
        {filters.length > 0 && (
          <Button
            hiddenFrom="sm"
            variant="default"
            aria-expanded={filtersShown}
            onClick={() => setFiltersShown(!filtersShown)}
          >
            {filtersSet > 0 ? `Filters (${filtersSet})` : 'Filters'}
          </Button>
        )}
        {/* A phone shows the list first, and the filters when they are asked for. */}
        <Group align="end" display={{ base: filtersShown ? 'flex' : 'none', sm: 'contents' }}>
          {filters.map((filter) => (
            <FilterField
              key={filter.name}
              filter={filter}
              value={state[filter.name] === undefined ? null : String(state[filter.name])}
              onChange={(value) => change({ [filter.name]: value ?? undefined })}
            />
          ))}
        </Group>
        {props.loading && <Loader size="sm" aria-label="Loading" role="status" />}
        <Group ml="auto">{props.actions}</Group>
      </Group>
      {hasTimes && <TimeZoneNote />}
      {props.error && (
        <Alert color="red" mb="md" role="alert">
          {props.error.message}
        </Alert>
      )}
      <RecordTable
        label={`Table of ${props.noun}`}
        columns={props.columns}
        rows={props.rows ?? []}
        sort={state.sort}
        onSort={(sort) => change({ sort })}
      />
      {props.rows?.length === 0 &&
        (filtered ? (
          <Text c="dimmed" my="lg">
            No {props.noun} match.{' '}
            <Anchor
              component="button"
              onClick={() => {
                setTyped('');
                change({ search: undefined, ...Object.fromEntries(filters.map(({ name }) => [name, undefined])) });
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
        {props.pages}
      </Group>
    </>
  );
}

function FilterField(props: {
  readonly filter: Filter;
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}) {
  const { filter, value, onChange } = props;
  const { label, options = [], type } = filter;
  const { timeZone } = useLocale();
  const changeSoon = useDebouncedCallback(onChange, 300);
  if (type === 'moment') {
    return (
      <TextInput
        label={label}
        type="datetime-local"
        defaultValue={value === null ? '' : localOf(value, timeZone)}
        onChange={(event) => changeSoon(momentOf(event.currentTarget.value, timeZone)?.toISOString() ?? null)}
        w={210}
      />
    );
  }
  if (type === 'date') {
    return (
      <TextInput
        label={label}
        type="date"
        defaultValue={value ?? ''}
        onChange={(event) => changeSoon(event.currentTarget.value || null)}
        w={150}
      />
    );
  }
  if (type === 'text' || type === 'number') {
    return (
      <TextInput
        inputMode={type === 'number' ? 'decimal' : undefined}
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
function localOf(moment: string, timeZone: string | undefined): string {
  const at = new Date(moment);
  return Number.isNaN(at.getTime()) ? '' : localTextOf(at, timeZone);
}
