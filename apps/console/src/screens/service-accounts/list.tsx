import { EmptyList, optionsOf } from '@millrace/ui/list';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { useNavigate } from '@tanstack/react-router';
import { createAction } from '../../frame/actions.tsx';
import { useList } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { ActiveMark } from '../../frame/state-mark.tsx';
import { ServiceAccountForm } from './service-account-form.tsx';

const route = '/service-accounts/$serviceAccountId';

/** The service accounts of the organization. */
export function ServiceAccountList() {
  const navigate = useNavigate();
  const open = ({ id }: { readonly id: string }) => navigate({ to: route, params: { serviceAccountId: id } });
  return (
    <ListScreen
      title="Service accounts"
      description="For pipelines and tools: each calls the management API with its own tokens."
      noun="service accounts"
      list={useList('listServiceAccounts')}
      actions={[
        createAction({
          noun: 'service account',
          permission: 'service-account.write',
          large: true,
          body: (close) => <ServiceAccountForm onCancel={close} onSaved={open} />,
        }),
      ]}
      columns={[
        {
          title: 'Name',
          sort: 'name',
          cell: ({ id, name }) => (
            <TextLink to={route} params={{ serviceAccountId: id }}>
              {name}
            </TextLink>
          ),
        },
        { title: 'Description', cell: ({ description }) => description },
        { title: 'State', cell: ({ state }) => <ActiveMark state={state} /> },
        { title: 'Permissions', align: 'end', cell: ({ permissions }) => permissions.length },
        { title: 'Tokens', align: 'end', cell: ({ tokens }) => tokens.length },
        { title: 'Owners', cell: ({ owners }) => owners.map(({ id, name }) => name ?? id).join(', ') },
        { title: 'Updated', sort: 'updatedAt', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
      ]}
      hiddenColumns={['Description']}
      filters={[{ name: 'state', label: 'State', options: optionsOf(['active', 'suspended']) }]}
      empty={<EmptyList>No service accounts yet. Create one for a pipeline or a tool.</EmptyList>}
    />
  );
}
