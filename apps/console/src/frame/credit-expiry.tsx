import { Group, NumberInput, Select, Stack, Switch } from '@mantine/core';
import type { PlanTerms } from '@millrace/pricing';
import type { FieldOptions, RenderedField } from '@millrace/ui/schema-form';
import { counted } from '@millrace/ui/words';

type CreditExpiry = NonNullable<PlanTerms['creditExpiry']>;

/** What a new expiry begins with. */
export const firstExpiry: CreditExpiry = { count: 12, unit: 'month' };

/** How long credit is good for, such as `12 months`. */
export function creditExpiryText({ count, unit }: CreditExpiry): string {
  return counted(count, unit);
}

/** How long credit is good for, on one line. */
export function CreditExpiryInputs(props: {
  readonly expiry: CreditExpiry;
  readonly onChange: (expiry: CreditExpiry) => void;
  readonly error: string | undefined;
}) {
  const { expiry, onChange, error } = props;
  return (
    <Group align="start" gap="sm">
      <NumberInput
        label="Good for"
        required
        w={110}
        min={1}
        allowDecimal={false}
        value={expiry.count}
        onChange={(value) => onChange({ ...expiry, count: Number(value) })}
        error={error}
      />
      <Select
        label="Unit of the expiry"
        w={150}
        data={(['day', 'month'] as const).map((unit) => ({ value: unit, label: unit === 'day' ? 'days' : 'months' }))}
        allowDeselect={false}
        value={expiry.unit}
        onChange={(unit) => unit && onChange({ ...expiry, unit: unit as CreditExpiry['unit'] })}
      />
    </Group>
  );
}

/** The field of a rate plan whose credit may expire. */
export const creditExpiryField: FieldOptions = {
  when: ({ type }) => type === 'prepaid',
  render: (field) => <OptionalExpiry field={field} />,
};

function OptionalExpiry({ field }: { readonly field: RenderedField }) {
  const expiry = (field.value || null) as CreditExpiry | null;
  return (
    <Stack gap="xs">
      <Switch
        label="Credit expires"
        description="From the day on which it is topped up, to the end of the last day. Calls use the oldest credit first"
        checked={expiry !== null}
        onChange={(event) => field.onChange(event.currentTarget.checked ? firstExpiry : null)}
      />
      {expiry !== null && (
        <CreditExpiryInputs
          expiry={expiry}
          onChange={field.onChange}
          error={field.errorAt('count') ?? field.errorAt('unit') ?? field.error}
        />
      )}
    </Stack>
  );
}
