import { Stack } from '@mantine/core';
import { useAmounts } from '@millrace/ui/amounts';
import { IconPlus } from '@millrace/ui/icons';
import { EmptyList, optionsOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { Loaded, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { Moment, Properties } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useParams, useSearch } from '@tanstack/react-router';
import { PermittedActions } from '../../frame/actions.tsx';
import { type DataOf, listQueryOf, useRead } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { TopUpForm } from '../subscriptions/top-up-form.tsx';

type Balance = DataOf<'getDeveloperBalance'>;

/** A developer's prepaid balances: by currency, by subscription, and their movements. */
export function DeveloperBalance() {
  const { developerId } = useParams({ from: '/shell/developers/$developerId/balance' });
  const search = useSearch({ from: '/shell/developers/$developerId/balance' });
  const read = useRead('getDeveloperBalance', { params: { developerId }, query: listQueryOf(search) });
  return <Loaded read={read}>{(balance) => <Shown balance={balance} />}</Loaded>;
}

function Shown({ balance: { balances, accounts, movements, total } }: { readonly balance: Balance }) {
  const amountOf = useAmounts();
  // Calls may cost less than the smallest unit: what is left is rounded down.
  const left = (balanceMinor: string, currency: string) =>
    amountOf({ amountMinor: Math.floor(Number(balanceMinor)), currency });
  const labelled = accounts.map((account) => ({ ...account, label: `${account.appName} to ${account.productName}` }));
  const labels = new Map(labelled.map(({ subscriptionId, label }) => [subscriptionId, label]));
  const unassigned = balances.filter(({ unassignedMinor }) => unassignedMinor !== 0);
  const byCurrency = Object.fromEntries([
    ...balances.map(({ currency, balanceMinor }) => [`Balance (${currency})`, left(balanceMinor, currency)]),
    ...unassigned.map(({ currency, unassignedMinor }) => [
      `Unassigned (${currency})`,
      amountOf({ amountMinor: unassignedMinor, currency }),
    ]),
  ]);
  return (
    <Stack gap="lg">
      {balances.length > 0 && <Properties of={byCurrency} />}
      <Section
        title="Prepaid subscriptions"
        actions={
          <PermittedActions
            actions={[
              {
                label: 'Top up',
                icon: IconPlus,
                primary: true,
                permission: 'billing.write',
                blocked: accounts.length === 0 && 'No subscription has a prepaid rate plan.',
                form: {
                  title: 'Top up balance',
                  body: (close) => <TopUpForm accounts={labelled} unassigned={balances} onClose={close} />,
                },
              },
            ]}
          />
        }
      >
        {accounts.length === 0 ? (
          <EmptyList>No subscription has a prepaid rate plan.</EmptyList>
        ) : (
          <RecordTable
            label="Table of prepaid subscriptions"
            rows={labelled.map((account) => ({ ...account, id: account.subscriptionId }))}
            columns={[
              {
                title: 'Subscription',
                cell: ({ subscriptionId, label }) => (
                  <TextLink to="/subscriptions/$subscriptionId" params={{ subscriptionId }}>
                    {label}
                  </TextLink>
                ),
              },
              { title: 'State', cell: ({ isLow }) => (isLow ? <Mark tone="warning">Low</Mark> : '–') },
              {
                title: 'Left',
                align: 'end',
                cell: ({ balanceMinor, currency }) => left(balanceMinor, currency),
              },
            ]}
          />
        )}
      </Section>
      <div>
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
              title: 'Subscription',
              cell: ({ subscriptionId }) =>
                subscriptionId === null ? 'Unassigned' : (labels.get(subscriptionId) ?? '–'),
            },
            {
              title: 'Amount',
              align: 'end',
              cell: (movement) => amountOf(movement, { signDisplay: 'exceptZero' }),
            },
            { title: 'Note', cell: ({ note }) => note || '–' },
            { title: 'By', cell: ({ createdByName }) => createdByName },
          ]}
          filters={[
            { name: 'kind', label: 'Type', options: optionsOf(['top_up', 'correction', 'assignment', 'expiry']) },
          ]}
          empty={<EmptyList>Nothing is paid in yet.</EmptyList>}
        />
      </div>
    </Stack>
  );
}
