import { Stack } from '@mantine/core';
import { IconPencil, IconTrash } from '@millrace/ui/icons';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { Ago, Moment, Properties } from '@millrace/ui/values';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { AdministratorActions } from '../../frame/administrator-actions.tsx';
import { useRead, useWrite } from '../../frame/api.ts';
import { DeliveryList } from '../deliveries/delivery-list.tsx';
import { ResendSince } from '../deliveries/resend-since.tsx';
import { NewSecret, type Rotated, RotationForm } from './rotation.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { type Webhook, WebhookMark } from './webhook-mark.tsx';
import { WebhookNotice } from './webhook-notice.tsx';

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
  const { data } = webhook;
  return (
    <Page
      title={data?.url ?? 'Endpoint'}
      mark={data && <WebhookMark webhook={data} />}
      crumbs={crumbs}
      actions={data && <Actions webhook={data} />}
    >
      <Loaded read={webhook}>
        {(loaded) => (
          <Stack gap="lg">
            <WebhookNotice webhook={loaded} />
            <Properties
              of={{
                Events: loaded.events.join(', '),
                'Last success': <Ago at={loaded.lastSuccessAt} absent="Never" />,
                Pending: loaded.waitingCount,
                Added: <Moment at={loaded.createdAt} />,
              }}
            />
            <Section title="Deliveries">
              <DeliveryList endpointId={id} actions={<ResendSince endpointId={id} />} />
            </Section>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Actions({ webhook }: { readonly webhook: Webhook }) {
  const { id, url, state } = webhook;
  const kinds = useRead('listWebhooks').data?.eventKinds;
  const [rotated, setRotated] = useState<Rotated | null>(null);
  const test = useWrite('testWebhook');
  const update = useWrite('updateWebhook');
  const remove = useWrite('removeWebhook');
  const navigate = useNavigate();
  const params = { id };
  return (
    <>
      <AdministratorActions
        actions={[
          {
            label: 'Send test event',
            primary: true,
            run: () => test.mutateAsync({ params }),
            done: 'Test event sent. It appears among the deliveries.',
          },
          state === 'active'
            ? {
                label: 'Pause',
                run: () => update.mutateAsync({ params, body: { state: 'paused' } }),
                done: 'Endpoint paused.',
              }
            : {
                label: 'Resume',
                run: () => update.mutateAsync({ params, body: { state: 'active' } }),
                done: 'Endpoint resumed.',
              },
          {
            label: 'Edit',
            icon: IconPencil,
            form: {
              title: 'Edit endpoint',
              body: (close) => kinds && <WebhookForm webhook={webhook} eventKinds={kinds} onClose={close} />,
            },
          },
          {
            label: 'Rotate secret',
            form: {
              title: 'Rotate signing secret',
              body: (close) => <RotationForm id={id} onClose={close} onRotated={setRotated} />,
            },
          },
          {
            label: 'Remove',
            icon: IconTrash,
            danger: true,
            run: () => remove.mutateAsync({ params }),
            done: 'Endpoint removed.',
            onDone: () => navigate({ to: '/developer/webhooks' }),
            confirm: {
              title: 'Remove endpoint?',
              text: `Nothing more is sent to ${url}, including pending events. Its secret is destroyed.`,
            },
          },
        ]}
      />
      {rotated && <NewSecret rotated={rotated} onClose={() => setRotated(null)} />}
    </>
  );
}
