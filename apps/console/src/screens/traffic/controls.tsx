import { Group, Select, Switch, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useLocale } from '@millrace/ui/locale';
import { TimeZoneNote } from '@millrace/ui/values';
import { localTextOf, momentOf } from '@millrace/ui/zones';
import type { ReactNode } from 'react';
import { defaultRange, defaultStepOf, type Range, ranges, type Step, stepsOf, withRange, withSpan } from './address.ts';
import { useTraffic } from './state.ts';

const rangeNames: Readonly<Record<Range, string>> = {
  '15m': 'Live, 15 minutes',
  '1h': '1 hour',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '13mo': '13 months',
};

const stepNames: Readonly<Record<Step, string>> = {
  '10s': 'By 10 seconds',
  minute: 'By minute',
  hour: 'By hour',
  day: 'By day',
};

const dayMs = 86_400_000;

const textOf = (value: string | number | undefined) => (value === undefined ? undefined : String(value));

/** Chooses the range, its steps, and whether it is compared. */
export function Controls({ children }: { readonly children: ReactNode }) {
  const { search, change } = useTraffic();
  const own = search.from !== undefined;
  const from = String(search.from ?? '');
  const to = textOf(search.to);
  const steps = stepsOf(search);
  const choose = (range: string | null) =>
    change((current) =>
      range === 'own'
        ? withSpan(current, new Date(Date.now() - dayMs).toISOString(), undefined)
        : withRange(current, range as Range),
    );
  return (
    <Group gap={6} align="end">
      <Select
        aria-label="Range"
        w={160}
        allowDeselect={false}
        data={[...ranges.map((value) => ({ value, label: rangeNames[value] })), { value: 'own', label: 'Own range' }]}
        value={own ? 'own' : String(search.range ?? defaultRange)}
        onChange={choose}
      />
      {own && (
        <>
          <MomentField
            key={`from ${from}`}
            label="From"
            value={from}
            onChange={(moment) =>
              moment !== undefined && change((current) => withSpan(current, moment, textOf(current.to)))
            }
          />
          <MomentField
            key={`to ${to}`}
            label="To"
            value={to}
            onChange={(moment) => change((current) => withSpan(current, textOf(current.from), moment))}
          />
        </>
      )}
      {steps.length > 1 && (
        <Select
          aria-label="Step"
          w={130}
          allowDeselect={false}
          data={steps.map((value) => ({ value, label: stepNames[value] }))}
          value={String(search.step ?? defaultStepOf(search))}
          onChange={(step) => change((current) => ({ ...current, step: step ?? undefined }))}
        />
      )}
      <Switch
        label="Compare with the period before"
        mb={6}
        checked={search.compare !== undefined}
        onChange={({ currentTarget: { checked } }) =>
          change((current) => ({ ...current, compare: checked ? 'previous' : undefined }))
        }
      />
      {children}
      {own && <TimeZoneNote />}
    </Group>
  );
}

/** A moment in the reader's time zone; ISO 8601 in the address. */
function MomentField(props: {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (moment: string | undefined) => void;
}) {
  const { label, value, onChange } = props;
  const { timeZone } = useLocale();
  const changeSoon = useDebouncedCallback(
    (typed: string) => onChange(momentOf(typed, timeZone)?.toISOString()),
    typingMs,
  );
  const at = value === undefined ? null : new Date(value);
  return (
    <TextInput
      label={label}
      type="datetime-local"
      w={190}
      defaultValue={at === null || Number.isNaN(at.getTime()) ? '' : localTextOf(at, timeZone)}
      onChange={({ currentTarget }) => changeSoon(currentTarget.value)}
    />
  );
}

const typingMs = 500;
