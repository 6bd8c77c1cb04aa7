import { EmptyList, optionsOf } from '@millrace/ui/list';
import { useNumbers } from '@millrace/ui/numbers';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Moment } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useParams } from '@tanstack/react-router';
import { type PermittedAction, RowActions } from '../../frame/actions.tsx';
import { useList, useRead, useWrite } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { type Delivery, DeliveryBody, DeliveryMark, deliveryStates } from './delivery.tsx';

/** What an integration sent, and what came back. */
export function IntegrationDeliveries() {
  const { integrationId } = useParams({ from: '/shell/integrations/$integrationId/deliveries' });
  const resend = useWrite('resendIntegrationDelivery');
  const events = useRead('listEvents', { query: { pageSize: 100 } });
  const numbers = useNumbers();
  const actionsOf = (delivery: Delivery): readonly PermittedAction[] => [
    {
      label: 'Show',
      name: `Show ${delivery.kind} of ${delivery.subject.id}`,
      form: { title: delivery.kind, large: true, body: () => <DeliveryBody delivery={delivery} /> },
    },
    {
      label: 'Resend',
      name: `Resend ${delivery.kind} of ${delivery.subject.id}`,
      permission: 'integration.write',
      hidden: delivery.state === 'queued',
      run: () => resend.mutateAsync({ params: { integrationId, deliveryId: delivery.id } }),
      done: 'Queued again, with the same notification id.',
    },
  ];
  return (
    <ResourceList
      {...useList('listIntegrationDeliveries', { integrationId }, { refetchInterval: 5_000 })}
      noun="deliveries"
      columns={[
        { title: 'Kind', sort: 'kind', cell: ({ kind }) => kind },
        { title: 'State', sort: 'state', cell: ({ state }) => <DeliveryMark state={state} /> },
        {
          title: 'About',
          cell: ({ subject }) =>
            subject.type === 'incident' ? (
              <TextLink to="/incidents/$incidentId" params={{ incidentId: subject.id }}>
                Incident
              </TextLink>
            ) : (
              wordsOf(subject.type)
            ),
        },
        {
          title: 'Answer',
          cell: ({ attempts }) => {
            const last = attempts.at(-1);
            if (last === undefined) return '–';
            return last.error?.message ?? `${last.status ?? 'Accepted'} in ${numbers.decimal(last.latencyMs, 0)} ms`;
          },
        },
        { title: 'Attempts', align: 'end', cell: ({ attemptCount }) => attemptCount },
        { title: 'Next attempt', cell: ({ nextAttemptAt }) => <Moment at={nextAttemptAt} seconds /> },
        { title: 'Created', sort: 'createdAt', cell: ({ createdAt }) => <Ago at={createdAt} /> },
        { title: 'Actions', cell: (delivery) => <RowActions actions={actionsOf(delivery)} /> },
      ]}
      filters={[
        { name: 'state', label: 'State', options: optionsOf(deliveryStates) },
        {
          name: 'kind',
          label: 'Kind',
          options: (events.data?.events ?? []).map(({ kind }) => ({ value: kind, label: kind })),
        },
      ]}
      empty={<EmptyList>Nothing sent in the last 30 days.</EmptyList>}
    />
  );
}
