import { Textarea, TextInput } from '@mantine/core';
import { type DataOf, useWrite, type WriteOf } from '../../frame/api.ts';
import { showDone, useForm } from '../../frame/form.ts';
import { FormBody } from '../../frame/form-dialog.tsx';
import { PermissionMatrix } from '../../frame/permission-matrix.tsx';

type Role = DataOf<'getRole'>;
type PermissionNames = WriteOf<'createRole'>['body']['permissions'];

/** Makes a custom role, or changes the given one. */
export function RoleForm(props: {
  readonly role?: Role;
  readonly onCancel?: () => void;
  readonly onSaved: (role: Role) => void;
}) {
  const { role } = props;
  const create = useWrite('createRole');
  const update = useWrite('updateRole');
  const form = useForm(
    {
      name: role?.name ?? '',
      description: role?.description ?? '',
      // The catalogue that they are chosen from is the one that the server checks them against.
      permissions: [...(role?.permissions ?? [])] as PermissionNames,
    },
    async (body) => {
      const saved = role
        ? await update.mutateAsync({ params: { roleId: role.id }, body, version: role.version })
        : await create.mutateAsync({ body });
      showDone(role ? 'The role is changed; it holds from the next call of its users.' : 'The role is made.');
      props.onSaved(saved);
    },
  );
  return (
    <FormBody form={form} submitLabel={role ? 'Save' : 'Make the role'} onCancel={props.onCancel}>
      <TextInput label="Name" required data-autofocus {...form.text('name')} />
      <Textarea label="Description" autosize minRows={1} {...form.text('description')} />
      <PermissionMatrix
        chosen={form.values.permissions}
        onChange={(permissions) => form.set('permissions', [...permissions] as PermissionNames)}
        error={form.errorAt('permissions')}
      />
    </FormBody>
  );
}
