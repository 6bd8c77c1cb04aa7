import { Checkbox, Select, Text, TextInput } from '@mantine/core';
import { useAmounts } from '@millrace/ui/amounts';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { InvalidInput } from '@millrace/ui/invalid-input';
import { amountMinorOf, decimalOf } from '@millrace/ui/money';
import { unitSection } from '@millrace/ui/schema-form';
import { useState } from 'react';
import { useWrite } from '../../frame/api.ts';
import { CreditExpiryInputs, firstExpiry } from '../../frame/credit-expiry.tsx';

type CreditExpiry = typeof firstExpiry;

interface TopUpFormProps {
  /** The balances to choose from; at least one. */
  readonly accounts: readonly { readonly subscriptionId: string; readonly currency: string; readonly label?: string }[];
  /** What was paid in for the developer and is not assigned yet, by currency. */
  readonly unassigned?: readonly { readonly currency: string; readonly unassignedMinor: number }[];
  /** What a developer asked for, which this credits. */
  readonly request?: { readonly id: string; readonly amountMinor: number };
  readonly onClose: () => void;
}

/** Tops up the prepaid balance of a subscription. */
export function TopUpForm({ accounts, unassigned = [], request, onClose }: TopUpFormProps) {
  const topUp = useWrite('topUpSubscription');
  const amountOf = useAmounts();
  // A form that is sent twice, for example after a lost response, adds its amount once.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const first = accounts[0]!;
  const asked = request === undefined ? '' : decimalOf({ ...first, ...request });
  const initial = { subscriptionId: first.subscriptionId, amountMinor: asked, note: '', isAssigned: false };
  const [expiry, setExpiry] = useState<CreditExpiry | null | 'plan'>('plan');
  const form = useForm(initial, async ({ subscriptionId, note, isAssigned, ...typed }) => {
    const amountMinor = minorOf('amountMinor', typed.amountMinor, currency);
    const ownExpiry = expiry === 'plan' ? {} : { creditExpiry: expiry };
    const given = { amountMinor, note, ...ownExpiry, ...(request && { requestId: request.id }) };
    const body = { ...given, source: isAssigned ? ('unassigned' as const) : ('payment' as const) };
    const { state } = await topUp.mutateAsync({ params: { subscriptionId }, body, idempotencyKey });
    const amount = amountOf({ amountMinor, currency });
    showDone(state === 'pending' ? `${amount} waits for another person’s approval.` : `${amount} added.`);
    onClose();
  });
  const { currency } = accounts.find(({ subscriptionId }) => subscriptionId === form.values.subscriptionId)!;
  const unassignedMinor = unassigned.find((sum) => sum.currency === currency)?.unassignedMinor ?? 0;
  return (
    <FormBody form={form} submitLabel="Top up" onCancel={onClose}>
      {accounts.length > 1 && (
        <Select
          label="Subscription"
          data={accounts.map(({ subscriptionId, label = subscriptionId }) => ({ value: subscriptionId, label }))}
          allowDeselect={false}
          value={form.values.subscriptionId}
          onChange={(chosen) => form.set('subscriptionId', chosen ?? initial.subscriptionId)}
        />
      )}
      <TextInput
        label="Amount"
        placeholder="250.00"
        required
        data-autofocus
        {...unitSection(currency)}
        {...form.text('amountMinor')}
      />
      {unassignedMinor > 0 && (
        <Checkbox
          label={`Take it from the ${amountOf({ amountMinor: unassignedMinor, currency })} that are unassigned`}
          checked={form.values.isAssigned}
          onChange={(event) => form.set('isAssigned', event.currentTarget.checked)}
        />
      )}
      <Select
        label="Expires"
        data={[
          { value: 'plan', label: 'As the rate plan says' },
          { value: 'never', label: 'Never' },
          { value: 'own', label: 'After a time of its own' },
        ]}
        allowDeselect={false}
        value={expiry === 'plan' ? 'plan' : expiry === null ? 'never' : 'own'}
        onChange={(chosen) => setExpiry(chosen === 'own' ? firstExpiry : chosen === 'never' ? null : 'plan')}
      />
      {expiry !== null && expiry !== 'plan' && (
        <CreditExpiryInputs
          expiry={expiry}
          onChange={setExpiry}
          error={form.errorAt('creditExpiry') ?? form.errorAt('creditExpiry.count')}
        />
      )}
      <TextInput label="Note" placeholder="Bank transfer of 15 January" {...form.text('note')} />
      <Text size="sm" c="dimmed">
        Within a second, every gateway node admits the calls that it pays for. Above the amount in the billing settings,
        another person has to approve it first.
      </Text>
    </FormBody>
  );
}

/** @throws InvalidInput at the field for what is no amount */
export function minorOf(field: string, typed: string, currency: string): number {
  const amountMinor = amountMinorOf(typed, currency);
  if (amountMinor === null) throw new InvalidInput({ [field]: 'Enter an amount such as 250.00.' });
  return amountMinor;
}
