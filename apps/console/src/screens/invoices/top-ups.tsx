import { useAmounts } from '@millrace/ui/amounts';
import { EmptyList, optionsOf } from '@millrace/ui/list';
import { Mark, type Tone } from '@millrace/ui/mark';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { type DataOf, useList } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { InvoiceTabs } from './invoice-tabs.tsx';

type TopUp = DataOf<'listTopUps'>['topUps'][number];

const tones: Readonly<Record<TopUp['state'], Tone>> = { pending: 'active', credited: 'good', rejected: 'bad' };

/** The state of a top-up. */
export function TopUpMark({ state }: Pick<TopUp, 'state'>) {
  return <Mark tone={tones[state]}>{state === 'pending' ? 'Waiting for approval' : wordsOf(state)}</Mark>;
}

/** The top-ups of all prepaid balances. */
export function TopUpList() {
  const amountOf = useAmounts();
  return (
    <ListScreen
      title="Top-ups"
      noun="top-ups"
      tabs={<InvoiceTabs />}
      list={useList('listTopUps')}
      columns={[
        {
          title: 'App',
          cell: ({ id, appName }) => (
            <TextLink to="/invoices/top-ups/$topUpId" params={{ topUpId: id }}>
              {appName}
            </TextLink>
          ),
        },
        { title: 'API product', cell: ({ productName }) => productName },
        {
          title: 'Developer',
          cell: ({ developerId, developerName }) => (
            <TextLink to="/developers/$developerId/balance" params={{ developerId }}>
              {developerName}
            </TextLink>
          ),
        },
        { title: 'State', cell: ({ state }) => <TopUpMark state={state} /> },
        { title: 'Amount', sort: 'amountMinor', align: 'end', cell: (topUp) => amountOf(topUp) },
        { title: 'Note', cell: ({ note }) => note || '–' },
        { title: 'Requested', sort: 'createdAt', cell: ({ createdAt }) => <Ago at={createdAt} /> },
        { title: 'By', cell: ({ requestedByName }) => requestedByName },
      ]}
      hiddenColumns={['Note']}
      filters={[{ name: 'state', label: 'State', options: optionsOf(Object.keys(tones)) }]}
      empty={<EmptyList>No top-ups yet. Top up a prepaid balance on its subscription.</EmptyList>}
    />
  );
}
