import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { type DataOf, useRead } from './api.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
  /** Distinguishes it from others with the same label. */
  readonly note?: string;
  readonly disabled?: boolean;
}

interface FieldProps {
  readonly value: string;
  /** Called with an empty text if the choice is cleared. */
  readonly onChange: (id: string) => void;
  readonly error: string | undefined;
  /** What no choice means, such as `Every app`; without it, one has to be made. */
  readonly absent?: string;
}

/** The text typed to find an entity; `search` follows it after a pause. */
function useTyped() {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 250);
  return { typed, setTyped, search };
}

/** Chooses one of many entities, which the server searches. */
function EntitySelect(
  props: FieldProps & {
    readonly label: string;
    readonly description?: string;
    readonly choices: readonly Choice[];
    readonly typing: ReturnType<typeof useTyped>;
  },
) {
  const { label, description, choices, typing, value, onChange, error, absent } = props;
  const notes = new Map(choices.map((choice) => [choice.value, choice.note]));
  return (
    <Select
      label={label}
      description={description}
      required={absent === undefined}
      placeholder={absent}
      clearable={absent !== undefined}
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
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
      // The server matches the text, also against fields that the label doesn't show.
      filter={({ options }) => options}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      error={error}
      searchable
      searchValue={typing.typed}
      onSearchChange={typing.setTyped}
      nothingFoundMessage="No matches"
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

/** Chooses a product: one that can be subscribed to, or any. */
export function ProductField({ unpublished = false, ...props }: FieldProps & { readonly unpublished?: boolean }) {
  const typing = useTyped();
  const subscribable = unpublished ? {} : ({ published: 'true', state: 'active' } as const);
  const read = useRead('listProducts', { query: { search: typing.search, ...subscribable, pageSize: 50 } });
  const choices = (read.data?.products ?? []).map(({ id, displayName, name }) => ({
    value: id,
    label: displayName,
    note: name,
  }));
  return (
    <EntitySelect
      label="API product"
      {...(!unpublished && { description: 'Only published products can be subscribed to' })}
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
