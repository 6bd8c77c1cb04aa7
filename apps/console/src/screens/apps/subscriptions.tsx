import { Text } from '@mantine/core';
import { FormDialog } from '@millrace/ui/form-dialog';
import { useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { listQueryOf, useRead } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';
import { subscriptionColumns, subscriptionFilters } from '../subscriptions/columns.tsx';
import { SubscribeForm } from '../subscriptions/subscribe-form.tsx';

/** What an app is subscribed to. */
export function AppSubscriptions() {
  const { appId } = useParams({ from: '/shell/apps/$appId/subscriptions' });
  const search = useSearch({ from: '/shell/apps/$appId/subscriptions' });
  const list = useRead('listSubscriptions', { query: { ...listQueryOf(search), appId } });
  const [subscribing, setSubscribing] = useState(false);
  const close = () => setSubscribing(false);
  return (
    <>
      <ResourceList
        noun="subscriptions"
        rows={list.data?.subscriptions}
        total={list.data?.total}
        loading={list.isFetching}
        error={list.error}
        columns={subscriptionColumns.filter(({ title }) => title !== 'App' && title !== 'Developer')}
        filters={subscriptionFilters}
        actions={
          <PermittedButton permission="subscription.write" onClick={() => setSubscribing(true)}>
            Subscribe to a product
          </PermittedButton>
        }
        empty={
          <Text c="dimmed" my="lg">
            It is subscribed to nothing, and may call nothing.
          </Text>
        }
      />
      <FormDialog title="Subscribe to a product" opened={subscribing} onClose={close}>
        <SubscribeForm appId={appId} onClose={close} />
      </FormDialog>
    </>
  );
}
