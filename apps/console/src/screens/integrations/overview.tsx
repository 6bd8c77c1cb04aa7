import { Alert, Stack, Text } from '@mantine/core';
import { showFailure } from '@millrace/ui/form';
import { LinkList } from '@millrace/ui/link-list';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Section } from '@millrace/ui/page';
import { Ago, Lines, Moment, Properties } from '@millrace/ui/values';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { Can, PermittedButton } from '../../frame/can.tsx';
import { DeliveryBody } from './delivery.tsx';
import type { Integration } from './kinds.tsx';
import { targetOf } from './target.ts';

/** What an integration sends, whether it works, and what notifies it. */
export function IntegrationOverview() {
  const { integrationId } = useParams({ from: '/shell/integrations/$integrationId/' });
  const read = useRead('getIntegration', { params: { integrationId } });
  return (
    <Loaded read={read}>
      {(integration) => (
        <Stack gap="lg">
          {integration.health === 'failing' && (
            <Alert color="red" title="Deliveries fail">
              {integration.lastError} Since <Moment at={integration.failingSince} />.
            </Alert>
          )}
          <Properties of={propertiesOf(integration)} />
          {/* A key of its own: what came of testing one integration is nothing that another one shows. */}
          <Test key={integrationId} integrationId={integrationId} />
          <Can anyOf={['alert.read']}>
            <UsedBy integrationId={integrationId} />
          </Can>
        </Stack>
      )}
    </Loaded>
  );
}

function propertiesOf(integration: Integration): Readonly<Record<string, ReactNode>> {
  const { settings, hasSecret, previousSecretValidUntil, lastAttemptAt, lastDeliveredAt, lastError, stream } =
    integration;
  return {
    'Sends to': <span style={{ overflowWrap: 'anywhere' }}>{targetOf(settings)}</span>,
    ...settingsOf(settings),
    Secret: hasSecret ? 'Stored' : 'None',
    'Previous secret': previousSecretValidUntil !== null && (
      <>
        Also signs until <Moment at={previousSecretValidUntil} />
      </>
    ),
    'Last attempt': <Ago at={lastAttemptAt} absent="None yet" />,
    'Last delivered': <Ago at={lastDeliveredAt} absent="Nothing yet" />,
    'Last error': lastError,
    ...(stream === null
      ? { Waiting: integration.queued }
      : {
          'Sent up to': <Moment at={stream.sentUpTo} absent="Nothing yet" seconds />,
          Waiting: <Waiting count={stream.waiting} />,
        }),
  };
}

function Waiting({ count }: { readonly count: number }) {
  return useNumbers().count(count);
}

function settingsOf(settings: Integration['settings']): Readonly<Record<string, ReactNode>> {
  switch (settings.kind) {
    case 'email':
      return {
        Server: settings.server === null ? 'The platform’s' : `${settings.server.host}:${settings.server.port}`,
        Events: eventsOf(settings.events),
      };
    case 'slack':
    case 'webhook':
      return { Events: eventsOf(settings.events) };
    case 'pagerduty':
      return {};
    case 'opentelemetry':
      return { Header: settings.headerName ?? 'None' };
    case 'siem':
      return {
        Transport: settings.transport === 'tls' ? 'TLS' : 'TCP',
        Format: settings.format === 'json' ? 'JSON lines' : 'CEF',
        'TLS server name': settings.transport === 'tls' && (settings.serverName ?? 'The host'),
        'Certificate authorities':
          settings.transport === 'tls' && (settings.certificateAuthorities === null ? 'Public' : 'Custom'),
        'Client certificate':
          settings.transport === 'tls' && (settings.clientCertificate === null ? 'None' : 'Set (mTLS)'),
      };
  }
}

function eventsOf(events: readonly string[]): ReactNode {
  return events.length === 0 ? 'Only incidents of alert rules that name it' : <Lines texts={events} />;
}

function Test({ integrationId }: { readonly integrationId: string }) {
  const { data, isPending, mutateAsync } = useWrite('testIntegration');
  const test = () => mutateAsync({ params: { integrationId } }).catch(showFailure);
  return (
    <Section
      title="Test"
      description="Sends a real message, once."
      actions={
        <PermittedButton variant="default" permission="integration.write" loading={isPending} onClick={test}>
          Send test
        </PermittedButton>
      }
    >
      <div aria-live="polite">{data ? <Answer delivery={data} /> : <Text size="sm">Not tested yet.</Text>}</div>
    </Section>
  );
}

function Answer({ delivery }: { readonly delivery: DataOf<'testIntegration'> }) {
  const error = delivery.attempts.at(-1)?.error ?? null;
  const title =
    error === null && delivery.state === 'delivered' ? 'Delivered' : (error?.message ?? 'Not delivered yet');
  return (
    <Alert color={delivery.state === 'delivered' ? 'green' : 'red'} title={title}>
      <DeliveryBody delivery={delivery} />
    </Alert>
  );
}

function UsedBy({ integrationId }: { readonly integrationId: string }) {
  const rules = useRead('listAlertRules', { query: { integrationId, pageSize: 100 } });
  return (
    <Section title="Alert rules that notify it">
      <Loaded read={rules}>
        {({ alertRules }) => (
          <LinkList
            empty="None."
            links={alertRules.map(({ id, name }) => ({ to: `/alert-rules/${id}`, label: name }))}
          />
        )}
      </Loaded>
    </Section>
  );
}
