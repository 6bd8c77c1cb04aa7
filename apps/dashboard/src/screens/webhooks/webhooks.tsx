import { Card, Group, ScrollArea, Stack, Table, Text } from '@mantine/core';
import { FormDialog } from '@millrace/interface/form-dialog';
import { Loaded, Page, Section } from '@millrace/interface/page';
import { ShownOnce } from '@millrace/interface/shown-once';
import { TextLink } from '@millrace/interface/text-link';
import { Lines, Moment } from '@millrace/interface/values';
import { useState } from 'react';
import { AdministratorButton } from '../../frame/administrator-button.tsx';
import { type AnswerOf, useRead } from '../../frame/api.ts';
import { RotateSecret } from './rotation.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookMark } from './webhook-marks.tsx';

/** The endpoints of the account, and the secret that signs what goes to a `callback_url`. */
export function WebhooksScreen() {
  const webhooks = useRead('listWebhooks', {}, { refetchInterval: 15_000 });
  const [adding, setAdding] = useState(false);
  const [created, setCreated] = useState<AnswerOf<'createWebhook'> | null>(null);
  const full = webhooks.data !== undefined && webhooks.data.items.length >= webhooks.data.limit;
  return (
    <Page
      title="Webhooks"
      description="Millrace posts to these addresses when a document is through, signs each delivery, and tries again for a day where it fails."
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
              <Endpoints items={items} />
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

function Endpoints({ items }: { readonly items: AnswerOf<'listWebhooks'>['items'] }) {
  return (
    <ScrollArea viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Table of endpoints' }}>
      <Table striped highlightOnHover verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Address</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Events</Table.Th>
            <Table.Th>Last success</Table.Th>
            <Table.Th>Waiting</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((webhook) => (
            <Table.Tr key={webhook.id}>
              <Table.Td miw={220} style={{ overflowWrap: 'anywhere' }}>
                <TextLink to="/developer/webhooks/$webhookId" params={{ webhookId: webhook.id }}>
                  {webhook.url}
                </TextLink>
              </Table.Td>
              <Table.Td>
                <WebhookMark webhook={webhook} />
              </Table.Td>
              <Table.Td>
                <Lines texts={webhook.events} />
              </Table.Td>
              <Table.Td>
                <Moment at={webhook.lastSuccessAt} absent="Never" />
              </Table.Td>
              <Table.Td>{webhook.waitingCount}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}

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
