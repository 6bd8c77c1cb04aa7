import { ActionBar } from '@millrace/ui/action-bar';
import { IconPlus } from '@millrace/ui/icons';
import { EmptyList } from '@millrace/ui/list';
import { Loaded, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { useRead } from '../../frame/api.ts';
import { useMay } from '../../frame/session.tsx';
import { texts } from '../../frame/texts.ts';
import { subscriptionColumns } from '../subscriptions/columns.tsx';
import { SubscribeForm } from '../subscriptions/subscribe-form.tsx';

const words = texts.subscriptions;

/** What an app may call. */
export function AppSubscriptions({ appId }: { readonly appId: string }) {
  const may = useMay();
  const read = useRead('listPortalSubscriptions', { query: { appId, pageSize: '100' } });
  return (
    <Section
      title={words.title}
      actions={
        <ActionBar
          actions={[
            {
              label: words.subscribe,
              icon: IconPlus,
              hidden: !may('subscribeInPortal'),
              form: {
                title: words.subscribe,
                large: true,
                body: (close) => <SubscribeForm appId={appId} onClose={close} />,
              },
            },
          ]}
        />
      }
    >
      <Loaded read={read}>
        {({ subscriptions }) =>
          subscriptions.length === 0 ? (
            <EmptyList>{words.emptyOfApp}</EmptyList>
          ) : (
            <RecordTable
              label={words.title}
              rows={subscriptions}
              columns={subscriptionColumns().filter(({ title }) => title !== words.app)}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
