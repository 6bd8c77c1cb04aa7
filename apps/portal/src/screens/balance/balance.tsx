import { Stack, Text } from '@mantine/core';
import { ActionBar } from '@millrace/ui/action-bar';
import { useAmounts } from '@millrace/ui/amounts';
import { IconPlus } from '@millrace/ui/icons';
import { EmptyList } from '@millrace/ui/list';
import { Mark, type Tone } from '@millrace/ui/mark';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { Ago, Moment } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { type DataOf, useList, useRead } from '../../frame/api.ts';
import { PagedList, RowActions } from '../../frame/list-screen.tsx';
import { Period } from '../../frame/period.tsx';
import { texts } from '../../frame/texts.ts';
import { LimitBar } from '../usage/limit-bar.tsx';
import { BudgetForm } from './budget-form.tsx';
import { TopUpForm } from './top-up-form.tsx';

const words = texts.balance;

/** What the account spends, its budgets, and its prepaid balances. */
export function BalanceScreen() {
  const budget = useRead('getPortalBudget');
  return (
    <Page title={words.title}>
      <Stack gap="xl">
        <Loaded read={budget}>{(shown) => <Budget budget={shown} />}</Loaded>
        <Balances />
      </Stack>
    </Page>
  );
}

function Budget({ budget }: { readonly budget: DataOf<'getPortalBudget'> }) {
  const amountText = useAmounts();
  const { period, currencies } = budget;
  return (
    <Section
      title={words.budget}
      description={
        period === null ? (
          words.budgetHelp
        ) : (
          <>
            {words.budgetHelp} {words.period} <Period period={period} />
          </>
        )
      }
      actions={
        <ActionBar
          actions={[
            {
              label: words.setBudget,
              form: {
                title: words.setBudget,
                body: (close) => <BudgetForm currencies={currencies} onClose={close} />,
              },
            },
          ]}
        />
      }
    >
      <Stack maw={720}>
        {currencies.length === 0 && <EmptyList>{words.nothingSpent}</EmptyList>}
        {currencies.map(({ currency, spentMinor, amountMinor }) =>
          amountMinor === null ? (
            <Text key={currency} size="sm">
              {words.spent(amountText({ amountMinor: spentMinor, currency }))}
            </Text>
          ) : (
            <LimitBar
              key={currency}
              label={texts.usage.budgetIn(currency)}
              used={spentMinor}
              limit={amountMinor}
              text={(minor) => amountText({ amountMinor: minor, currency })}
              mayExceed
            />
          ),
        )}
      </Stack>
    </Section>
  );
}

type Account = DataOf<'getPortalBalance'>['accounts'][number];

function Balances() {
  const read = useRead('getPortalBalance', { query: {} });
  const amountText = useAmounts();
  return (
    <Loaded read={read}>
      {({ accounts, movements, topUpRequests }) =>
        accounts.length === 0 ? null : (
          <Section title={words.balances} description={words.balancesHelp}>
            <Stack gap="xl">
              <RecordTable
                label={words.balances}
                rows={accounts.map((account) => ({ ...account, id: account.subscriptionId }))}
                columns={[
                  { title: words.subscription, cell: (account) => nameOf(account) },
                  {
                    title: words.balance,
                    align: 'end',
                    cell: ({ balanceMinor, currency, isLow }) => (
                      <>
                        {isLow && <Mark tone="warning">{words.low}</Mark>}{' '}
                        {amountText({ amountMinor: Math.floor(Number(balanceMinor)), currency })}
                      </>
                    ),
                  },
                  {
                    title: words.used,
                    align: 'end',
                    cell: ({ usedMinor, currency }) =>
                      amountText({ amountMinor: Math.ceil(Number(usedMinor)), currency }),
                  },
                  { title: words.expires, cell: (account) => <Expiring account={account} /> },
                  {
                    title: texts.actions,
                    cell: (account) => (
                      <RowActions
                        actions={[
                          {
                            label: words.topUp,
                            name: words.topUpName(nameOf(account)),
                            icon: IconPlus,
                            form: {
                              title: words.topUp,
                              body: (close) => <TopUpForm account={account} onClose={close} />,
                            },
                          },
                        ]}
                      />
                    ),
                  },
                ]}
              />
              {topUpRequests.length > 0 && (
                <Section title={words.requests}>
                  <RecordTable
                    label={words.requests}
                    rows={topUpRequests}
                    columns={[
                      { title: words.at, cell: ({ createdAt }) => <Ago at={createdAt} /> },
                      { title: words.by, cell: ({ requestedByName }) => requestedByName },
                      { title: words.note, cell: ({ note }) => note || '–' },
                      { title: words.state, cell: ({ state }) => <Mark tone={tones[state]}>{wordsOf(state)}</Mark> },
                      { title: words.answer, cell: (request) => <Answer request={request} /> },
                      {
                        title: words.amount,
                        align: 'end',
                        cell: ({ amountMinor, currency }) => amountText({ amountMinor, currency }),
                      },
                    ]}
                  />
                </Section>
              )}
              {movements.length > 0 && <Movements />}
            </Stack>
          </Section>
        )
      }
    </Loaded>
  );
}

type Request = DataOf<'getPortalBalance'>['topUpRequests'][number];

const tones: Readonly<Record<Request['state'], Tone>> = { open: 'active', credited: 'good', declined: 'bad' };

/** Why a request was declined, or what was paid in for it. */
function Answer({ request: { declineReason, creditedMinor, currency } }: { readonly request: Request }) {
  const amountText = useAmounts();
  if (creditedMinor !== null) return words.credited(amountText({ amountMinor: creditedMinor, currency }));
  return declineReason ?? '–';
}

/** What of a balance expires when. */
function Expiring({ account: { expiring, currency } }: { readonly account: Account }) {
  const amountText = useAmounts();
  if (expiring.length === 0) return words.never;
  return expiring.map(({ topUpId, leftMinor, expiresAt }) => (
    <div key={topUpId}>
      {amountText({ amountMinor: Math.floor(Number(leftMinor)), currency })}: <Moment at={expiresAt} />
    </div>
  ));
}

const nameOf = ({ productName, appName }: Account) => `${productName} · ${appName}`;

function Movements() {
  const amountText = useAmounts();
  const list = useList('getPortalBalance');
  return (
    <Section title={words.movements}>
      <PagedList
        noun={words.movements}
        list={{ ...list, rows: list.data?.movements }}
        columns={[
          { title: words.at, sort: 'createdAt', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { title: words.kind, cell: ({ kind }) => wordsOf(kind) },
          {
            title: words.amount,
            align: 'end',
            cell: ({ amountMinor, currency }) => amountText({ amountMinor, currency }),
          },
        ]}
      />
    </Section>
  );
}
