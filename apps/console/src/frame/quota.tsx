import { Group, NumberInput, Select, Stack, Switch } from '@mantine/core';
import { useNumbers } from '@millrace/ui/numbers';
import type { FieldOptions, RenderedField } from '@millrace/ui/schema-form';
import type { DataOf } from './api.ts';

/** A number of calls per window of time. */
type Quota = NonNullable<DataOf<'getProduct'>['quota']>;

const units = ['minute', 'hour', 'day', 'month'] as const satisfies readonly Quota['window']['unit'][];

/** What a new quota begins with. */
export const firstQuota: Quota = { limit: 1_000, window: { unit: 'day', count: 1 } };

/** A window such as `day` or `7 days`. */
function windowText({ unit, count }: Quota['window']): string {
  return count === 1 ? unit : `${count} ${unit}s`;
}

/** A quota as words; `absent` where there is none. */
export function QuotaText(props: { readonly quota: Quota | null; readonly absent: string }) {
  const numbers = useNumbers();
  const { quota, absent } = props;
  return quota === null ? absent : `${numbers.count(quota.limit)} calls per ${windowText(quota.window)}`;
}

/** The limit and the window of a quota, on one line. */
export function QuotaInputs(props: {
  readonly quota: Quota;
  readonly onChange: (quota: Quota) => void;
  /** The server's error at `limit` or `window`. */
  readonly errorAt: (field: string) => string | undefined;
}) {
  const { quota, onChange, errorAt } = props;
  const { limit, window } = quota;
  return (
    <Group align="start" gap="sm">
      <NumberInput
        label="Calls"
        required
        w={150}
        min={1}
        allowDecimal={false}
        thousandSeparator
        value={limit}
        onChange={(value) => onChange({ ...quota, limit: Number(value) })}
        error={errorAt('limit')}
      />
      <NumberInput
        label="Per"
        aria-label="Window length"
        required
        w={90}
        min={1}
        allowDecimal={false}
        value={window.count}
        onChange={(value) => onChange({ ...quota, window: { ...window, count: Number(value) } })}
        error={errorAt('window')}
      />
      <Select
        label="Window"
        w={130}
        data={units.map((unit) => ({ value: unit, label: `${unit}${window.count === 1 ? '' : 's'}` }))}
        allowDeselect={false}
        value={window.unit}
        onChange={(unit) => unit && onChange({ ...quota, window: { ...window, unit: unit as typeof window.unit } })}
      />
    </Group>
  );
}

/** The field of a form for a quota that may be off. */
export const quotaField: FieldOptions = { render: (field) => <OptionalQuota field={field} /> };

function OptionalQuota({ field }: { readonly field: RenderedField }) {
  const quota = (field.value || null) as Quota | null;
  return (
    <Stack gap="xs">
      <Switch
        label={field.label}
        description={quota === null ? 'Off: each API proxy’s Quota policy applies, if it has one' : undefined}
        checked={quota !== null}
        onChange={(event) => field.onChange(event.currentTarget.checked ? firstQuota : null)}
      />
      {quota !== null && <QuotaInputs quota={quota} onChange={field.onChange} errorAt={field.errorAt} />}
    </Stack>
  );
}
