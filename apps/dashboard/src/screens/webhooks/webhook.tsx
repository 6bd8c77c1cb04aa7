import { Alert, Group, SimpleGrid } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { showDone, showFailure } from '@millrace/ui/form';
import { FormDialog } from '@millrace/ui/form-dialog';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { Fact, Lines, Moment } from '@millrace/ui/values';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { AdministratorButton } from '../../frame/administrator-button.tsx';
import { useRead, useWrite } from '../../frame/api.ts';
import { DeliveryList } from '../deliveries/delivery-list.tsx';
import { ResendSince } from '../deliveries/resend-since.tsx';
import { RotateSecret } from './rotation.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { type Webhook, WebhookMark } from './webhook-marks.tsx';

const crumbs = [{ label: 'Webhooks', to: '/developer/webhooks' }] as const;

/** One endpoint with its deliveries, or with `callbacks` as its id those to every `callback_url`. */
export function WebhookScreen() {
  const { webhookId } = useParams({ from: '/shell/developer/webhooks/$webhookId' });
  return webhookId === 'callbacks' ? <CallbackDeliveries /> : <Endpoint id={webhookId} />;
}

function CallbackDeliveries() {
  return (
    <Page title="Deliveries to a callback_url" description="The last 500 attempts for a callback_url." crumbs={crumbs}>
      <DeliveryList endpointId="callbacks" actions={null} />
    </Page>
  );
}

function Endpoint({ id }: { readonly id: string }) {
  const webhook = useRead('getWebhook', { params: { id } }, { refetchInterval: 3_000 });
  if (webhook.data === undefined) {
    return (
      <Page title="Endpoint" crumbs={crumbs}>
        <Loaded read={webhook}>{() => null}</Loaded>
      </Page>
    );
  }
  const { data } = webhook;
  return (
    <Page title={data.url} mark={<WebhookMark webhook={data} />} crumbs={crumbs}>
      <Actions webhook={data} />
      <Standing webhook={data} />
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" mb="lg">
        <Fact label="Events">
          <Lines texts={data.events} />
        </Fact>
        <Fact label="Last success">
          <Moment at={data.lastSuccessAt} absent="Never" />
        </Fact>
        <Fact label="Pending">{data.waitingCount}</Fact>
        <Fact label="Added">
          <Moment at={data.createdAt} />
        </Fact>
      </SimpleGrid>
      <Section title="Deliveries">
        <DeliveryList endpointId={id} actions={<ResendSince endpointId={id} />} />
      </Section>
    </Page>
  );
}

/** Anything unusual about an endpoint. */
function Standing({ webhook }: { readonly webhook: Webhook }) {
  if (webhook.pausedBy === 'failures') {
    return (
      <Alert color="red" mb="lg" title="Paused after failures">
        Every delivery has failed since <Moment at={webhook.failingSince} />, so Millrace paused the endpoint on{' '}
        <Moment at={webhook.pausedAt} />. Fix the receiver, send a test event, then resume the endpoint: pending events
        are sent then.
      </Alert>
    );
  }
  if (webhook.pausedBy === 'person') {
    return (
      <Alert color="gray" mb="lg" title="Paused">
        Paused since <Moment at={webhook.pausedAt} />. Events are queued until it is resumed.
      </Alert>
    );
  }
  if (webhook.failingSince !== null) {
    return (
      <Alert color="yellow" mb="lg" title="Failing">
        Every delivery has failed since <Moment at={webhook.failingSince} />. After 5 days, the endpoint is paused.
      </Alert>
    );
  }
  if (webhook.previousSecretExpiresAt !== null) {
    return (
      <Alert color="blue" mb="lg" title="Two active secrets">
        The secret was replaced. Deliveries are signed with the old one too until{' '}
        <Moment at={webhook.previousSecretExpiresAt} />.
      </Alert>
    );
  }
  return null;
}

function Actions({ webhook }: { readonly webhook: Webhook }) {
  const { id, url, state } = webhook;
  const kinds = useRead('listWebhooks').data?.eventKinds;
  const [dialog, setDialog] = useState<'edit' | 'remove' | null>(null);
  const test = useWrite('testWebhook');
  const update = useWrite('updateWebhook');
  const remove = useWrite('removeWebhook');
  const navigate = useNavigate();
  const close = () => setDialog(null);
  const sendTest = () =>
    test
      .mutateAsync({ params: { id } })
      .then(() => showDone('A test event is on its way. It appears among the deliveries.'))
      .catch(showFailure);
  const turn = () =>
    update
      .mutateAsync({ params: { id }, body: { state: state === 'active' ? 'paused' : 'active' } })
      .then((now) => showDone(now.state === 'paused' ? 'Endpoint paused.' : 'Endpoint resumed.'))
      .catch(showFailure);
  return (
    <Group gap="xs" mb="lg">
      <AdministratorButton onClick={sendTest} loading={test.isPending}>
        Send test event
      </AdministratorButton>
      <AdministratorButton variant="default" onClick={turn} loading={update.isPending}>
        {state === 'active' ? 'Pause' : 'Resume'}
      </AdministratorButton>
      <AdministratorButton variant="default" onClick={() => setDialog('edit')}>
        Edit
      </AdministratorButton>
      <RotateSecret id={id} />
      <AdministratorButton variant="default" onClick={() => setDialog('remove')}>
        Remove
      </AdministratorButton>
      <FormDialog title="Edit endpoint" opened={dialog === 'edit'} onClose={close}>
        {kinds && <WebhookForm webhook={webhook} eventKinds={kinds} onClose={close} />}
      </FormDialog>
      {dialog === 'remove' && (
        <Confirm
          title="Remove endpoint?"
          action="Remove"
          done="Endpoint removed."
          onConfirm={() => remove.mutateAsync({ params: { id } })}
          onClose={close}
          onDone={() => navigate({ to: '/developer/webhooks' })}
        >
          Nothing more is sent to {url}, what waits included, and its secret is destroyed.
        </Confirm>
      )}
    </Group>
  );
}
