import { MultiSelect } from '@mantine/core';
import { useRead } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';

/** The roles of the organization, for choosing among them; the first 100 by name. */
export function useRoles(): readonly { readonly value: string; readonly label: string }[] {
  const { can, superAdmin } = useSession();
  const read = useRead('listRoles', { query: { pageSize: 100 } }, { enabled: can('role.read') });
  return (read.data?.roles ?? [])
    .filter(({ id }) => superAdmin || id !== 'super_admin')
    .map(({ id, name }) => ({ value: id, label: name }));
}

/** The roles that somebody gets. */
export function RolesField(props: {
  readonly value: readonly string[];
  readonly onChange: (roleIds: string[]) => void;
  readonly error: string | undefined;
}) {
  return (
    <MultiSelect
      label="Roles"
      description="None of them above what you hold yourself"
      data={[...useRoles()]}
      value={[...props.value]}
      onChange={props.onChange}
      error={props.error}
      searchable
    />
  );
}
