import { Group, Stack } from '@mantine/core';
import { useAmounts } from '@millrace/ui/amounts';
import { showDone } from '@millrace/ui/form';
import { IconPencil, IconPlus } from '@millrace/ui/icons';
import { EmptyList, optionsOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { decimalOf } from '@millrace/ui/money';
import { Loaded, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { SchemaForm } from '@millrace/ui/schema-form';
import { TextLink } from '@millrace/ui/text-link';
import { Moment, Properties } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useSearch } from '@tanstack/react-router';
import { PermittedActions } from '../../frame/actions.tsx';
import { bodyOf, type DataOf, listQueryOf, useRead, useWrite } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { minorOf, TopUpForm } from './top-up-form.tsx';

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
  const { subscriptionId, currency, balanceMinor, paidInMinor, expiredMinor, usedMinor } = balance;
  const { counting, lowBalanceMinor, isLow } = balance;
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
              form: {
                title: 'Top up balance',
                body: (close) => <TopUpForm accounts={[{ subscriptionId, currency }]} onClose={close} />,
              },
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
          'Waiting for approval': <Pending subscriptionId={subscriptionId} />,
          'Paid in': amountOf({ amountMinor: paidInMinor, currency }),
          Expired: expiredMinor > 0 && amountOf({ amountMinor: expiredMinor, currency }),
          Used: used,
          Counting: wordsOf(counting),
          'Reported as low':
            lowBalanceMinor === null
              ? 'Below a tenth of the last top-up'
              : `Below ${amountOf({ amountMinor: lowBalanceMinor, currency })}`,
        }}
      />
      <Stack gap="lg" mt="md">
        {balance.expiring.length > 0 && <Expiring balance={balance} />}
        <div>
          <Movements balance={balance} />
        </div>
      </Stack>
    </Section>
  );
}

/** Top-ups that another person has to approve. */
function Pending({ subscriptionId }: { readonly subscriptionId: string }) {
  const { data } = useRead('listTopUps', { query: { subscriptionId, state: 'pending' } });
  const amountOf = useAmounts();
  if (data === undefined || data.total === 0) return 'None';
  return (
    <Group gap="xs">
      {data.topUps.map((topUp) => (
        <TextLink key={topUp.id} to="/invoices/top-ups/$topUpId" params={{ topUpId: topUp.id }} inherit>
          {amountOf(topUp)}
        </TextLink>
      ))}
    </Group>
  );
}

/** What is left of top-ups that expire. */
function Expiring({ balance: { expiring, currency } }: { readonly balance: Balance }) {
  const amountOf = useAmounts();
  return (
    <Section title="Expiring credit" description="Calls use the oldest credit first.">
      <RecordTable
        label="Table of expiring credit"
        rows={expiring.map((one) => ({ ...one, id: one.topUpId }))}
        columns={[
          {
            title: 'Good until',
            cell: ({ topUpId, expiresAt }) => (
              <TextLink to="/invoices/top-ups/$topUpId" params={{ topUpId }} inherit>
                <Moment at={expiresAt} />
              </TextLink>
            ),
          },
          { title: 'Topped up', align: 'end', cell: ({ amountMinor }) => amountOf({ amountMinor, currency }) },
          {
            title: 'Left',
            align: 'end',
            cell: ({ leftMinor }) => amountOf({ amountMinor: Math.floor(Number(leftMinor)), currency }),
          },
        ]}
      />
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
      filters={[{ name: 'kind', label: 'Type', options: optionsOf(['top_up', 'correction', 'assignment', 'expiry']) }]}
      empty={<EmptyList>Nothing is paid in yet: calls are rejected until the first top-up.</EmptyList>}
    />
  );
}

interface FormProps {
  readonly balance: Balance;
  readonly onClose: () => void;
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
