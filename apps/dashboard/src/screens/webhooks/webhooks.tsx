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
      description="Millrace posts to these addresses when a document is through, signs each delivery, and tries again where it fails."
      actions={
        <AdministratorButton
          onClick={() => setAdding(true)}
          blocked={full && `An account has at most ${webhooks.data?.limit} endpoints.`}
        >
          Add an endpoint
        </AdministratorButton>
      }
    >
      <Loaded read={webhooks}>
        {({ items, primarySecret, eventKinds }) => (
          <Stack gap="xl">
            {items.length === 0 ? (
              <Text c="dimmed">
                There are no endpoints yet. Without one, a program has to ask for the state of its documents.
              </Text>
            ) : (
              <RecordTable label="Table of endpoints" columns={columns} rows={items} />
            )}
            <PrimarySecret secret={primarySecret} />
            <FormDialog title="Add an endpoint" opened={adding} onClose={() => setAdding(false)}>
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
          title="The endpoint’s signing secret"
          explanation="Your receiver checks with it that a delivery comes from Millrace. It cannot be shown again."
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
            <Text size="sm">What a call asked for with its own address is signed with one secret of the account.</Text>
            {secret !== null && (
              <Text size="sm" c="dimmed">
                In use since <Moment at={secret.createdAt} />
                {secret.previousExpiresAt !== null && (
                  <>
                    ; the one before signs too until <Moment at={secret.previousExpiresAt} />
                  </>
                )}
                .
              </Text>
            )}
            <TextLink to="/developer/webhooks/$webhookId" params={{ webhookId: 'callbacks' }} size="sm">
              Their deliveries
            </TextLink>
          </Stack>
          <RotateSecret id="primary" />
        </Group>
      </Card>
    </Section>
  );
}
