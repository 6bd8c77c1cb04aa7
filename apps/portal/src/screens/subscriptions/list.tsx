import { IconPlus } from '@millrace/ui/icons';
import { EmptyList, optionsOf } from '@millrace/ui/list';
import { useList } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { useMay } from '../../frame/session.tsx';
import { texts } from '../../frame/texts.ts';
import { subscriptionColumns } from './columns.tsx';
import { SubscribeForm } from './subscribe-form.tsx';

const words = texts.subscriptions;

/** What the account's apps may call. */
export function SubscriptionList() {
  const may = useMay();
  return (
    <ListScreen
      title={words.title}
      noun={words.noun}
      searchable
      list={useList('listPortalSubscriptions')}
      actions={[
        {
          label: words.subscribe,
          icon: IconPlus,
          primary: true,
          hidden: !may('subscribeInPortal'),
          form: { title: words.subscribe, large: true, body: (close) => <SubscribeForm onClose={close} /> },
        },
      ]}
      filters={[
        {
          name: 'state',
          label: words.state,
          options: optionsOf(['pending', 'approved', 'rejected', 'revoked', 'cancelled']),
        },
      ]}
      columns={subscriptionColumns()}
      empty={<EmptyList>{words.empty}</EmptyList>}
    />
  );
}
