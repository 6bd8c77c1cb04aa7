import { Text } from '@mantine/core';
import type { ListSearch } from '@millrace/ui/list-search';
import { useNumbers } from '@millrace/ui/numbers';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Moment } from '@millrace/ui/values';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type ArgumentsOf, useRead } from '../../frame/api.ts';
import { CursorList } from '../../frame/cursor-list.tsx';
import { type Delivery, OutcomeMark, outcomeOptions } from './outcome.tsx';
import { Resend } from './resend.tsx';

/** The latest attempts for one endpoint, or with `callbacks` for every `callback_url`; new ones appear live. */
export function DeliveryList(props: { readonly endpointId: string; readonly actions: ReactNode }) {
  const { endpointId, actions } = props;
  const search = useSearch({ strict: false }) as ListSearch;
  const query = { ...search, endpointId } as NonNullable<ArgumentsOf<'listDeliveries'>['query']>;
  const deliveries = useRead('listDeliveries', { query }, { refetchInterval: 3_000 });
  const numbers = useNumbers();
  return (
    <CursorList
      noun="deliveries"
      read={deliveries}
      filters={[{ name: 'outcome', label: 'Outcome', options: outcomeOptions }]}
      actions={actions}
      columns={[
        {
          title: 'When',
          cell: ({ id, requestedAt, event }) => (
            <>
              <TextLink to="/developer/deliveries/$deliveryId" params={{ deliveryId: id }}>
                <Moment at={requestedAt} seconds />
              </TextLink>
              <Text size="xs" c="dimmed">
                {event}
              </Text>
            </>
          ),
        },
        { title: 'Outcome', cell: ({ outcome }) => <OutcomeMark outcome={outcome} /> },
        { title: 'Status', cell: (delivery) => <StatusText delivery={delivery} /> },
        { title: 'Latency', align: 'end', cell: ({ latencyMs }) => `${numbers.count(latencyMs)} ms` },
        { title: 'Attempt', align: 'end', cell: ({ attempt }) => attempt },
        { title: 'Next attempt', cell: (delivery) => <NextAttempt delivery={delivery} /> },
        {
          title: 'Document',
          cell: ({ documentId }) =>
            documentId === null ? (
              '–'
            ) : (
              <TextLink to="/documents/$documentId" params={{ documentId }} aria-label={`Open document ${documentId}`}>
                Open
              </TextLink>
            ),
        },
        { title: 'Actions', cell: (delivery) => <Resend delivery={delivery} inTable /> },
      ]}
    />
  );
}

/** The receiver's response, or why there was none. */
function StatusText({ delivery }: { readonly delivery: Delivery }) {
  if (delivery.responseStatus !== null) return delivery.responseStatus;
  return (
    <Text size="sm" maw={220} lineClamp={2} title={delivery.error?.message}>
      {delivery.error?.message ?? '–'}
    </Text>
  );
}

/** When an event is retried. */
export function NextAttempt({ delivery }: { readonly delivery: Delivery }) {
  if (delivery.heldBack) return 'When resumed';
  return <Ago at={delivery.nextAttemptAt} absent="None" />;
}
