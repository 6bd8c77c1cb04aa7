import { Stack } from '@mantine/core';
import { Page, Section } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Moment, Properties } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useParams } from '@tanstack/react-router';
import { PermittedActions, reasonAction } from '../../frame/actions.tsx';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { Can } from '../../frame/can.tsx';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { QuotaText } from '../../frame/quota.tsx';
import { useSession } from '../../frame/session.tsx';
import { SubscriptionBalance } from './balance.tsx';
import { SubscriptionState } from './columns.tsx';
import { useDecisionActions } from './decision.ts';
import { PlanForm, QuotaForm } from './subscription-forms.tsx';
import { SubscriptionUsage } from './usage.tsx';

type Subscription = DataOf<'getSubscription'>;

/** One subscription: who can call what through it, how often, and how often they did. */
export function SubscriptionScreen() {
  const { subscriptionId } = useParams({ from: '/shell/subscriptions/$subscriptionId' });
  const read = useRead('getSubscription', { params: { subscriptionId } });
  return (
    <EntityScreen read={read}>
      {(subscription) => (
        <Page
          title={`${subscription.appName} to ${subscription.productName}`}
          mark={<SubscriptionState state={subscription.state} />}
          crumbs={[{ label: 'Subscriptions', to: '/subscriptions' }]}
          actions={<Actions subscription={subscription} />}
        >
          <Stack gap="lg">
            <Properties of={propertiesOf(subscription)} />
            <PrepaidBalance subscription={subscription} />
            <Can anyOf={['analytics.read']}>
              <Section title="Usage">
                <SubscriptionUsage subscriptionId={subscriptionId} />
              </Section>
            </Can>
          </Stack>
        </Page>
      )}
    </EntityScreen>
  );
}

/** Only where the subscription's rate plan is prepaid. */
function PrepaidBalance({ subscription: { id, state, ratePlanId } }: { readonly subscription: Subscription }) {
  const { can } = useSession();
  const isReadable = state === 'approved' && can('billing.read') && can('rate-plan.read');
  const plan = useRead(
    'getRatePlan',
    { params: { ratePlanId: ratePlanId ?? '' } },
    { enabled: isReadable && ratePlanId !== null },
  );
  return plan.data?.type === 'prepaid' && <SubscriptionBalance subscriptionId={id} />;
}

function propertiesOf(subscription: Subscription) {
  const { appId, appName, productId, productName, developerId, developerName } = subscription;
  const { state, decidedAt, decidedByName, reason } = subscription;
  return {
    App: (
      <TextLink to="/apps/$appId" params={{ appId }} inherit>
        {appName}
      </TextLink>
    ),
    'API product': (
      <TextLink to="/products/$productId" params={{ productId }} inherit>
        {productName}
      </TextLink>
    ),
    Developer: (
      <TextLink to="/developers/$developerId" params={{ developerId }} inherit>
        {developerName}
      </TextLink>
    ),
    'Rate plan':
      subscription.ratePlanId === null ? (
        'None'
      ) : (
        <TextLink to="/rate-plans/$ratePlanId" params={{ ratePlanId: subscription.ratePlanId }} inherit>
          {subscription.ratePlanName}
        </TextLink>
      ),
    Quota: <QuotaText quota={subscription.quota} absent="The API product’s" />,
    Requested: (
      <>
        <Ago at={subscription.createdAt} /> by {subscription.requestedByName}
      </>
    ),
    [state === 'pending' ? 'Decided' : wordsOf(state)]: state !== 'pending' && (
      <>
        <Moment at={decidedAt} absent="" /> {decidedByName === null ? 'automatically' : `by ${decidedByName}`}
      </>
    ),
    Reason: reason,
  };
}

function Actions({ subscription }: { readonly subscription: Subscription }) {
  const { id, state, quota, appName, productName } = subscription;
  const params = { subscriptionId: id };
  const decisionActions = useDecisionActions();
  const removeQuota = useWrite('removeSubscriptionQuota');
  const revoke = useWrite('revokeSubscription');
  const permission = 'subscription.write';
  if (state !== 'pending' && state !== 'approved') return null;
  return (
    <PermittedActions
      actions={[
        ...(state === 'pending' ? decisionActions(subscription) : []),
        {
          label: quota === null ? 'Set quota' : 'Edit quota',
          permission,
          form: {
            title: `Quota of ${appName}`,
            body: (close) => <QuotaForm subscription={subscription} onClose={close} />,
          },
        },
        {
          label: 'Remove quota',
          hidden: quota === null,
          permission,
          run: () => removeQuota.mutateAsync({ params }),
          done: 'The API product’s quota applies again.',
          confirm: {
            title: 'Remove quota?',
            text: `The API product’s quota applies to ${appName} again, within a second on every gateway node.`,
          },
        },
        {
          label: 'Change rate plan',
          permission,
          form: {
            title: `Rate plan of ${appName}`,
            body: (close) => <PlanForm subscription={subscription} onClose={close} />,
          },
        },
        reasonAction({
          label: 'Revoke',
          hidden: state !== 'approved',
          danger: true,
          permission,
          title: `Revoke ${appName} to ${productName}?`,
          help: 'Every gateway node rejects the app’s calls within a second. This can’t be undone.',
          send: async (body) => {
            await revoke.mutateAsync({ params, body });
            return 'Subscription revoked.';
          },
        }),
      ]}
    />
  );
}
