import { FormDialog } from '@millrace/ui/form-dialog';
import { Page } from '@millrace/ui/page';
import { PageLinks } from '@millrace/ui/page-links';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { listQueryOf, useRead } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';
import { subscriptionColumns, subscriptionFilters } from './columns.tsx';
import { useSubscriptionLinks } from './links.ts';
import { SubscribeForm } from './subscribe-form.tsx';

/** Which apps are subscribed to which products. */
export function SubscriptionList() {
  const search = useSearch({ from: '/shell/subscriptions' });
  const list = useRead('listSubscriptions', { query: listQueryOf(search) });
  const links = useSubscriptionLinks();
  const [subscribing, setSubscribing] = useState(false);
  const close = () => setSubscribing(false);
  return (
    <Page
      title="Subscriptions"
      description="Which apps may call what which products bundle."
      actions={
        <PermittedButton permission="subscription.write" onClick={() => setSubscribing(true)}>
          Subscribe an app
        </PermittedButton>
      }
    >
      <PageLinks label="Subscriptions by state" links={links} />
      <ResourceList
        noun="subscriptions"
        rows={list.data?.subscriptions}
        total={list.data?.total}
        loading={list.isFetching}
        error={list.error}
        columns={subscriptionColumns}
        filters={subscriptionFilters}
      />
      <FormDialog title="Subscribe an app" opened={subscribing} onClose={close}>
        <SubscribeForm onClose={close} />
      </FormDialog>
    </Page>
  );
}
