import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { type DataOf, useRead } from './api.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
  /** What tells it from others of the same name. */
  readonly note?: string;
  readonly disabled?: boolean;
}

interface FieldProps {
  readonly value: string;
  /** Given the empty text where the choice was taken back. */
  readonly onChange: (id: string) => void;
  readonly error: string | undefined;
}

/** What was typed to find an entity; `search` follows it after a pause. */
function useTyped() {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 250);
  return { typed, setTyped, search };
}

/** Chooses one of many entities, found by the server by what is typed. */
function EntitySelect(
  props: FieldProps & {
    readonly label: string;
    readonly description?: string;
    readonly choices: readonly Choice[];
    readonly typing: ReturnType<typeof useTyped>;
  },
) {
  const { label, description, choices, typing, value, onChange, error } = props;
  const notes = new Map(choices.map((choice) => [choice.value, choice.note]));
  return (
    <Select
      label={label}
      description={description}
      required
      data={choices.map((choice) => ({
        value: choice.value,
        label: choice.label,
        disabled: choice.disabled ?? false,
      }))}
      renderOption={({ option }) => (
        <div>
          {option.label}
          {notes.get(option.value) && (
            <Text size="xs" c="dimmed">
              {notes.get(option.value)}
            </Text>
          )}
        </div>
      )}
      // What was typed is matched by the server, also against what the label does not show.
      filter={({ options }) => options}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      error={error}
      searchable
      searchValue={typing.typed}
      onSearchChange={typing.setTyped}
      nothingFoundMessage="Nothing is called so."
    />
  );
}

/** Chooses an API proxy. */
export function ProxyField(
  props: FieldProps & {
    readonly description?: string;
    readonly disabled?: (proxy: DataOf<'listProxies'>['proxies'][number]) => boolean;
  },
) {
  const { disabled, ...field } = props;
  const typing = useTyped();
  const read = useRead('listProxies', { query: { search: typing.search, pageSize: 50 } });
  const choices = (read.data?.proxies ?? []).map((proxy) => ({
    value: proxy.id,
    label: proxy.displayName,
    note: proxy.basePath,
    disabled: disabled?.(proxy) ?? false,
  }));
  return <EntitySelect label="API proxy" {...field} choices={choices} typing={typing} />;
}

/** Chooses a product that takes subscriptions. */
export function ProductField(props: FieldProps) {
  const typing = useTyped();
  const read = useRead('listProducts', {
    query: { search: typing.search, published: 'true', state: 'active', pageSize: 50 },
  });
  const choices = (read.data?.products ?? []).map(({ id, displayName, name }) => ({
    value: id,
    label: displayName,
    note: name,
  }));
  return (
    <EntitySelect
      label="API product"
      description="Published ones alone take subscriptions"
      {...props}
      choices={choices}
      typing={typing}
    />
  );
}

/** Chooses a developer. */
export function DeveloperField(props: FieldProps) {
  const typing = useTyped();
  const read = useRead('listDevelopers', { query: { search: typing.search, pageSize: 50 } });
  const choices = (read.data?.developers ?? []).map(({ id, name, email }) => ({ value: id, label: name, note: email }));
  return <EntitySelect label="Developer" {...props} choices={choices} typing={typing} />;
}

/** Chooses an app. */
export function AppField(props: FieldProps) {
  const typing = useTyped();
  const read = useRead('listApps', { query: { search: typing.search, pageSize: 50 } });
  const choices = (read.data?.apps ?? []).map(({ id, displayName, developerName }) => ({
    value: id,
    label: displayName,
    note: developerName,
  }));
  return <EntitySelect label="App" {...props} choices={choices} typing={typing} />;
}
