import { IconPlus } from '@millrace/ui/icons';
import { Mark } from '@millrace/ui/mark';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { useNavigate } from '@tanstack/react-router';
import { useList } from '../../frame/api.ts';
import { useEnvironments } from '../../frame/environments.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { TargetServerForm } from './target-server-form.tsx';

/** Whether a target server takes calls. */
export function EnabledMark({ enabled }: { readonly enabled: boolean }) {
  return <Mark tone={enabled ? 'good' : 'neutral'}>{enabled ? 'Enabled' : 'Disabled'}</Mark>;
}

/** The target servers of every environment. */
export function TargetServerList() {
  const { nameOf, options } = useEnvironments();
  const navigate = useNavigate();
  const opened = (targetServerId: string) =>
    navigate({ to: '/target-servers/$targetServerId', params: { targetServerId } });
  return (
    <ListScreen
      title="Target servers"
      description="The backends that routes send calls to: one name, with an address in each environment."
      noun="target servers"
      list={useList('listTargetServers')}
      actions={[
        {
          label: 'Create target server',
          icon: IconPlus,
          primary: true,
          permission: 'target-server.write',
          form: {
            title: 'Create target server',
            large: true,
            body: (close) => <TargetServerForm onCancel={close} onSaved={({ id }) => opened(id)} />,
          },
        },
      ]}
      columns={[
        {
          title: 'Name',
          sort: 'name',
          cell: ({ id, name }) => (
            <TextLink to="/target-servers/$targetServerId" params={{ targetServerId: id }}>
              {name}
            </TextLink>
          ),
        },
        { title: 'Environment', cell: ({ environmentId }) => nameOf(environmentId) },
        {
          title: 'Address',
          sort: 'host',
          cell: ({ scheme, host, port, endpoints }) => (
            <>
              <code>
                {scheme}://{host}:{port}
              </code>
              {endpoints.length > 0 && ` + ${endpoints.length} more`}
            </>
          ),
        },
        { title: 'State', cell: ({ enabled }) => <EnabledMark enabled={enabled} /> },
        { title: 'Description', cell: ({ description }) => description },
        { title: 'Updated', sort: 'updatedAt', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
      ]}
      hiddenColumns={['Description']}
      filters={[
        { name: 'environmentId', label: 'Environment', options },
        {
          name: 'enabled',
          label: 'State',
          options: [
            { value: 'true', label: 'Enabled' },
            { value: 'false', label: 'Disabled' },
          ],
        },
      ]}
    />
  );
}
