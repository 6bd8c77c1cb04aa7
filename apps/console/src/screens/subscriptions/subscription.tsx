import { Alert, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Fact, Moment } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { Can, PermittedButton } from '../../frame/can.tsx';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { QuotaLimitInputs, QuotaText } from '../../frame/quota.tsx';
import { UsageFigures } from '../../frame/usage.tsx';
import { SubscriptionState } from './columns.tsx';
import { ApproveButton, ReasonDialog, RejectButton } from './decision.tsx';
import { RatePlanField } from './subscribe-form.tsx';

type Subscription = DataOf<'getSubscription'>;
type SubscriptionUsage = DataOf<'getSubscriptionUsage'>;

/** One subscription: who may call what by it, how often, and how often it was called. */
export function SubscriptionScreen() {
  const { subscriptionId } = useParams({ from: '/shell/subscriptions/$subscriptionId' });
  const read = useRead('getSubscription', { params: { subscriptionId } });
  return <EntityScreen read={read}>{(data) => <Shown subscription={data} />}</EntityScreen>;
}

function Shown({ subscription }: { readonly subscription: Subscription }) {
  const { id, appId, appName, productId, productName, developerId, developerName, state } = subscription;
  return (
    <Page
      title={`${appName} to ${productName}`}
      mark={<SubscriptionState state={state} />}
      crumbs={[{ label: 'Subscriptions', to: '/subscriptions' }]}
      actions={<Actions subscription={subscription} />}
    >
      <Stack gap="xl">
        {subscription.reason !== null && (
          <Alert color="red" title={`${wordsOf(state)} by ${subscription.decidedByName ?? 'somebody'}`}>
            {subscription.reason}
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
          <Fact label="App">
            <TextLink to="/apps/$appId" params={{ appId }}>
              {appName}
            </TextLink>
          </Fact>
          <Fact label="API product">
            <TextLink to="/products/$productId" params={{ productId }}>
              {productName}
            </TextLink>
          </Fact>
          <Fact label="Developer">
            <TextLink to="/developers/$developerId" params={{ developerId }}>
              {developerName}
            </TextLink>
          </Fact>
          <Fact label="Rate plan">{subscription.ratePlanName ?? 'None'}</Fact>
          <Fact label="Quota of its own">
            <QuotaText quota={subscription.quota} absent="None: the product’s holds" />
          </Fact>
          <Fact label="Requested">
            <Moment at={subscription.createdAt} /> by {subscription.requestedByName}
          </Fact>
          <Fact label="Decided">
            <Decided subscription={subscription} />
          </Fact>
        </SimpleGrid>
        <Can anyOf={['analytics.read']}>
          <Section title="Usage">
            <Usage subscriptionId={id} />
          </Section>
        </Can>
      </Stack>
    </Page>
  );
}

function Decided({ subscription }: { readonly subscription: Subscription }) {
  const { state, decidedAt, decidedByName } = subscription;
  if (state === 'pending') return 'It waits';
  return (
    <>
      <Moment at={decidedAt} absent="" /> {decidedByName === null ? 'by itself' : `by ${decidedByName}`}
    </>
  );
}

function Actions({ subscription }: { readonly subscription: Subscription }) {
  const { id, state, quota, appName } = subscription;
  const removeQuota = useWrite('removeSubscriptionQuota');
  const [dialog, setDialog] = useState<'reject' | 'revoke' | 'quota' | 'removeQuota' | 'plan' | null>(null);
  const close = () => setDialog(null);
  if (state !== 'pending' && state !== 'approved') return null;
  return (
    <Group gap="xs">
      {state === 'pending' && (
        <>
          <ApproveButton subscription={subscription} />
          <RejectButton subscription={subscription} onClick={() => setDialog('reject')} />
        </>
      )}
      <PermittedButton variant="default" permission="subscription.write" onClick={() => setDialog('quota')}>
        {quota === null ? 'Set a quota' : 'Change the quota'}
      </PermittedButton>
      {quota !== null && (
        <PermittedButton variant="default" permission="subscription.write" onClick={() => setDialog('removeQuota')}>
          Remove the quota
        </PermittedButton>
      )}
      <PermittedButton variant="default" permission="subscription.write" onClick={() => setDialog('plan')}>
        Change the plan
      </PermittedButton>
      {state === 'approved' && (
        <PermittedButton
          variant="default"
          c="var(--mantine-color-error)"
          permission="subscription.write"
          onClick={() => setDialog('revoke')}
        >
          Revoke
        </PermittedButton>
      )}
      <FormDialog title={`Quota of ${appName}`} opened={dialog === 'quota'} onClose={close}>
        <QuotaForm subscription={subscription} onClose={close} />
      </FormDialog>
      <FormDialog title={`Rate plan of ${appName}`} opened={dialog === 'plan'} onClose={close}>
        <PlanForm subscription={subscription} onClose={close} />
      </FormDialog>
      {(dialog === 'reject' || dialog === 'revoke') && (
        <ReasonDialog subscription={subscription} decision={dialog} onClose={close} />
      )}
      {dialog === 'removeQuota' && (
        <Confirm
          title="Remove the quota"
          action="Remove"
          done="The product’s quota holds again."
          onConfirm={() => removeQuota.mutateAsync({ params: { subscriptionId: id } })}
          onClose={close}
        >
          The product’s own quota holds for {appName} again, within a second on every gateway node.
        </Confirm>
      )}
    </Group>
  );
}

function QuotaForm(props: { readonly subscription: Subscription; readonly onClose: () => void }) {
  const { subscription, onClose } = props;
  const set = useWrite('setSubscriptionQuota');
  const form = useForm(
    subscription.quota ?? { limit: 1_000, window: { unit: 'day' as const, count: 1 } },
    async (body) => {
      await set.mutateAsync({ params: { subscriptionId: subscription.id }, body });
      showDone('The quota holds from the next call on.');
      onClose();
    },
  );
  return (
    <FormBody form={form} submitLabel="Save" onCancel={onClose}>
      <Text size="sm">It takes the place of the product’s, for this app alone.</Text>
      <QuotaLimitInputs
        quota={form.values}
        onChange={({ limit, window }) => {
          form.set('limit', limit);
          form.set('window', window);
        }}
        errorAt={(field) => form.errorAt(field)}
      />
    </FormBody>
  );
}

function PlanForm(props: { readonly subscription: Subscription; readonly onClose: () => void }) {
  const { subscription, onClose } = props;
  const set = useWrite('setSubscriptionRatePlan');
  const form = useForm({ ratePlanId: subscription.ratePlanId ?? '' }, async ({ ratePlanId }) => {
    await set.mutateAsync({ params: { subscriptionId: subscription.id }, body: { ratePlanId: ratePlanId || null } });
    showDone('The rate plan is changed.');
    onClose();
  });
  return (
    <FormBody form={form} submitLabel="Save" onCancel={onClose}>
      <RatePlanField
        productId={subscription.productId}
        value={form.values.ratePlanId}
        onChange={(ratePlanId) => form.set('ratePlanId', ratePlanId)}
        error={form.errorAt('ratePlanId')}
      />
    </FormBody>
  );
}

function Usage({ subscriptionId }: { readonly subscriptionId: string }) {
  const read = useRead('getSubscriptionUsage', { params: { subscriptionId }, query: {} }, { refetchInterval: 15_000 });
  return (
    <Loaded read={read}>
      {(usage) => (
        <Stack>
          <AgainstQuota usage={usage} />
          {usage.allowance !== null && (
            <Bar label="Calls that the rate plan includes" used={usage.allowance.used} of={usage.allowance.included} />
          )}
          <UsageFigures usage={usage} />
        </Stack>
      )}
    </Loaded>
  );
}

function AgainstQuota({ usage }: { readonly usage: SubscriptionUsage }) {
  const { quota, window, used } = usage;
  if (quota === null) return <Text c="dimmed">The limit of each proxy’s Quota policy holds, where it has one.</Text>;
  const source = quota.source === 'subscription' ? 'its own quota' : 'the product’s quota';
  if (used === null || window === null) {
    return (
      <Text c="dimmed">
        <QuotaText quota={quota} absent="" /> ({source}). Usage is kept by the hour, and does not tell how much of a
        shorter window is used.
      </Text>
    );
  }
  return (
    <Bar label={`Calls in the present window of ${source}`} used={used} of={quota.limit}>
      It begins anew <Moment at={window.end} />.
    </Bar>
  );
}

/** How much of a limit is used. */
function Bar(props: {
  readonly label: string;
  readonly used: number;
  readonly of: number;
  readonly children?: ReactNode;
}) {
  const { label, used, of } = props;
  const numbers = useNumbers();
  const share = of === 0 ? 1 : used / of;
  const text = `${numbers.count(used)} of ${numbers.count(of)} (${numbers.percent(share)})`;
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm">{label}</Text>
        <Text size="sm" fw={600}>
          {text}
        </Text>
      </Group>
      <Progress.Root size="lg">
        <Progress.Section
          value={Math.min(100, share * 100)}
          color={share >= 1 ? 'red' : share >= 0.8 ? 'orange' : undefined}
          aria-label={label}
          aria-valuetext={text}
        />
      </Progress.Root>
      {props.children && (
        <Text size="sm" c="dimmed" mt={4}>
          {props.children}
        </Text>
      )}
    </div>
  );
}
