import { Stack, Text } from '@mantine/core';
import { IconPlus } from '@millrace/ui/icons';
import { EmptyList } from '@millrace/ui/list';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { type Column, RecordTable } from '@millrace/ui/record-table';
import { ShownOnce } from '@millrace/ui/shown-once';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Moment, Properties } from '@millrace/ui/values';
import { useState } from 'react';
import { AdministratorActions } from '../../frame/administrator-actions.tsx';
import { type AnswerOf, useRead } from '../../frame/api.ts';
import { NewSecret, type Rotated, RotationForm } from './rotation.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { type Webhook, WebhookMark } from './webhook-mark.tsx';

type Webhooks = AnswerOf<'listWebhooks'>;

/** The endpoints of the account, and the secret that signs deliveries to a `callback_url`. */
export function WebhooksScreen() {
  const webhooks = useRead('listWebhooks', {}, { refetchInterval: 15_000 });
  const [created, setCreated] = useState<AnswerOf<'createWebhook'> | null>(null);
  const { items = [], limit = 1, eventKinds } = webhooks.data ?? {};
  return (
    <Page
      title="Webhooks"
      description="Millrace sends signed events to these endpoints when an extraction finishes, with retries."
      actions={
        <AdministratorActions
          actions={[
            {
              label: 'Add endpoint',
              icon: IconPlus,
              primary: true,
              blocked: items.length >= limit && `An account can have ${limit} endpoints.`,
              form: {
                title: 'Add endpoint',
                body: (close) =>
                  eventKinds && <WebhookForm eventKinds={eventKinds} onClose={close} onCreated={setCreated} />,
              },
            },
          ]}
        />
      }
    >
      <Loaded read={webhooks}>
        {({ primarySecret }) => (
          <Stack gap="xl">
            {items.length === 0 ? (
              <EmptyList>No endpoints yet. Without one, programs have to poll for results.</EmptyList>
            ) : (
              <RecordTable label="Endpoints" columns={columns} rows={items} />
            )}
            <CallbackSecret secret={primarySecret} />
          </Stack>
        )}
      </Loaded>
      {created && (
        <ShownOnce
          title="Signing secret"
          explanation="Your receiver uses it to verify that deliveries come from Millrace. It won’t be shown again."
          secret={created.secret}
          onClose={() => setCreated(null)}
        >
          <Text size="sm">
            Next, open the endpoint and send a test event to <b>{created.webhook.url}</b>.
          </Text>
        </ShownOnce>
      )}
    </Page>
  );
}

const columns: readonly Column<Webhook>[] = [
  {
    title: 'URL',
    cell: ({ id, url }) => (
      <TextLink to="/developer/webhooks/$webhookId" params={{ webhookId: id }} style={{ overflowWrap: 'anywhere' }}>
        {url}
      </TextLink>
    ),
  },
  { title: 'Status', cell: (webhook) => <WebhookMark webhook={webhook} /> },
  { title: 'Events', cell: ({ events }) => events.join(', ') },
  { title: 'Last success', cell: ({ lastSuccessAt }) => <Ago at={lastSuccessAt} absent="Never" /> },
  { title: 'Pending', align: 'end', cell: ({ waitingCount }) => waitingCount },
];

/** The secret for a call's own `callback_url`. */
function CallbackSecret({ secret }: { readonly secret: Webhooks['primarySecret'] }) {
  const [rotated, setRotated] = useState<Rotated | null>(null);
  return (
    <Section
      title="Deliveries to a callback_url"
      description="Deliveries to a call’s own callback_url are signed with the account’s primary secret."
      actions={
        <AdministratorActions
          actions={[
            {
              label: 'Rotate secret',
              form: {
                title: 'Rotate signing secret',
                body: (close) => <RotationForm id="primary" onClose={close} onRotated={setRotated} />,
              },
            },
          ]}
        />
      }
    >
      <Properties
        of={{
          'In use since': secret && <Moment at={secret.createdAt} />,
          'Previous secret': secret?.previousExpiresAt && (
            <>
              Valid until <Moment at={secret.previousExpiresAt} />
            </>
          ),
          Deliveries: (
            <TextLink to="/developer/webhooks/$webhookId" params={{ webhookId: 'callbacks' }}>
              View deliveries
            </TextLink>
          ),
        }}
      />
      {rotated && <NewSecret rotated={rotated} onClose={() => setRotated(null)} />}
    </Section>
  );
}
