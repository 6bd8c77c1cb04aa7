import { Text } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { Mark } from '@millrace/ui/mark';
import { Page } from '@millrace/ui/page';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { PermissionMatrix } from '../../frame/permission-matrix.tsx';
import { useSession } from '../../frame/session.tsx';
import { RoleForm } from './role-form.tsx';

/** One role: what it permits, and the change of a custom one. */
export function RoleScreen() {
  const { roleId } = useParams({ from: '/shell/roles/$roleId' });
  const read = useRead('getRole', { params: { roleId } });
  return <EntityScreen read={read}>{(data) => <Shown role={data} />}</EntityScreen>;
}

function Shown({ role }: { readonly role: DataOf<'getRole'> }) {
  const { can } = useSession();
  const navigate = useNavigate();
  const remove = useWrite('deleteRole');
  const [deleting, setDeleting] = useState(false);
  const changeable = !role.builtIn && can('role.write');
  return (
    <Page
      title={role.name}
      mark={<Mark tone={role.builtIn ? 'neutral' : 'accent'}>{role.builtIn ? 'Built-in' : 'Custom'}</Mark>}
      description={role.description}
      crumbs={[{ label: 'Roles', to: '/roles' }]}
      actions={
        role.builtIn ? undefined : (
          <PermittedButton
            variant="default"
            c="var(--mantine-color-error)"
            permission="role.write"
            blocked={role.users > 0 && `${role.users} users have this role: give them another first.`}
            onClick={() => setDeleting(true)}
          >
            Delete
          </PermittedButton>
        )
      }
    >
      <Text mb="md" size="sm">
        {role.users === 1 ? 'One user has it.' : `${role.users} users have it.`}
        {role.builtIn && ' It is the same in every organization, and cannot be changed.'}
      </Text>
      {changeable ? (
        <RoleForm key={role.version} role={role} onSaved={() => undefined} />
      ) : (
        <PermissionMatrix chosen={role.permissions} />
      )}
      {deleting && (
        <Confirm
          title={`Delete ${role.name}`}
          action="Delete"
          done={`${role.name} is deleted.`}
          onConfirm={() => remove.mutateAsync({ params: { roleId: role.id }, version: role.version })}
          onDone={() => navigate({ to: '/roles' })}
          onClose={() => setDeleting(false)}
        >
          A role that a user or a pending invitation has cannot be deleted.
        </Confirm>
      )}
    </Page>
  );
}
