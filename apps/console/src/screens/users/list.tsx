import { Text, TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { optionsOf } from '@millrace/ui/list';
import { Page } from '@millrace/ui/page';
import { PageLinks } from '@millrace/ui/page-links';
import { PasswordField } from '@millrace/ui/password-field';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Lines } from '@millrace/ui/values';
import { Link, useNavigate } from '@tanstack/react-router';
import { createAction, PermittedActions } from '../../frame/actions.tsx';
import { useList, useWrite } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { ActiveMark } from '../../frame/state-mark.tsx';
import { RolesField, useRoles } from './roles-field.tsx';

export const peopleLinks = [
  { to: '/users', label: 'Users' },
  { to: '/users/invitations', label: 'Invitations' },
] as const;

/** The users of the organization. */
export function UserList() {
  const list = useList('listUsers');
  const roles = useRoles();
  const create = createAction({
    noun: 'user',
    permission: 'user.write',
    body: (close) => <CreateUser onCancel={close} />,
  });
  return (
    <Page
      title="Users"
      description="Who can sign in to this organization, and with which roles."
      actions={<PermittedActions actions={[create]} />}
    >
      <PageLinks label="Users and invitations" links={peopleLinks} />
      <ResourceList
        {...list}
        noun="users"
        columns={[
          {
            title: 'Name',
            sort: 'name',
            cell: ({ id, name }) => (
              <TextLink to="/users/$userId" params={{ userId: id }}>
                {name}
              </TextLink>
            ),
          },
          { title: 'Email', sort: 'email', cell: ({ email }) => email },
          { title: 'Roles', cell: (user) => <Lines texts={user.roles.map(({ name }) => name)} /> },
          { title: 'State', cell: ({ state }) => <ActiveMark state={state} /> },
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
      showDone(`${name} created.`);
      await navigate({ to: '/users/$userId', params: { userId: id } });
    },
  );
  return (
    <FormBody form={form} submitLabel="Create" onCancel={onCancel}>
      <Text size="sm">
        To let people choose their name and password, <Link to="/users/invitations">invite them</Link>.
      </Text>
      <TextInput label="Name" required data-autofocus autoComplete="off" {...form.text('name')} />
      <TextInput label="Email" type="email" required autoComplete="off" {...form.text('email')} />
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
