import { choiceOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { TextLink } from '@millrace/ui/text-link';
import { useNavigate } from '@tanstack/react-router';
import { createAction } from '../../frame/actions.tsx';
import { useList } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { RoleForm } from './role-form.tsx';

const route = '/roles/$roleId';

export function RoleMark({ builtIn }: { readonly builtIn: boolean }) {
  return <Mark tone={builtIn ? 'neutral' : 'accent'}>{builtIn ? 'Built-in' : 'Custom'}</Mark>;
}

/** The built-in and the custom roles. */
export function RoleList() {
  const navigate = useNavigate();
  const open = ({ id }: { readonly id: string }) => navigate({ to: route, params: { roleId: id } });
  return (
    <ListScreen
      title="Roles"
      description="Sets of permissions for users. Built-in roles can’t be changed."
      noun="roles"
      list={useList('listRoles')}
      actions={[
        createAction({
          noun: 'role',
          permission: 'role.write',
          large: true,
          body: (close) => <RoleForm onCancel={close} onSaved={open} />,
        }),
      ]}
      columns={[
        {
          title: 'Name',
          sort: 'name',
          cell: ({ id, name }) => (
            <TextLink to={route} params={{ roleId: id }}>
              {name}
            </TextLink>
          ),
        },
        { title: 'Description', cell: ({ description }) => description },
        { title: 'Type', cell: ({ builtIn }) => <RoleMark builtIn={builtIn} /> },
        { title: 'Permissions', align: 'end', cell: ({ permissions }) => permissions.length },
        { title: 'Users', align: 'end', cell: ({ users }) => users },
      ]}
      filters={[choiceOf('builtIn', 'Type', 'Built-in', 'Custom')]}
    />
  );
}
