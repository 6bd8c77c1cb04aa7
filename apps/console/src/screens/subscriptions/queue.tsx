import { Group, Text } from '@mantine/core';
import { Page } from '@millrace/ui/page';
import { PageLinks } from '@millrace/ui/page-links';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { listQueryOf, useRead } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { type Subscription, subscriptionColumns } from './columns.tsx';
import { ApproveButton, ReasonDialog, RejectButton } from './decision.tsx';
import { useSubscriptionLinks } from './links.ts';

/** The subscriptions that wait until somebody approves or rejects them. */
export function SubscriptionQueue() {
  const search = useSearch({ from: '/shell/subscriptions/queue' });
  const list = useRead(
    'listSubscriptions',
    { query: { ...listQueryOf(search), state: 'pending' } },
    { refetchInterval: 15_000 },
  );
  const links = useSubscriptionLinks();
  const [rejecting, setRejecting] = useState<Subscription | null>(null);
  return (
    <Page title="Subscriptions waiting for approval" description="Each lets its app call once somebody approves it.">
      <PageLinks label="Subscriptions by state" links={links} />
      <ResourceList
        noun="subscriptions"
        rows={list.data?.subscriptions}
        total={list.data?.total}
        loading={list.isPending}
        error={list.error}
        columns={[
          ...subscriptionColumns.filter(({ title }) => title !== 'State'),
          { title: 'Requested by', cell: ({ requestedByName }) => requestedByName },
          {
            title: 'Decision',
            cell: (subscription) => (
              <Group gap="xs" wrap="nowrap">
                <ApproveButton subscription={subscription} size="compact-sm" />
                <RejectButton
                  subscription={subscription}
                  size="compact-sm"
                  onClick={() => setRejecting(subscription)}
                />
              </Group>
            ),
          },
        ]}
        empty={
          <Text c="dimmed" my="lg">
            None waits: everything is decided.
          </Text>
        }
      />
      {rejecting && <ReasonDialog subscription={rejecting} decision="reject" onClose={() => setRejecting(null)} />}
    </Page>
  );
}
