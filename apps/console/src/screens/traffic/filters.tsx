import { Button, Group, Select } from '@mantine/core';
import { useCountryNames } from '@millrace/ui/countries';
import { IconFilter } from '@millrace/ui/icons';
import { useState } from 'react';
import { useRead } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';
import { type Dimension, dimensions, queryOf, withFilter } from './address.ts';
import { unknownNames } from './names.ts';
import { useTraffic, withoutCompare } from './state.ts';

/** Shown at once; the others on demand. */
const first: readonly string[] = ['environmentId', 'proxyId'];

/** Filters by what has traffic in the range. */
export function Filters() {
  const { search, change } = useTraffic();
  const set = dimensions.filter(({ filter }) => search[filter] !== undefined);
  const [shown, setShown] = useState(() => set.some(({ filter }) => !first.includes(filter)));
  const fieldOf = (dimension: Dimension) => (
    <FilterField
      key={dimension.filter}
      dimension={dimension}
      value={search[dimension.filter] === undefined ? null : String(search[dimension.filter])}
      onChange={(value) => change((current) => withFilter(current, dimension.filter, value))}
    />
  );
  return (
    <Group gap={6}>
      {dimensions.filter(({ filter }) => first.includes(filter)).map(fieldOf)}
      <Button
        variant="default"
        leftSection={<IconFilter size={15} aria-hidden />}
        aria-expanded={shown}
        onClick={() => setShown(!shown)}
      >
        {set.length > 0 ? `Filters (${set.length})` : 'More filters'}
      </Button>
      {shown && dimensions.filter(({ filter }) => !first.includes(filter)).map(fieldOf)}
      {set.length > 0 && (
        <Button
          variant="subtle"
          onClick={() =>
            change((current) => ({ ...current, ...Object.fromEntries(set.map(({ filter }) => [filter, undefined])) }))
          }
        >
          Clear filters
        </Button>
      )}
    </Group>
  );
}

/** The busiest come first; what has no traffic isn't offered. */
const mostOptions = 100;

function FilterField(props: {
  readonly dimension: Dimension;
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}) {
  const { by, filter, label } = props.dimension;
  const { value, onChange } = props;
  const { search } = useTraffic();
  const [opened, setOpened] = useState(false);
  const countryName = useCountryNames();
  // With what this filter can be combined with.
  const {
    [filter]: _own,
    step: _step,
    ...others
  } = withoutCompare(queryOf(withFilter(search, filter, value ?? 'any')));
  const read = useRead(
    'listTopTraffic',
    { query: { ...others, by, limit: mostOptions } },
    { enabled: opened || value !== null },
  );
  const options = (read.data?.rows ?? []).flatMap(({ id, name, detail }) => {
    if (by === 'country') return [{ value: id ?? 'ZZ', label: countryName(id ?? 'ZZ') }];
    const unknown = unknownNames[by];
    if (id === null) return unknown === undefined ? [] : [{ value: 'none', label: unknown }];
    return [
      {
        value: id,
        label: [
          name ?? 'Deleted',
          ...(detail !== null && (by === 'route' || by === 'deployment') ? [detail] : []),
        ].join(' · '),
      },
    ];
  });
  const isOffered = value === null || options.some((option) => option.value === value);
  const name = useName(by, value, !isOffered && read.isFetched);
  const data = isOffered ? options : [{ value, label: by === 'country' ? countryName(value) : name }, ...options];
  return (
    <Select
      aria-label={label}
      placeholder={label}
      w={158}
      data={data}
      value={value}
      onChange={onChange}
      onDropdownOpen={() => setOpened(true)}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      nothingFoundMessage={read.isPending ? 'Loading' : 'No traffic in this range'}
    />
  );
}

/** The name of what is chosen but has no traffic in the range; its id where nothing has it. */
function useName(by: Dimension['by'], id: string | null, isNeeded: boolean): string {
  const { can } = useSession();
  const wanted = (kind: Dimension['by'], permission: string) => ({
    enabled: isNeeded && by === kind && id !== 'none' && can(permission),
  });
  const chosen = id ?? '';
  const environment = useRead(
    'getEnvironment',
    { params: { environmentId: chosen } },
    wanted('environment', 'environment.read'),
  );
  const proxy = useRead('getProxy', { params: { proxyId: chosen } }, wanted('proxy', 'proxy.read'));
  const app = useRead('getApp', { params: { appId: chosen } }, wanted('app', 'app.read'));
  const product = useRead('getProduct', { params: { productId: chosen } }, wanted('product', 'product.read'));
  const node = useRead('getGatewayNode', { params: { nodeId: chosen } }, wanted('gateway_node', 'gateway-node.read'));
  if (id === 'none') return unknownNames[by] ?? id;
  const named = environment.data ?? proxy.data ?? app.data ?? product.data;
  return named?.displayName ?? node.data?.name ?? chosen;
}
