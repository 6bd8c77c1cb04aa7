import { Alert, Anchor, Button, Checkbox, Group, Loader, Popover, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback, useLocalStorage } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { IconAdjustments, IconFilter, IconSearch } from './icons.ts';
import classes from './list.module.css';
import type { ListSearch } from './list-search.ts';
import { useLocale } from './locale.tsx';
import { type Column, RecordTable } from './record-table.tsx';
import { useSearchChange } from './search-change.ts';
import { texts } from './texts.ts';
import { TimeZoneNote } from './values.tsx';
import { wordsOf } from './words.ts';
import { localTextOf, momentOf } from './zones.ts';

/**
 * A filter of the API: one of the options, a moment, a day, a number, or text. Moments are entered in the reader's time
 * zone and are ISO 8601 in the address; a day is the same in both.
 */
export interface Filter {
  readonly name: string;
  readonly label: string;
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly type?: 'moment' | 'date' | 'number' | 'text';
  /** Shown on demand, on a second line, so that the others fit on one. */
  readonly more?: boolean;
}

/** Codes of the API as options of a filter or a field. */
export function optionsOf(codes: readonly string[]): { readonly value: string; readonly label: string }[] {
  return codes.map((code) => ({ value: code, label: wordsOf(code) }));
}

/** A filter of a field that is true or false. */
export function choiceOf(name: string, label: string, yes: string, no: string): Filter {
  return {
    name,
    label,
    options: [
      { value: 'true', label: yes },
      { value: 'false', label: no },
    ],
  };
}

/** What every list needs, however it is paged. */
export interface ListProps<Row extends { readonly id: string }> {
  /** What is listed, in the plural, for the search field and the empty list. */
  readonly noun: string;
  readonly rows: readonly Row[] | undefined;
  readonly loading: boolean;
  readonly error: Error | null;
  readonly columns: readonly Column<Row>[];
  readonly filters?: readonly Filter[];
  readonly actions?: ReactNode;
  /** Shown, with what to do next, while nothing exists. */
  readonly empty?: ReactNode;
  /** Titles of columns that are hidden until the reader shows them. With it, columns can be chosen. */
  readonly hiddenColumns?: readonly string[];
  /** Puts a checkbox before every row, and the actions above the table once any is checked. */
  readonly bulk?: {
    /** What a row is called, for its checkbox. */
    readonly nameOf: (row: Row) => string;
    readonly actions: (selected: readonly Row[], clear: () => void) => ReactNode;
  };
}

/** A list with search, filters and sorting, all of them in the address. */
export function List<Row extends { readonly id: string }>(
  props: ListProps<Row> & {
    /** Whether there is full-text search. */
    readonly searchable: boolean;
    /** The total and the controls for paging. */
    readonly pages: ReactNode;
  },
) {
  const state = useSearch({ strict: false }) as ListSearch;
  const changeSearch = useSearchChange({ replace: true });
  const [typed, setTyped] = useState(state.search ?? '');
  const [filtersShown, setFiltersShown] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { filters = [], rows, noun, bulk } = props;
  const words = texts().list;
  const { columns, chooser } = useColumns(noun, props.columns, props.hiddenColumns);
  const countSet = (some: readonly Filter[]) => some.filter(({ name }) => state[name] !== undefined).length;
  const filtersSet = countSet(filters);
  const more = filters.filter((filter) => filter.more);
  // Shown from the start if the address has such a filter.
  const [moreShown, setMoreShown] = useState(() => countSet(more) > 0);
  const change = (changes: ListSearch) => {
    setChosen(new Set());
    return changeSearch((current) => ({ ...current, page: undefined, cursor: undefined, ...changes }));
  };
  const searchSoon = useDebouncedCallback((search: string) => change({ search }), 250);
  // Other parts of the address, such as which row is open, are no filter.
  const filtered = state.search !== undefined || filtersSet > 0;
  const selected = rows?.filter(({ id }) => chosen.has(id)) ?? [];
  const fieldOf = (filter: Filter) => (
    <FilterField
      key={filter.name}
      filter={filter}
      value={state[filter.name] === undefined ? null : String(state[filter.name])}
      onChange={(value) => change({ [filter.name]: value ?? undefined })}
    />
  );

  return (
    <>
      <Group className={classes.controls!} gap={6} align="end">
        {props.searchable && (
          <TextInput
            aria-label={words.search(noun)}
            placeholder={words.search(noun)}
            type="search"
            leftSection={<IconSearch size={15} aria-hidden />}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              searchSoon(event.currentTarget.value);
            }}
            className={classes.search!}
          />
        )}
        {filters.length > 0 && (
          <Button
            hiddenFrom="sm"
            variant="default"
            leftSection={<IconFilter size={15} aria-hidden />}
            aria-expanded={filtersShown}
            onClick={() => setFiltersShown(!filtersShown)}
          >
            {filtersSet > 0 ? `${words.filters} (${filtersSet})` : words.filters}
          </Button>
        )}
        {/* On a phone the list comes first, and the filters on demand. */}
        <Group gap={6} align="end" display={{ base: filtersShown ? 'flex' : 'none', sm: 'contents' }}>
          {filters.filter((filter) => !filter.more).map(fieldOf)}
        </Group>
        {more.length > 0 && (
          <Button
            visibleFrom="sm"
            variant="default"
            leftSection={<IconFilter size={15} aria-hidden />}
            aria-expanded={moreShown}
            onClick={() => setMoreShown(!moreShown)}
          >
            {countSet(more) > 0 ? `${words.moreFilters} (${countSet(more)})` : words.moreFilters}
          </Button>
        )}
        {props.loading && <Loader size="xs" mb={8} aria-label={texts().loading} role="status" />}
        <Group ml="auto" gap={6}>
          {props.actions}
          {chooser}
        </Group>
      </Group>
      {more.length > 0 && (
        <Group
          className={classes.controls!}
          gap={6}
          align="end"
          display={{ base: filtersShown ? 'flex' : 'none', sm: moreShown ? 'flex' : 'none' }}
        >
          {more.map(fieldOf)}
          {more.some(isOfTime) && <TimeZoneNote />}
        </Group>
      )}
      {filters.some((filter) => isOfTime(filter) && !filter.more) && <TimeZoneNote />}
      {props.error && (
        <Alert color="red" mb="md" role="alert">
          {props.error.message}
        </Alert>
      )}
      {bulk && selected.length > 0 && (
        <Group className={classes.bulk!} role="region" aria-label={words.bulk} gap={6}>
          <Text size="sm" fw={500}>
            {words.selected(selected.length)}
          </Text>
          {bulk.actions(selected, () => setChosen(new Set()))}
          <Button variant="subtle" size="xs" onClick={() => setChosen(new Set())}>
            {words.clearSelection}
          </Button>
        </Group>
      )}
      <RecordTable
        label={words.table(noun)}
        columns={columns}
        rows={props.error ? (rows ?? []) : rows}
        sort={state.sort}
        onSort={(sort) => change({ sort })}
        selection={bulk && { ids: chosen, onChange: setChosen }}
        nameOf={bulk?.nameOf}
      />
      {rows?.length === 0 &&
        (filtered ? (
          <Text c="dimmed" size="sm" my="lg">
            {words.noMatch(noun)}{' '}
            <Anchor
              component="button"
              onClick={() => {
                setTyped('');
                change({ search: undefined, ...Object.fromEntries(filters.map(({ name }) => [name, undefined])) });
              }}
            >
              {words.clearAll}
            </Anchor>
          </Text>
        ) : (
          (props.empty ?? <EmptyList>{words.empty(noun)}</EmptyList>)
        ))}
      <Group justify="space-between" mt="sm">
        {props.pages}
      </Group>
    </>
  );
}

function isOfTime({ type }: Filter): boolean {
  return type === 'moment' || type === 'date';
}

/** An empty list, and what to do first. */
export function EmptyList({ children }: { readonly children: ReactNode }) {
  return <div className={classes.empty}>{children}</div>;
}

/** The columns that the reader chose, kept in the browser, and the control to choose them. */
function useColumns<Row>(noun: string, columns: readonly Column<Row>[], hiddenAtFirst: readonly string[] | undefined) {
  const [hidden, setHidden] = useLocalStorage<readonly string[]>({
    key: `columns of ${noun}`,
    defaultValue: hiddenAtFirst ?? [],
    getInitialValueInEffect: false,
  });
  if (hiddenAtFirst === undefined) return { columns, chooser: null };
  const toggle = (title: string) =>
    setHidden(hidden.includes(title) ? hidden.filter((each) => each !== title) : [...hidden, title]);
  // The first column names the row.
  const optional = columns.slice(1);
  return {
    columns: columns.filter(({ title }, index) => index === 0 || !hidden.includes(title)),
    chooser: (
      <Popover position="bottom-end" trapFocus>
        <Popover.Target>
          <Button variant="default" leftSection={<IconAdjustments size={15} aria-hidden />}>
            {texts().columns}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={texts().columns}>
          <Stack gap="xs">
            {optional.map(({ title }) => (
              <Checkbox
                key={title}
                size="xs"
                label={title}
                checked={!hidden.includes(title)}
                onChange={() => toggle(title)}
              />
            ))}
          </Stack>
        </Popover.Dropdown>
      </Popover>
    ),
  };
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
        w={190}
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
        w={160}
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
      clearButtonProps={{ 'aria-label': texts().clear(label) }}
      w={136}
    />
  );
}

/** A moment as the browser's field for local time takes it. */
function localOf(moment: string, timeZone: string | undefined): string {
  const at = new Date(moment);
  return Number.isNaN(at.getTime()) ? '' : localTextOf(at, timeZone);
}
