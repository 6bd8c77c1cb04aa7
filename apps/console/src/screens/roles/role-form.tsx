import { showDone } from '@millrace/ui/form';
import { type DataOf, useWrite } from '../../frame/api.ts';
import { PermissionHolderForm } from '../../frame/permission-holder-form.tsx';

type Role = DataOf<'getRole'>;

/** Makes a custom role, or changes the given one. */
export function RoleForm(props: {
  readonly role?: Role;
  readonly onCancel?: () => void;
  readonly onSaved: (role: Role) => void;
}) {
  const { role } = props;
  const create = useWrite('createRole');
  const update = useWrite('updateRole');
  return (
    <PermissionHolderForm
      holder={role}
      submitLabel={role ? 'Save' : 'Make the role'}
      onCancel={props.onCancel}
      onSend={async (body) => {
        const saved = role
          ? await update.mutateAsync({ params: { roleId: role.id }, body, version: role.version })
          : await create.mutateAsync({ body });
        showDone(role ? 'The role is changed; it holds from the next call of its users.' : 'The role is made.');
        props.onSaved(saved);
      }}
    />
  );
}
