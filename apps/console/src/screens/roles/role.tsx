import { Text } from '@mantine/core';
import { Page } from '@millrace/ui/page';
import { useNavigate, useParams } from '@tanstack/react-router';
import { deleteAction, PermittedActions } from '../../frame/actions.tsx';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { PermissionMatrix } from '../../frame/permission-matrix.tsx';
import { useSession } from '../../frame/session.tsx';
import { RoleMark } from './list.tsx';
import { RoleForm } from './role-form.tsx';

/** One role, with its permissions. A custom one can be edited. */
export function RoleScreen() {
  const { roleId } = useParams({ from: '/shell/roles/$roleId' });
  const read = useRead('getRole', { params: { roleId } });
  return <EntityScreen read={read}>{(data) => <Shown role={data} />}</EntityScreen>;
}

function Shown({ role }: { readonly role: DataOf<'getRole'> }) {
  const { id, name, description, builtIn, users, permissions, version } = role;
  const { can } = useSession();
  const navigate = useNavigate();
  const remove = useWrite('deleteRole');
  const actions = [
    deleteAction({
      name,
      permission: 'role.write',
      blocked: users > 0 && `${users} users have this role: give them another first.`,
      text: 'Possible only while no user and no pending invitation has it.',
      run: () => remove.mutateAsync({ params: { roleId: id }, version }),
      onDone: () => navigate({ to: '/roles' }),
    }),
  ];
  return (
    <Page
      title={name}
      mark={<RoleMark builtIn={builtIn} />}
      description={description}
      crumbs={[{ label: 'Roles', to: '/roles' }]}
      actions={<PermittedActions actions={builtIn ? [] : actions} />}
    >
      <Text mb="md" size="sm">
        {users === 1 ? '1 user has this role.' : `${users} users have this role.`}
        {builtIn && ' It is the same in every organization, and can’t be changed.'}
      </Text>
      {!builtIn && can('role.write') ? (
        <RoleForm key={version} role={role} onSaved={() => undefined} />
      ) : (
        <PermissionMatrix chosen={permissions} />
      )}
    </Page>
  );
}
