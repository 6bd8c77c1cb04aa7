import { Autocomplete } from '@mantine/core';
import { useRead } from '../../frame/api.ts';

/** A target server by its name, which is the same in every environment; the known names are offered. */
export function TargetServerField(props: {
  readonly value: string;
  readonly onChange: (name: string) => void;
  readonly error: string | undefined;
  readonly description: string;
}) {
  const targets = useRead('listTargetServers', { query: { pageSize: '100', sort: 'name' } });
  return (
    <Autocomplete
      {...props}
      label="Target server"
      required
      data={[...new Set((targets.data?.targetServers ?? []).map(({ name }) => name))]}
    />
  );
}
