import { useAmounts } from '@millrace/ui/amounts';
import { EmptyList, optionsOf } from '@millrace/ui/list';
import { Mark, type Tone } from '@millrace/ui/mark';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { type PermittedAction, RowActions, reasonAction } from '../../frame/actions.tsx';
import { type DataOf, useList, useWrite } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { TopUpForm } from '../subscriptions/top-up-form.tsx';
import { InvoiceTabs } from './invoice-tabs.tsx';

type TopUpRequest = DataOf<'listTopUpRequests'>['topUpRequests'][number];

const tones: Readonly<Record<TopUpRequest['state'], Tone>> = { open: 'active', credited: 'good', declined: 'bad' };

/** What developers ask to top up in the portal. */
export function TopUpRequestList() {
  const amountOf = useAmounts();
  return (
    <ListScreen
      title="Top-up requests"
      noun="top-up requests"
      tabs={<InvoiceTabs />}
      list={useList('listTopUpRequests')}
      columns={[
        {
          title: 'Subscription',
          cell: ({ subscriptionId, appName, productName }) => (
            <TextLink to="/subscriptions/$subscriptionId" params={{ subscriptionId }}>
              {appName} to {productName}
            </TextLink>
          ),
        },
        {
          title: 'Developer',
          cell: ({ developerId, developerName }) => (
            <TextLink to="/developers/$developerId/balance" params={{ developerId }}>
              {developerName}
            </TextLink>
          ),
        },
        { title: 'State', cell: (request) => <RequestState request={request} /> },
        { title: 'Amount', sort: 'amountMinor', align: 'end', cell: (request) => amountOf(request) },
        { title: 'Note', cell: ({ note }) => note || '–' },
        { title: 'Requested', sort: 'createdAt', cell: ({ createdAt }) => <Ago at={createdAt} /> },
        { title: 'By', cell: ({ requestedByName }) => requestedByName },
        { title: 'Answer', cell: (request) => <Answer request={request} /> },
      ]}
      filters={[{ name: 'state', label: 'State', options: optionsOf(Object.keys(tones)) }]}
      empty={<EmptyList>No top-up requests. Developers with a prepaid balance make them in the portal.</EmptyList>}
    />
  );
}

function RequestState({ request: { state, topUpId } }: { readonly request: TopUpRequest }) {
  return (
    <Mark tone={tones[state]}>{state === 'open' && topUpId !== null ? 'Waiting for approval' : wordsOf(state)}</Mark>
  );
}

/** What was answered, or the actions that answer. */
function Answer({ request }: { readonly request: TopUpRequest }) {
  const { id, subscriptionId, currency, amountMinor, state, topUpId, developerName } = request;
  const amountOf = useAmounts();
  const decline = useWrite('declineTopUpRequest');
  if (state === 'declined') return request.declineReason;
  if (topUpId !== null) {
    return (
      <TextLink to="/invoices/top-ups/$topUpId" params={{ topUpId }}>
        {request.creditedMinor === null ? 'Top-up' : amountOf({ amountMinor: request.creditedMinor, currency })}
      </TextLink>
    );
  }
  const permission = 'billing.write';
  const actions: readonly PermittedAction[] = [
    {
      label: 'Credit',
      name: `Credit ${amountOf(request)} of ${developerName}`,
      permission,
      form: {
        title: 'Top up balance',
        body: (close) => (
          <TopUpForm accounts={[{ subscriptionId, currency }]} request={{ id, amountMinor }} onClose={close} />
        ),
      },
    },
    reasonAction({
      label: 'Decline',
      name: `Decline ${amountOf(request)} of ${developerName}`,
      danger: true,
      permission,
      title: `Decline the request of ${developerName}?`,
      help: 'The portal shows it to the developer',
      send: async (body) => {
        await decline.mutateAsync({ params: { topUpRequestId: id }, body });
        return 'Request declined.';
      },
    }),
  ];
  return <RowActions actions={actions} />;
}
