import { showDone } from '@millrace/ui/form';
import { optionsOf } from '@millrace/ui/list';
import { SchemaForm } from '@millrace/ui/schema-form';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { useNavigate } from '@tanstack/react-router';
import { createAction } from '../../frame/actions.tsx';
import { bodyOf, useList, useWrite } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { ActiveMark } from '../../frame/state-mark.tsx';

const route = '/organizations/$organizationId';

/** Every organization of the platform, for a Super Admin. */
export function OrganizationList() {
  return (
    <ListScreen
      title="Organizations"
      description="Each has its own users, environments and APIs, invisible to the others."
      noun="organizations"
      list={useList('listOrganizations')}
      actions={[
        createAction({
          noun: 'organization',
          permission: 'organization.write',
          body: (close) => <CreateOrganization onCancel={close} />,
        }),
      ]}
      columns={[
        {
          title: 'Name',
          sort: 'displayName',
          cell: ({ id, displayName }) => (
            <TextLink to={route} params={{ organizationId: id }}>
              {displayName}
            </TextLink>
          ),
        },
        { title: 'Code', sort: 'name', cell: ({ name }) => <code>{name}</code> },
        { title: 'State', cell: ({ state }) => <ActiveMark state={state} /> },
        { title: 'Created', sort: 'createdAt', cell: ({ createdAt }) => <Ago at={createdAt} /> },
      ]}
      filters={[{ name: 'state', label: 'State', options: optionsOf(['active', 'suspended']) }]}
    />
  );
}

function CreateOrganization({ onCancel }: { readonly onCancel: () => void }) {
  const navigate = useNavigate();
  const create = useWrite('createOrganization');
  return (
    <SchemaForm
      schema={bodyOf('createOrganization')}
      order={['displayName']}
      fields={{
        displayName: { label: 'Name' },
        name: { label: 'Code', help: 'Lower-case letters, digits and hyphens', nameOf: 'displayName' },
      }}
      submitLabel="Create"
      onCancel={onCancel}
      send={async (body) => {
        const { id, displayName } = await create.mutateAsync({ body });
        showDone(`${displayName} created.`);
        await navigate({ to: route, params: { organizationId: id } });
      }}
    />
  );
}
