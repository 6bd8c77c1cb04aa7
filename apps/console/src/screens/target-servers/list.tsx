import { choiceOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { useNavigate } from '@tanstack/react-router';
import { createAction } from '../../frame/actions.tsx';
import { useList } from '../../frame/api.ts';
import { useEnvironments } from '../../frame/environments.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { TargetServerForm } from './target-server-form.tsx';

const route = '/target-servers/$targetServerId';

/** Whether calls can go to a target server. */
export function EnabledMark({ enabled }: { readonly enabled: boolean }) {
  return <Mark tone={enabled ? 'good' : 'neutral'}>{enabled ? 'Enabled' : 'Disabled'}</Mark>;
}

/** The target servers of every environment. */
export function TargetServerList() {
  const { nameOf, options } = useEnvironments();
  const navigate = useNavigate();
  const open = ({ id }: { readonly id: string }) => navigate({ to: route, params: { targetServerId: id } });
  return (
    <ListScreen
      title="Target servers"
      description="The backends of your routes, with an address in each environment."
      noun="target servers"
      list={useList('listTargetServers')}
      actions={[
        createAction({
          noun: 'target server',
          permission: 'target-server.write',
          large: true,
          body: (close) => <TargetServerForm onCancel={close} onSaved={open} />,
        }),
      ]}
      columns={[
        {
          title: 'Name',
          sort: 'name',
          cell: ({ id, name }) => (
            <TextLink to={route} params={{ targetServerId: id }}>
              {name}
            </TextLink>
          ),
        },
        { title: 'Environment', cell: ({ environmentId }) => nameOf(environmentId) },
        {
          title: 'Address',
          sort: 'host',
          cell: ({ scheme, host, port }) => <code>{`${scheme}://${host}:${port}`}</code>,
        },
        { title: 'More hosts', align: 'end', cell: ({ endpoints }) => endpoints.length || '–' },
        { title: 'State', cell: ({ enabled }) => <EnabledMark enabled={enabled} /> },
        { title: 'Description', cell: ({ description }) => description },
        { title: 'Updated', sort: 'updatedAt', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
      ]}
      hiddenColumns={['Description']}
      filters={[
        { name: 'environmentId', label: 'Environment', options },
        choiceOf('enabled', 'State', 'Enabled', 'Disabled'),
      ]}
    />
  );
}
