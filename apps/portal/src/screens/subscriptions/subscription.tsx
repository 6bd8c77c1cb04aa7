import { Alert, Stack, Text } from '@mantine/core';
import { ActionBar } from '@millrace/ui/action-bar';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Moment, Properties } from '@millrace/ui/values';
import { useParams } from '@tanstack/react-router';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { planWords } from '../../frame/plan-words.ts';
import { QuotaText } from '../../frame/quota-text.tsx';
import { useMay } from '../../frame/session.tsx';
import { StateMark } from '../../frame/state-mark.tsx';
import { texts } from '../../frame/texts.ts';
import { PlanChangeForm } from './plan-change-form.tsx';

const words = texts.subscriptions;

type Subscription = DataOf<'getPortalSubscription'>;

/** One subscription with its prices. */
export function SubscriptionScreen() {
  const { subscriptionId } = useParams({ from: '/in/account/subscriptions/$subscriptionId' });
  const read = useRead('getPortalSubscription', { params: { subscriptionId } });
  return <Loaded read={read}>{(subscription) => <Shown subscription={subscription} />}</Loaded>;
}

function Shown({ subscription }: { readonly subscription: Subscription }) {
  const may = useMay();
  const cancel = useWrite('cancelPortalSubscription');
  const { id, productId, productName, appId, appName, state, reason, decidedAt, quota, plan, nextPlan } = subscription;
  const product = useRead('getCatalogProduct', { params: { productId } });
  const period = product.data?.billingPeriod ?? 'month';
  const isActive = state === 'approved';
  return (
    <Page
      title={productName}
      mark={<StateMark state={state} />}
      crumbs={[{ label: words.title, to: '/account/subscriptions' }]}
      actions={
        <ActionBar
          actions={[
            {
              label: words.changePlan,
              hidden: !isActive || !may('changePortalPlan') || (product.data?.plans.length ?? 0) < 2,
              form: {
                title: words.changePlan,
                large: true,
                body: (close) => <PlanChangeForm subscription={subscription} onClose={close} />,
              },
            },
            {
              label: words.cancel,
              danger: true,
              hidden: !(isActive || state === 'pending') || !may('cancelPortalSubscription'),
              run: () => cancel.mutateAsync({ params: { subscriptionId: id } }),
              done: words.cancelled,
              confirm: { title: words.cancelTitle(productName), text: words.cancelText(appName) },
            },
          ]}
        />
      }
    >
      <Stack gap="xl">
        {state === 'pending' && <Alert color="blue">{words.pendingText}</Alert>}
        {state === 'rejected' && <Alert color="red">{words.rejectedText(reason)}</Alert>}
        {state === 'revoked' && <Alert color="red">{words.revokedText(reason)}</Alert>}
        <Properties
          of={{
            [words.app]: (
              <TextLink to="/account/apps/$appId" params={{ appId }}>
                {appName}
              </TextLink>
            ),
            [words.decided]: decidedAt && <Moment at={decidedAt} />,
            [words.quota]: <QuotaText quota={quota} />,
          }}
        />
        {plan && <Terms title={plan.displayName} plan={plan} period={period} />}
        {nextPlan && (
          <Section title={words.nextPlan(nextPlan.displayName)}>
            <Text size="sm" mb="xs">
              {words.from} <Moment at={nextPlan.from} />
            </Text>
            <Terms plan={nextPlan} period={period} />
          </Section>
        )}
      </Stack>
    </Page>
  );
}

function Terms(props: {
  readonly title?: string;
  readonly plan: NonNullable<Subscription['plan']> | NonNullable<Subscription['nextPlan']>;
  readonly period: 'week' | 'month' | 'quarter';
}) {
  const { title, plan, period } = props;
  const { amount, unit, terms } = planWords(plan, period);
  const list = (
    <>
      <Text size="lg" fw={600}>
        {amount}{' '}
        <Text span size="sm" fw={400} c="dimmed">
          {unit}
        </Text>
      </Text>
      <ul>
        {terms.map((term) => (
          <li key={term}>{term}</li>
        ))}
      </ul>
    </>
  );
  return title === undefined ? list : <Section title={words.planTitle(title)}>{list}</Section>;
}
