import { useRead } from './api.ts';
import { useSession } from './session.tsx';

/** The environments as options, and their names by id; the first 100 by name. */
export function useEnvironments() {
  const { can } = useSession();
  const read = useRead('listEnvironments', { query: { pageSize: 100 } }, { enabled: can('environment.read') });
  const environments = read.data?.environments ?? [];
  return {
    environments,
    options: environments.map(({ id, displayName }) => ({ value: id, label: displayName })),
    nameOf: (id: string) => environments.find((environment) => environment.id === id)?.displayName ?? id,
  };
}
