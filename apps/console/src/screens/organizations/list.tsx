import { Anchor, TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { optionsOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { Page } from '@millrace/ui/page';
import type { Column } from '@millrace/ui/record-table';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, listQueryOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';

type Organization = DataOf<'listOrganizations'>['organizations'][number];

export function OrganizationState({ state }: Pick<Organization, 'state'>) {
  return <Mark tone={state === 'active' ? 'good' : 'bad'}>{wordsOf(state)}</Mark>;
}

const columns: readonly Column<Organization>[] = [
  {
    title: 'Name',
    sort: 'displayName',
    cell: ({ id, displayName }) => (
      <Anchor
        renderRoot={(root) => <Link {...root} to="/organizations/$organizationId" params={{ organizationId: id }} />}
      >
        {displayName}
      </Anchor>
    ),
  },
  { title: 'Code', sort: 'name', cell: ({ name }) => <code>{name}</code> },
  { title: 'State', cell: ({ state }) => <OrganizationState state={state} /> },
  { title: 'Created', sort: 'createdAt', cell: ({ createdAt }) => <Ago at={createdAt} /> },
];

/** Every organization of the platform, for a Super Admin. */
export function OrganizationList() {
  const search = useSearch({ from: '/shell/organizations' });
  const list = useRead('listOrganizations', { query: listQueryOf(search) });
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title="Organizations"
      description="Each with users, environments and APIs of its own, out of sight of the others."
      actions={
        <PermittedButton permission="organization.write" onClick={() => setCreating(true)}>
          Create an organization
        </PermittedButton>
      }
    >
      <ResourceList
        noun="organizations"
        rows={list.data?.organizations}
        total={list.data?.total}
        loading={list.isFetching}
        error={list.error}
        columns={columns}
        filters={[{ name: 'state', label: 'State', options: optionsOf(['active', 'suspended']) }]}
      />
      <FormDialog title="Create an organization" opened={creating} onClose={() => setCreating(false)}>
        <CreateOrganization onCancel={() => setCreating(false)} />
      </FormDialog>
    </Page>
  );
}

function CreateOrganization({ onCancel }: { readonly onCancel: () => void }) {
  const navigate = useNavigate();
  const create = useWrite('createOrganization');
  const form = useForm({ name: '', displayName: '' }, async (body) => {
    const { id, displayName } = await create.mutateAsync({ body });
    showDone(`${displayName} is created.`);
    await navigate({ to: '/organizations/$organizationId', params: { organizationId: id } });
  });
  return (
    <FormBody form={form} submitLabel="Create" onCancel={onCancel}>
      <TextInput label="Name" required data-autofocus {...form.text('displayName')} />
      <TextInput label="Code" description="Lower-case letters, digits and “-”" required {...form.text('name')} />
    </FormBody>
  );
}
