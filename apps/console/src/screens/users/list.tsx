import { Anchor, Text, TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { optionsOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { Page } from '@millrace/ui/page';
import { PageLinks } from '@millrace/ui/page-links';
import { PasswordField } from '@millrace/ui/password-field';
import { Ago, Lines } from '@millrace/ui/values';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { listQueryOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';
import { RolesField, useRoles } from './roles-field.tsx';

export const peopleLinks = [
  { to: '/users', label: 'Users' },
  { to: '/users/invitations', label: 'Invitations' },
] as const;

/** Whether somebody can sign in. */
export function UserState({ state }: { readonly state: 'active' | 'suspended' }) {
  return <Mark tone={state === 'active' ? 'good' : 'bad'}>{state === 'active' ? 'Active' : 'Suspended'}</Mark>;
}

/** The users of the organization. */
export function UserList() {
  const search = useSearch({ from: '/shell/users' });
  const list = useRead('listUsers', { query: listQueryOf(search) });
  const roles = useRoles();
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title="Users"
      description="Who can sign in to this organization, and in which roles."
      actions={
        <PermittedButton permission="user.write" onClick={() => setCreating(true)}>
          Create a user
        </PermittedButton>
      }
    >
      <PageLinks label="Users and invitations" links={peopleLinks} />
      <ResourceList
        noun="users"
        rows={list.data?.users}
        total={list.data?.total}
        loading={list.isFetching}
        error={list.error}
        columns={[
          {
            title: 'Name',
            sort: 'name',
            cell: ({ id, name }) => (
              <Anchor renderRoot={(root) => <Link {...root} to="/users/$userId" params={{ userId: id }} />}>
                {name}
              </Anchor>
            ),
          },
          { title: 'E-mail address', sort: 'email', cell: ({ email }) => email },
          { title: 'Roles', cell: (user) => <Lines texts={user.roles.map(({ name }) => name)} /> },
          { title: 'State', cell: ({ state }) => <UserState state={state} /> },
          {
            title: 'Last sign-in',
            sort: 'lastSignInAt',
            cell: ({ lastSignInAt }) => <Ago at={lastSignInAt} absent="Never" />,
          },
        ]}
        filters={[
          { name: 'state', label: 'State', options: optionsOf(['active', 'suspended']) },
          { name: 'roleId', label: 'Role', options: roles },
        ]}
      />
      <FormDialog title="Create a user" opened={creating} onClose={() => setCreating(false)}>
        <CreateUser onCancel={() => setCreating(false)} />
      </FormDialog>
    </Page>
  );
}

function CreateUser({ onCancel }: { readonly onCancel: () => void }) {
  const navigate = useNavigate();
  const create = useWrite('createUser');
  const form = useForm(
    { name: '', email: '', roleIds: [] as string[], password: '' },
    async ({ password, ...person }) => {
      const body = password === '' ? person : { ...person, password };
      const { id, name } = await create.mutateAsync({ body });
      showDone(`${name} is created.`);
      await navigate({ to: '/users/$userId', params: { userId: id } });
    },
  );
  return (
    <FormBody form={form} submitLabel="Create" onCancel={onCancel}>
      <Text size="sm">
        To let somebody choose name and password themselves, <Link to="/users/invitations">invite them</Link>.
      </Text>
      <TextInput label="Name" required data-autofocus autoComplete="off" {...form.text('name')} />
      <TextInput label="E-mail address" type="email" required autoComplete="off" {...form.text('email')} />
      <RolesField
        value={form.values.roleIds}
        onChange={(roleIds) => form.set('roleIds', roleIds)}
        error={form.errorAt('roleIds')}
      />
      <PasswordField
        label="Password"
        description="Without one, a link to choose it is sent"
        autoComplete="new-password"
        {...form.text('password')}
      />
    </FormBody>
  );
}
