import { Card, Group, Stack, Text } from '@mantine/core';
import { FormDialog } from '@millrace/ui/form-dialog';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { type Column, RecordTable } from '@millrace/ui/record-table';
import { ShownOnce } from '@millrace/ui/shown-once';
import { TextLink } from '@millrace/ui/text-link';
import { Lines, Moment } from '@millrace/ui/values';
import { useState } from 'react';
import { AdministratorButton } from '../../frame/administrator-button.tsx';
import { type AnswerOf, useRead } from '../../frame/api.ts';
import { RotateSecret } from './rotation.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { type Webhook, WebhookMark } from './webhook-marks.tsx';

/** The endpoints of the account, and the secret that signs what goes to a `callback_url`. */
export function WebhooksScreen() {
  const webhooks = useRead('listWebhooks', {}, { refetchInterval: 15_000 });
  const [adding, setAdding] = useState(false);
  const [created, setCreated] = useState<AnswerOf<'createWebhook'> | null>(null);
  const full = webhooks.data !== undefined && webhooks.data.items.length >= webhooks.data.limit;
  return (
    <Page
      title="Webhooks"
      description="Millrace posts to these addresses when an extraction finishes, signs every delivery and retries failed ones."
      actions={
        <AdministratorButton
          onClick={() => setAdding(true)}
          blocked={full && `An account can have ${webhooks.data?.limit} endpoints.`}
        >
          Add endpoint
        </AdministratorButton>
      }
    >
      <Loaded read={webhooks}>
        {({ items, primarySecret, eventKinds }) => (
          <Stack gap="xl">
            {items.length === 0 ? (
              <Text c="dimmed">No endpoints yet. Without one, programs have to poll for results.</Text>
            ) : (
              <RecordTable label="Endpoints" columns={columns} rows={items} />
            )}
            <PrimarySecret secret={primarySecret} />
            <FormDialog title="Add endpoint" opened={adding} onClose={() => setAdding(false)}>
              <WebhookForm
                eventKinds={eventKinds}
                onClose={() => setAdding(false)}
                onCreated={(answer) => {
                  setAdding(false);
                  setCreated(answer);
                }}
              />
            </FormDialog>
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
    title: 'Address',
    cell: ({ id, url }) => (
      <TextLink to="/developer/webhooks/$webhookId" params={{ webhookId: id }} style={{ overflowWrap: 'anywhere' }}>
        {url}
      </TextLink>
    ),
  },
  { title: 'State', cell: (webhook) => <WebhookMark webhook={webhook} /> },
  { title: 'Events', cell: ({ events }) => <Lines texts={events} /> },
  { title: 'Last success', cell: ({ lastSuccessAt }) => <Moment at={lastSuccessAt} absent="Never" /> },
  { title: 'Waiting', cell: ({ waitingCount }) => waitingCount },
];

function PrimarySecret({ secret }: { readonly secret: AnswerOf<'listWebhooks'>['primarySecret'] }) {
  return (
    <Section title="Deliveries to a callback_url">
      <Card withBorder>
        <Group justify="space-between">
          <Stack gap={4}>
            <Text size="sm">Deliveries to a call’s own callback_url are signed with the account’s primary secret.</Text>
            {secret !== null && (
              <Text size="sm" c="dimmed">
                In use since <Moment at={secret.createdAt} />
                {secret.previousExpiresAt !== null && (
                  <>
                    ; the previous one is also valid until <Moment at={secret.previousExpiresAt} />
                  </>
                )}
                .
              </Text>
            )}
            <TextLink to="/developer/webhooks/$webhookId" params={{ webhookId: 'callbacks' }} size="sm">
              View deliveries
            </TextLink>
          </Stack>
          <RotateSecret id="primary" />
        </Group>
      </Card>
    </Section>
  );
}
