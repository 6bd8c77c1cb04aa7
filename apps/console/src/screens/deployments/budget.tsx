import { NumberInput, Stack, Switch } from '@mantine/core';
import type { Form } from '@millrace/ui/form';
import { useNumbers } from '@millrace/ui/numbers';
import type { DataOf } from '../../frame/api.ts';

/** What a canary may cost before it is rolled back by itself. */
export type Budget = NonNullable<DataOf<'getDeployment'>['budget']>;

/** What a form offers first. */
export const usualBudget: Budget = {
  maxErrorRateIncrease: 0.05,
  maxLatencyIncreasePercent: 50,
  minimumRequests: 100,
};

/** The budget of a canary, which may be off. */
export function BudgetFields<Values extends { readonly budget: Budget | null }>(props: {
  readonly form: Form<Values>;
}) {
  const { form } = props;
  const { budget } = form.values;
  const set = (changes: Partial<Budget> | null) =>
    form.set('budget', (changes === null ? null : { ...usualBudget, ...budget, ...changes }) as Values['budget']);
  return (
    <Stack gap="sm">
      <Switch
        label="Roll it back by itself where it does worse"
        description={budget === null ? 'Off: it stays until somebody rolls it back' : undefined}
        checked={budget !== null}
        onChange={(event) => set(event.currentTarget.checked ? {} : null)}
      />
      {budget !== null && (
        <>
          <NumberInput
            label="More errors than beside it, at most (percentage points)"
            description="Of all calls; errors are answers of 5xx"
            min={0}
            max={100}
            decimalScale={2}
            // 0.07 × 100 is 7.000000000000001 in binary fractions.
            value={Number((budget.maxErrorRateIncrease * 100).toFixed(2))}
            onChange={(value) => set({ maxErrorRateIncrease: Number(value) / 100 })}
            error={form.errorAt('budget.maxErrorRateIncrease')}
          />
          <NumberInput
            label="Slower than beside it, at most (percent)"
            description="By the 95th percentile; empty: as slow as it will"
            min={0}
            max={10_000}
            allowDecimal={false}
            value={budget.maxLatencyIncreasePercent ?? ''}
            onChange={(value) => set({ maxLatencyIncreasePercent: value === '' ? null : Number(value) })}
            error={form.errorAt('budget.maxLatencyIncreasePercent')}
          />
          <NumberInput
            label="Judged after so many calls of its own"
            min={1}
            allowDecimal={false}
            thousandSeparator
            value={budget.minimumRequests}
            onChange={(value) => set({ minimumRequests: Number(value) })}
            error={form.errorAt('budget.minimumRequests')}
          />
        </>
      )}
    </Stack>
  );
}

/** A budget as words. */
export function BudgetText({ budget }: { readonly budget: Budget | null }) {
  const numbers = useNumbers();
  if (budget === null) return 'It has no budget: it stays until somebody rolls it back.';
  const { maxErrorRateIncrease, maxLatencyIncreasePercent, minimumRequests } = budget;
  const slower =
    maxLatencyIncreasePercent === null
      ? ''
      : `, or more than ${numbers.decimal(maxLatencyIncreasePercent, 1)} % slower at the 95th percentile`;
  return `After ${numbers.count(minimumRequests)} calls it is rolled back by itself where it has more than ${numbers.decimal(
    maxErrorRateIncrease * 100,
    2,
  )} percentage points more errors than what stands beside it${slower}.`;
}
