import { Text, TextInput } from '@mantine/core';
import { useAmounts } from '@millrace/ui/amounts';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { IconPencil, IconPlus } from '@millrace/ui/icons';
import { InvalidInput } from '@millrace/ui/invalid-input';
import { EmptyList, optionsOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { amountMinorOf, decimalOf } from '@millrace/ui/money';
import { Loaded, Section } from '@millrace/ui/page';
import { SchemaForm, unitSection } from '@millrace/ui/schema-form';
import { Moment, Properties } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { PermittedActions } from '../../frame/actions.tsx';
import { bodyOf, type DataOf, listQueryOf, useRead, useWrite } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';

type Balance = DataOf<'getSubscriptionBalance'>;

const countings: Readonly<Record<Balance['counting'], string>> = {
  strict: 'Strict: every call is debited in the store that all gateway nodes share',
  fast: 'Fast: gateway nodes lease parts of the balance',
};

/** The prepaid balance of a subscription: what is left, what was paid in, and how it is counted. */
export function SubscriptionBalance({ subscriptionId }: { readonly subscriptionId: string }) {
  const search = useSearch({ from: '/shell/subscriptions/$subscriptionId' });
  const args = { params: { subscriptionId }, query: listQueryOf(search) };
  const read = useRead('getSubscriptionBalance', args, { refetchInterval: 15_000 });
  return <Loaded read={read}>{(balance) => <Shown balance={balance} />}</Loaded>;
}

function Shown({ balance }: { readonly balance: Balance }) {
  const { currency, balanceMinor, paidInMinor, usedMinor, counting, lowBalanceMinor, isLow } = balance;
  const amountOf = useAmounts();
  // Calls may cost less than the smallest unit: what is left is rounded down, what is used up.
  const left = amountOf({ amountMinor: Math.floor(Number(balanceMinor)), currency });
  const used = amountOf({ amountMinor: Math.ceil(Number(usedMinor)), currency });
  const permission = 'billing.write';
  return (
    <Section
      title="Prepaid balance"
      actions={
        <PermittedActions
          actions={[
            {
              label: 'Top up',
              icon: IconPlus,
              primary: true,
              permission,
              form: { title: 'Top up balance', body: (close) => <TopUpForm balance={balance} onClose={close} /> },
            },
            {
              label: 'Edit',
              name: 'Edit how the balance is counted',
              icon: IconPencil,
              permission,
              form: {
                title: 'Edit prepaid balance',
                body: (close) => <CountingForm balance={balance} onClose={close} />,
              },
            },
          ]}
        />
      }
    >
      <Properties
        of={{
          Left: (
            <>
              <strong>{left}</strong> {isLow && <Mark tone="warning">Low</Mark>}
            </>
          ),
          'Paid in': amountOf({ amountMinor: paidInMinor, currency }),
          Used: used,
          Counting: wordsOf(counting),
          'Reported as low':
            lowBalanceMinor === null
              ? 'Below a tenth of the last top-up'
              : `Below ${amountOf({ amountMinor: lowBalanceMinor, currency })}`,
        }}
      />
      <div style={{ marginTop: 'var(--mantine-spacing-md)' }}>
        <Movements balance={balance} />
      </div>
    </Section>
  );
}

function Movements({ balance: { movements, total, currency } }: { readonly balance: Balance }) {
  const amountOf = useAmounts();
  return (
    <ResourceList
      noun="movements"
      rows={movements}
      total={total}
      loading={false}
      error={null}
      columns={[
        { title: 'Time', sort: 'createdAt', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        { title: 'Type', cell: ({ kind }) => wordsOf(kind) },
        {
          title: 'Amount',
          align: 'end',
          cell: ({ amountMinor }) => amountOf({ amountMinor, currency }, { signDisplay: 'exceptZero' }),
        },
        { title: 'Note', cell: ({ note }) => note || '–' },
        { title: 'By', cell: ({ createdByName }) => createdByName },
      ]}
      filters={[{ name: 'kind', label: 'Type', options: optionsOf(['top_up', 'correction']) }]}
      empty={<EmptyList>Nothing is paid in yet: calls are rejected until the first top-up.</EmptyList>}
    />
  );
}

interface FormProps {
  readonly balance: Balance;
  readonly onClose: () => void;
}

function TopUpForm({ balance, onClose }: FormProps) {
  const { subscriptionId, currency } = balance;
  const topUp = useWrite('topUpSubscription');
  const amountOf = useAmounts();
  // A form that is sent twice, for example after a lost response, adds its amount once.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const form = useForm({ amountMinor: '', note: '' }, async (values) => {
    const amountMinor = minorOf('amountMinor', values.amountMinor, currency);
    await topUp.mutateAsync({ params: { subscriptionId }, body: { amountMinor, note: values.note }, idempotencyKey });
    showDone(`${amountOf({ amountMinor, currency })} added.`);
    onClose();
  });
  return (
    <FormBody form={form} submitLabel="Top up" onCancel={onClose}>
      <TextInput
        label="Amount"
        placeholder="250.00"
        required
        data-autofocus
        {...unitSection(currency)}
        {...form.text('amountMinor')}
      />
      <TextInput label="Note" placeholder="Bank transfer of 15 January" {...form.text('note')} />
      <Text size="sm" c="dimmed">
        Within a second, every gateway node admits the calls that it pays for.
      </Text>
    </FormBody>
  );
}

function CountingForm({ balance, onClose }: FormProps) {
  const { subscriptionId, currency, counting, lowBalanceMinor } = balance;
  const update = useWrite('updateSubscriptionBalance');
  const lowBalance = lowBalanceMinor === null ? '' : decimalOf({ amountMinor: lowBalanceMinor, currency });
  return (
    <SchemaForm
      schema={bodyOf('updateSubscriptionBalance')}
      initial={{ counting, lowBalanceMinor: lowBalance }}
      fields={{
        counting: {
          help: null,
          options: Object.entries(countings).map(([value, label]) => ({ value, label })),
        },
        lowBalanceMinor: {
          label: 'Report as low below',
          kind: 'text',
          unit: () => currency,
          help: 'Once per crossing; empty for a tenth of the last top-up',
        },
      }}
      submitLabel="Save"
      onCancel={onClose}
      send={async ({ lowBalanceMinor: typed, ...body }) => {
        const limit = typed === null ? null : minorOf('lowBalanceMinor', String(typed), currency);
        await update.mutateAsync({ params: { subscriptionId }, body: { ...body, lowBalanceMinor: limit } });
        showDone('Prepaid balance saved.');
        onClose();
      }}
    />
  );
}

/** @throws InvalidInput at the field for what is no amount */
function minorOf(field: string, typed: string, currency: string): number {
  const amountMinor = amountMinorOf(typed, currency);
  if (amountMinor === null) throw new InvalidInput({ [field]: 'Enter an amount such as 250.00.' });
  return amountMinor;
}
