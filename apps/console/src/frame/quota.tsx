import { Group, NumberInput, Select, Stack, Switch } from '@mantine/core';
import type { Form } from '@millrace/ui/form';
import { useNumbers } from '@millrace/ui/numbers';
import type { DataOf } from './api.ts';

/** So many calls in a window of time. */
export type Quota = NonNullable<DataOf<'getProduct'>['quota']>;

const units = ['minute', 'hour', 'day', 'month'] as const satisfies readonly Quota['window']['unit'][];
const firstQuota: Quota = { limit: 1_000, window: { unit: 'day', count: 1 } };

/** A window such as `day` or `7 days`. */
function windowText({ unit, count }: Quota['window']): string {
  return count === 1 ? unit : `${count} ${unit}s`;
}

/** A quota as words; what `absent` says where there is none. */
export function QuotaText(props: { readonly quota: Quota | null; readonly absent: string }) {
  const numbers = useNumbers();
  const { quota, absent } = props;
  return quota === null ? absent : `${numbers.count(quota.limit)} calls per ${windowText(quota.window)}`;
}

/** The limit and the window of a quota. */
export function QuotaLimitInputs(props: {
  readonly quota: Quota;
  readonly onChange: (quota: Quota) => void;
  /** The server's error at `limit` or `window`. */
  readonly errorAt: (field: 'limit' | 'window') => string | undefined;
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
        label="In"
        aria-label="Number of windows"
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

/** A quota that may be off. */
export function QuotaField(props: {
  readonly form: Form<{ readonly quota: Quota | null }>;
  /** What holds where it is off. */
  readonly whenOff: string;
}) {
  const { form, whenOff } = props;
  const { quota } = form.values;
  return (
    <Stack gap="xs">
      <Switch
        label="Quota"
        description={quota === null ? whenOff : undefined}
        checked={quota !== null}
        onChange={(event) => form.set('quota', event.currentTarget.checked ? firstQuota : null)}
      />
      {quota !== null && (
        <QuotaLimitInputs
          quota={quota}
          onChange={(next) => form.set('quota', next)}
          errorAt={(field) => form.errorAt(`quota.${field}`)}
        />
      )}
    </Stack>
  );
}
