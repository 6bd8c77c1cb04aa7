import type { FieldOptions } from '@millrace/ui/schema-form';
import { useRead } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';

/** The organization's roles as options of a field or a filter; the first 100 by name. */
export function useRoles(): readonly { readonly value: string; readonly label: string }[] {
  const { can, superAdmin } = useSession();
  const read = useRead('listRoles', { query: { pageSize: 100 } }, { enabled: can('role.read') });
  return (read.data?.roles ?? [])
    .filter(({ id }) => superAdmin || id !== 'super_admin')
    .map(({ id, name }) => ({ value: id, label: name }));
}

/** The field of a form for a user's roles. */
export function useRolesField(): FieldOptions {
  return { label: 'Roles', help: 'You can’t grant permissions you don’t have', options: useRoles() };
}
