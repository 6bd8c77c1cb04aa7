import { Alert, Card, Code, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from '@millrace/ui/copy-button';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { Moment, Properties } from '@millrace/ui/values';
import { useParams } from '@tanstack/react-router';
import { type AnswerOf, useRead } from '../../frame/api.ts';
import { NextAttempt } from './delivery-list.tsx';
import { OutcomeMark } from './outcome.tsx';
import { Resend } from './resend.tsx';

type FullDelivery = AnswerOf<'getDelivery'>;
type Body = FullDelivery['request']['body'];

/** One delivery attempt: the whole request and response. */
export function DeliveryScreen() {
  const { deliveryId } = useParams({ from: '/shell/developer/deliveries/$deliveryId' });
  const delivery = useRead('getDelivery', { params: { id: deliveryId } }, { refetchInterval: 5_000 });
  const { data } = delivery;
  return (
    <Page
      title="Delivery"
      mark={data && <OutcomeMark outcome={data.outcome} />}
      description={data?.url}
      crumbs={crumbsOf(data)}
      actions={data && <Resend delivery={data} />}
    >
      <Loaded read={delivery}>{(loaded) => <Content delivery={loaded} />}</Loaded>
    </Page>
  );
}

function crumbsOf(delivery: FullDelivery | undefined) {
  const webhooks = { label: 'Webhooks', to: '/developer/webhooks' } as const;
  if (delivery === undefined) return [webhooks];
  const params = { webhookId: delivery.endpointId ?? 'callbacks' };
  const label = delivery.endpointId === null ? 'Deliveries to a callback_url' : 'Endpoint';
  return [webhooks, { label, to: '/developer/webhooks/$webhookId', params } as const];
}

function Content({ delivery }: { readonly delivery: FullDelivery }) {
  const numbers = useNumbers();
  const { event, attempt, responseStatus, latencyMs, documentId, error, request, response } = delivery;
  return (
    <Stack gap="xl">
      {error !== null && (
        <Alert color={delivery.outcome === 'permanently_failed' ? 'red' : 'yellow'} title="Not delivered">
          {error.message}
          {delivery.outcome === 'permanently_failed' &&
            ' This was the last attempt; nothing more is sent unless you resend it.'}
        </Alert>
      )}
      <Properties
        of={{
          Event: event,
          Sent: <Moment at={delivery.requestedAt} seconds />,
          Attempt: attempt,
          Status: responseStatus ?? 'No response',
          Latency: `${numbers.count(latencyMs)} ms`,
          'Next attempt': <NextAttempt delivery={delivery} />,
          'Delivery ID': <Code>{delivery.id}</Code>,
          Document:
            documentId === null ? (
              'None (test event)'
            ) : (
              <TextLink to="/documents/$documentId" params={{ documentId }}>
                {documentId}
              </TextLink>
            ),
        }}
      />
      {delivery.attempts.length > 1 && <Attempts delivery={delivery} />}
      <Section title="Request">
        <Message head={`${request.method} ${delivery.url}`} headers={request.headers} body={request.body} />
      </Section>
      <Section title="Response">
        {response === null ? (
          <Text c="dimmed">There was no response.</Text>
        ) : (
          <Message head={`Status ${response.status}`} headers={response.headers} body={response.body} />
        )}
      </Section>
    </Stack>
  );
}

function Attempts({ delivery }: { readonly delivery: FullDelivery }) {
  return (
    <Section title="Attempts for this event">
      <RecordTable
        label="Attempts"
        rows={delivery.attempts}
        columns={[
          { title: 'Attempt', cell: ({ attempt }) => attempt },
          {
            title: 'When',
            cell: ({ id, requestedAt }) =>
              id === delivery.id ? (
                <>
                  <Moment at={requestedAt} seconds /> (this one)
                </>
              ) : (
                <TextLink to="/developer/deliveries/$deliveryId" params={{ deliveryId: id }}>
                  <Moment at={requestedAt} seconds />
                </TextLink>
              ),
          },
          { title: 'Outcome', cell: ({ outcome }) => <OutcomeMark outcome={outcome} /> },
        ]}
      />
    </Section>
  );
}

/** Long text wraps, and scrolls if there is a lot of it. */
const wrapped = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: '32rem', overflowY: 'auto' } as const;

/** A request or a response: its first line, headers and body. */
function Message(props: {
  readonly head: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}) {
  const { head, headers, body } = props;
  const numbers = useNumbers();
  const headerText = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
  const text = body.text ?? body.base64 ?? '';
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {head}
        </Text>
        <Code block style={wrapped} tabIndex={0} aria-label="Headers">
          {headerText}
        </Code>
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            Body: {numbers.bytes(body.lengthBytes)}
            {body.text === null && body.base64 !== null && ', as base64 because it isn’t text'}
            {!body.isWhole && ', truncated'}
          </Text>
          {text !== '' && <CopyButton value={text} label="Copy body" />}
        </Group>
        {text !== '' && (
          <Code block style={wrapped} tabIndex={0} aria-label="Body">
            {indented(text)}
          </Code>
        )}
      </Stack>
    </Card>
  );
}

/** JSON on several lines; any other text unchanged. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
