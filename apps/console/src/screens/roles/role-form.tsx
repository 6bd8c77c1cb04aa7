import { showDone } from '@millrace/ui/form';
import { SchemaForm } from '@millrace/ui/schema-form';
import { bodyOf, type DataOf, useWrite } from '../../frame/api.ts';
import { permissionsField } from '../../frame/permission-matrix.tsx';

type Role = DataOf<'getRole'>;

/** Creates a custom role, or edits the given one. */
export function RoleForm(props: {
  readonly role?: Role;
  readonly onCancel?: () => void;
  readonly onSaved: (role: Role) => void;
}) {
  const { role, onCancel, onSaved } = props;
  const create = useWrite('createRole');
  const update = useWrite('updateRole');
  return (
    <SchemaForm
      schema={bodyOf('createRole')}
      initial={role}
      preset={{ permissions: [] }}
      fields={{ permissions: permissionsField }}
      submitLabel={role ? 'Save' : 'Create'}
      onCancel={onCancel}
      send={async (body) => {
        const { id, version } = role ?? {};
        const saved = id
          ? await update.mutateAsync({ params: { roleId: id }, body, version })
          : await create.mutateAsync({ body });
        showDone(id ? 'Role saved. It applies from the next call of its users.' : 'Role created.');
        onSaved(saved);
      }}
    />
  );
}
