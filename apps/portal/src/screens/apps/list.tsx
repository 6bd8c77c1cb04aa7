import { IconPlus } from '@millrace/ui/icons';
import { EmptyList } from '@millrace/ui/list';
import { useNumbers } from '@millrace/ui/numbers';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { useNavigate } from '@tanstack/react-router';
import { useList } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { useMay } from '../../frame/session.tsx';
import { StateMark } from '../../frame/state-mark.tsx';
import { texts } from '../../frame/texts.ts';
import { AppForm } from './app-form.tsx';

const words = texts.apps;

/** The account's apps. */
export function AppList() {
  const may = useMay();
  const navigate = useNavigate();
  const numbers = useNumbers();
  return (
    <ListScreen
      title={words.title}
      noun={words.noun}
      description={words.description}
      searchable
      list={useList('listPortalApps')}
      actions={[
        {
          label: words.create,
          icon: IconPlus,
          primary: true,
          hidden: !may('createPortalApp'),
          form: {
            title: words.create,
            body: (close) => (
              <AppForm
                onCancel={close}
                onSaved={({ id }) => navigate({ to: '/account/apps/$appId', params: { appId: id } })}
              />
            ),
          },
        },
      ]}
      columns={[
        {
          title: words.name,
          sort: 'displayName',
          cell: ({ id, displayName }) => (
            <TextLink to="/account/apps/$appId" params={{ appId: id }}>
              {displayName}
            </TextLink>
          ),
        },
        { title: words.state, cell: ({ state }) => <StateMark state={state} /> },
        { title: words.keys, align: 'end', cell: ({ credentials }) => numbers.count(credentials) },
        { title: words.subscriptions, align: 'end', cell: ({ subscriptions }) => numbers.count(subscriptions) },
        { title: words.created, cell: ({ createdAt }) => <Ago at={createdAt} /> },
      ]}
      empty={<EmptyList>{words.empty}</EmptyList>}
    />
  );
}
