import { Text } from '@mantine/core';
import { showDone } from '@millrace/ui/form';
import { optionsOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { SchemaForm } from '@millrace/ui/schema-form';
import { SectionLinks } from '@millrace/ui/section-links';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Lines } from '@millrace/ui/values';
import { useNavigate } from '@tanstack/react-router';
import { createAction } from '../../frame/actions.tsx';
import { bodyOf, useList, useWrite } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { ActiveMark } from '../../frame/state-mark.tsx';
import { useRoles, useRolesField } from './roles.ts';

/** Links between the users and the invitations. */
export function UserTabs() {
  return (
    <SectionLinks
      label="Users and invitations"
      sections={[
        { to: '/users', label: 'Users' },
        { to: '/users/invitations', label: 'Invitations' },
      ]}
    />
  );
}

/** Whether a user has set up one-time codes. */
export function OneTimeCodesMark({ enabled }: { readonly enabled: boolean }) {
  return <Mark tone={enabled ? 'good' : 'neutral'}>{enabled ? 'Set up' : 'Not set up'}</Mark>;
}

/** The users of the organization. */
export function UserList() {
  const create = createAction({
    noun: 'user',
    permission: 'user.write',
    body: (close) => <CreateUser onCancel={close} />,
  });
  return (
    <ListScreen
      title="Users"
      description="Who can sign in to this organization, and with which roles."
      noun="users"
      list={useList('listUsers')}
      actions={[create]}
      tabs={<UserTabs />}
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
        { title: 'Roles', cell: ({ roles }) => <Lines texts={roles.map(({ name }) => name)} /> },
        { title: 'State', cell: ({ state }) => <ActiveMark state={state} /> },
        { title: 'One-time codes', cell: ({ mfaEnabled }) => <OneTimeCodesMark enabled={mfaEnabled} /> },
        {
          title: 'Last sign-in',
          sort: 'lastSignInAt',
          cell: ({ lastSignInAt }) => <Ago at={lastSignInAt} absent="Never" />,
        },
      ]}
      filters={[
        { name: 'state', label: 'State', options: optionsOf(['active', 'suspended']) },
        { name: 'roleId', label: 'Role', options: useRoles() },
      ]}
    />
  );
}

function CreateUser({ onCancel }: { readonly onCancel: () => void }) {
  const navigate = useNavigate();
  const create = useWrite('createUser');
  return (
    <SchemaForm
      schema={bodyOf('createUser')}
      order={['name', 'email', 'roleIds', 'password']}
      omit={['timeZone', 'locale']}
      fields={{
        name: { help: null },
        roleIds: useRolesField(),
        password: { kind: 'secret', help: 'If empty, they get an email with a link to choose one' },
      }}
      submitLabel="Create"
      onCancel={onCancel}
      send={async (body) => {
        const { id, name } = await create.mutateAsync({ body });
        showDone(`${name} created.`);
        await navigate({ to: '/users/$userId', params: { userId: id } });
      }}
    >
      <Text size="sm">
        To let people choose their own name and password,{' '}
        <TextLink to="/users/invitations" inherit underline="always">
          invite them
        </TextLink>
        .
      </Text>
    </SchemaForm>
  );
}
