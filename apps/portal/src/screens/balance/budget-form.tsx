import { Select, TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { InvalidInput } from '@millrace/ui/invalid-input';
import { amountMinorOf, decimalOf } from '@millrace/ui/money';
import { type DataOf, useWrite } from '../../frame/api.ts';
import { texts } from '../../frame/texts.ts';

const words = texts.balance;

/** Sets the budget of a currency; an empty amount removes it. */
export function BudgetForm(props: {
  readonly currencies: DataOf<'getPortalBudget'>['currencies'];
  readonly onClose: () => void;
}) {
  const { currencies, onClose } = props;
  const set = useWrite('setPortalBudget');
  const amountIn = (currency: string) => {
    const amountMinor = currencies.find((each) => each.currency === currency)?.amountMinor ?? null;
    return amountMinor === null ? '' : decimalOf({ amountMinor, currency });
  };
  const first = currencies[0]?.currency ?? 'EUR';
  const form = useForm({ currency: first, amountMinor: amountIn(first) }, async ({ currency, amountMinor: typed }) => {
    const amountMinor = typed.trim() === '' ? null : amountMinorOf(typed, currency);
    if (amountMinor === null && typed.trim() !== '') throw new InvalidInput({ amountMinor: words.notAmount });
    await set.mutateAsync({ body: { currency, amountMinor } });
    showDone(amountMinor === null ? words.budgetRemoved : words.budgetSaved);
    onClose();
  });
  return (
    <FormBody form={form} submitLabel={texts.save} onCancel={onClose}>
      <Select
        label={words.currency}
        allowDeselect={false}
        data={currencies.length === 0 ? ['EUR', 'USD', 'GBP', 'CHF'] : currencies.map(({ currency }) => currency)}
        value={form.values.currency}
        onChange={(currency) => {
          form.set('currency', currency ?? first);
          form.set('amountMinor', amountIn(currency ?? first));
        }}
        error={form.errorAt('currency')}
      />
      <TextInput
        label={words.amountPerPeriod}
        description={words.amountHelp}
        inputMode="decimal"
        data-autofocus
        {...form.text('amountMinor')}
      />
    </FormBody>
  );
}
