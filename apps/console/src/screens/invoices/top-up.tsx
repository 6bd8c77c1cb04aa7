import { useAmounts } from '@millrace/ui/amounts';
import { Page } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Moment, Properties } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useParams } from '@tanstack/react-router';
import { PermittedActions, reasonAction } from '../../frame/actions.tsx';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { creditExpiryText } from '../../frame/credit-expiry.tsx';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { useSession } from '../../frame/session.tsx';
import { TopUpMark } from './top-ups.tsx';

type TopUp = DataOf<'getTopUp'>;

/** One top-up of a prepaid balance, and whether another person approves it. */
export function TopUpScreen() {
  const { topUpId } = useParams({ from: '/shell/invoices/top-ups/$topUpId' });
  const read = useRead('getTopUp', { params: { topUpId } });
  return (
    <EntityScreen read={read}>
      {(topUp) => (
        <Page
          title={`Top-up of ${topUp.appName}`}
          mark={<TopUpMark state={topUp.state} />}
          crumbs={[
            { label: 'Invoices', to: '/invoices' },
            { label: 'Top-ups', to: '/invoices/top-ups' },
          ]}
          actions={<Actions topUp={topUp} />}
        >
          <Facts topUp={topUp} />
        </Page>
      )}
    </EntityScreen>
  );
}

function Actions({ topUp }: { readonly topUp: TopUp }) {
  const { id, state, requestedBy, appName } = topUp;
  const params = { topUpId: id };
  const { callerId } = useSession();
  const amount = useAmounts()(topUp);
  const approve = useWrite('approveTopUp');
  const reject = useWrite('rejectTopUp');
  const permission = 'billing.write';
  return (
    <PermittedActions
      actions={[
        {
          label: 'Approve',
          primary: true,
          hidden: state !== 'pending',
          permission,
          blocked: requestedBy === callerId && 'You requested this: someone else has to approve it.',
          run: () => approve.mutateAsync({ params }),
          done: `${amount} added.`,
          confirm: {
            title: `Add ${amount}?`,
            text: `Within a second, ${appName} can spend it. It can’t be undone.`,
          },
        },
        reasonAction({
          label: 'Reject',
          danger: true,
          hidden: state !== 'pending',
          permission,
          title: `Reject the top-up of ${appName}?`,
          help: 'Whoever requested it can read this',
          send: async (body) => {
            await reject.mutateAsync({ params, body });
            return 'Top-up rejected.';
          },
        }),
      ]}
    />
  );
}

function Facts({ topUp }: { readonly topUp: TopUp }) {
  const { subscriptionId, developerId, developerName, appName, productName, state, source } = topUp;
  const amountOf = useAmounts();
  return (
    <Properties
      of={{
        Amount: <strong>{amountOf(topUp)}</strong>,
        Source: source === 'payment' ? 'Payment' : 'Unassigned money of the developer',
        Subscription: (
          <TextLink to="/subscriptions/$subscriptionId" params={{ subscriptionId }} inherit>
            {appName} to {productName}
          </TextLink>
        ),
        Developer: (
          <TextLink to="/developers/$developerId/balance" params={{ developerId }} inherit>
            {developerName}
          </TextLink>
        ),
        'Requested in the portal': topUp.requestId !== null && (
          <TextLink to="/invoices/top-up-requests" search={{ developerId }} inherit>
            Top-up requests of {developerName}
          </TextLink>
        ),
        Expires:
          topUp.expiresAt !== null ? (
            <Moment at={topUp.expiresAt} />
          ) : topUp.creditExpiry === null ? (
            'Never'
          ) : (
            `${creditExpiryText(topUp.creditExpiry)} after it is credited`
          ),
        Expired: topUp.expiredMinor !== null && amountOf({ ...topUp, amountMinor: topUp.expiredMinor }),
        Note: topUp.note || 'None',
        Requested: (
          <>
            <Ago at={topUp.createdAt} /> by {topUp.requestedByName}
          </>
        ),
        [state === 'rejected' ? wordsOf(state) : 'Approved']: topUp.decidedAt !== null && (
          <>
            <Moment at={topUp.decidedAt} /> by {topUp.decidedByName}
          </>
        ),
        'Reason for the rejection': topUp.decisionReason,
      }}
    />
  );
}
