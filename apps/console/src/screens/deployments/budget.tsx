import { NumberInput, Stack, Switch } from '@mantine/core';
import type { Form } from '@millrace/ui/form';
import { useNumbers } from '@millrace/ui/numbers';
import type { DataOf } from '../../frame/api.ts';

/** How much worse a canary may do before it is rolled back automatically. */
export type Budget = NonNullable<DataOf<'getDeployment'>['budget']>;

/** What a form begins with. */
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
        label="Roll back automatically if it does worse"
        description={budget === null ? 'Off: it stays until somebody rolls it back' : undefined}
        checked={budget !== null}
        onChange={(event) => set(event.currentTarget.checked ? {} : null)}
      />
      {budget !== null && (
        <>
          <NumberInput
            label="Error rate increase, at most (percentage points)"
            description="Compared with the stable deployment; errors are 5xx responses"
            min={0}
            max={100}
            decimalScale={2}
            // 0.07 × 100 is 7.000000000000001 in binary fractions.
            value={Number((budget.maxErrorRateIncrease * 100).toFixed(2))}
            onChange={(value) => set({ maxErrorRateIncrease: Number(value) / 100 })}
            error={form.errorAt('budget.maxErrorRateIncrease')}
          />
          <NumberInput
            label="Latency increase, at most (percent)"
            description="At the 95th percentile; no limit if empty"
            min={0}
            max={10_000}
            allowDecimal={false}
            value={budget.maxLatencyIncreasePercent ?? ''}
            onChange={(value) => set({ maxLatencyIncreasePercent: value === '' ? null : Number(value) })}
            error={form.errorAt('budget.maxLatencyIncreasePercent')}
          />
          <NumberInput
            label="Minimum calls"
            description="Compared once the canary has received this many"
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
  const latency =
    maxLatencyIncreasePercent === null
      ? ''
      : `, or its 95th percentile of latency is more than ${numbers.decimal(maxLatencyIncreasePercent, 1)} % higher`;
  const errors = numbers.decimal(maxErrorRateIncrease * 100, 2);
  return `After ${numbers.count(minimumRequests)} calls, it is rolled back automatically if its error rate is more than ${errors} percentage points higher than the stable one’s${latency}.`;
}
