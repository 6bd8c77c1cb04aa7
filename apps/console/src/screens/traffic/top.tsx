import { Group, Select, Stack, Text, UnstyledButton } from '@mantine/core';
import { BarTable } from '@millrace/ui/bar-table';
import { Chart } from '@millrace/ui/chart';
import { useCountryNames } from '@millrace/ui/countries';
import { EmptyList } from '@millrace/ui/list';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Section } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import type { LinkProps } from '@tanstack/react-router';
import { type ArgumentsOf, type DataOf, useRead } from '../../frame/api.ts';
import { type Dimension, dimensions, splitsOf, withFilter } from './address.ts';
import { Change } from './change.tsx';
import { unknownNames } from './names.ts';
import { axisOf, useTraffic, withoutCompare } from './state.ts';

type Top = DataOf<'listTopTraffic'>;
type Row = Top['rows'][number];
type Measure = NonNullable<NonNullable<ArgumentsOf<'listTopTraffic'>['query']>['measure']>;

const measureNames: Readonly<Record<Measure, string>> = {
  requests: 'Requests',
  errors: 'Errors (5xx)',
  clientErrors: 'Other client errors (4xx)',
  limited: 'Refused by limits',
  requestBytes: 'Request bytes',
  responseBytes: 'Response bytes',
};

const measured: Readonly<Record<Measure, (row: Row) => number | null>> = {
  requests: ({ requests }) => requests,
  errors: ({ status5xx }) => status5xx,
  clientErrors: ({ status4xx, limited }) => status4xx - (limited ?? 0),
  limited: ({ limited }) => limited,
  requestBytes: ({ requestBytes }) => requestBytes,
  responseBytes: ({ responseBytes }) => responseBytes,
};

const plurals: Readonly<Record<Dimension['by'], string>> = {
  environment: 'Environments',
  proxy: 'API proxies',
  app: 'Apps',
  product: 'API products',
  country: 'Countries',
  route: 'Routes',
  deployment: 'Deployments',
  gateway_node: 'Gateway nodes',
};

const measures = Object.keys(measureNames) as readonly Measure[];

/** What has the most traffic by a dimension: over time, and as bars with links. */
export function TopTraffic() {
  const { search, query, reading, change } = useTraffic();
  const offered = splitsOf(search);
  const { by } =
    offered.find((dimension) => dimension.by === search.by) ??
    offered.find((dimension) => dimension.by === 'proxy') ??
    offered[0]!;
  const measure = measures.find((each) => each === search.measure) ?? 'requests';
  const { step: _step, ...ofRange } = query;
  const top = useRead('listTopTraffic', { query: { ...ofRange, by, measure } }, reading);
  // Not what was read before: its series would have the names of another dimension.
  const split = useRead(
    'getTrafficSeries',
    { query: { ...withoutCompare(query), by } },
    { ...reading, keepsPrevious: false },
  );
  return (
    <Section
      title={`Top ${lowered(plurals[by])}`}
      actions={
        <Group gap={6}>
          <Select
            aria-label="Top by"
            w={150}
            allowDeselect={false}
            data={offered.map((dimension) => ({ value: dimension.by, label: plurals[dimension.by] }))}
            value={by}
            onChange={(next) => change((current) => ({ ...current, by: next ?? undefined }))}
          />
          <Select
            aria-label="Measure"
            w={170}
            allowDeselect={false}
            data={measures.map((value) => ({ value, label: measureNames[value] }))}
            value={measure}
            onChange={(next) => change((current) => ({ ...current, measure: next ?? undefined }))}
          />
        </Group>
      }
    >
      <Stack gap="md">
        <Loaded read={split}>{(data) => <Split series={data} by={by} />}</Loaded>
        <Loaded read={top}>{(data) => <Bars top={data} />}</Loaded>
      </Stack>
    </Section>
  );
}

/** Within a sentence. */
function lowered(plural: string): string {
  return plural.startsWith('API') ? plural : plural.toLowerCase();
}

/** Names of rows, which are those of countries in the reader's language. */
function useRowNames(
  by: Dimension['by'],
): (row: { readonly id: string | null; readonly name: string | null }) => string {
  const countryName = useCountryNames();
  return ({ id, name }) => {
    if (by === 'country') return countryName(id ?? 'ZZ');
    return name ?? (id === null ? (unknownNames[by] ?? 'Unknown') : 'Deleted');
  };
}

/** Series in the legend at most: each has a colour of its own. */
const mostSeries = 5;

function Split({ series, by }: { readonly series: DataOf<'getTrafficSeries'>; readonly by: Dimension['by'] }) {
  const { selectOf } = useTraffic();
  const nameOf = useRowNames(by);
  const { points, others } = series;
  const shown = series.series.slice(0, mostSeries);
  if (shown.length < 2) return null;
  const names = shown.map(nameOf);
  return (
    <Chart
      label={`Requests by ${lowered(plurals[by])}`}
      kind="bars"
      {...axisOf(points, series)}
      {...selectOf(series)}
      syncKey="traffic"
      series={[
        ...shown.map((each, index) => ({
          // Names of different things may be the same.
          name: names.indexOf(names[index]!) === index ? names[index]! : `${names[index]} (${index + 1})`,
          values: each.points.map(({ requests }) => requests),
        })),
        ...(others === null
          ? []
          : [{ name: 'Others', values: others.points.map(({ requests }) => requests), tone: 'rest' as const }]),
      ]}
      empty="No requests in this range."
    />
  );
}

function Bars({ top }: { readonly top: Top }) {
  const { change } = useTraffic();
  const numbers = useNumbers();
  const { by, measure, rows, others } = top;
  const nameOf = useRowNames(by);
  const { label, filter } = dimensions.find((dimension) => dimension.by === by)!;
  const format = measure.endsWith('Bytes') ? numbers.bytes : numbers.count;
  const value = measured[measure];
  if (rows.length === 0) return <EmptyList>No traffic in this range.</EmptyList>;
  return (
    <>
      <BarTable
        label={`${plurals[by]} by ${measureNames[measure].toLowerCase()}`}
        rows={rows.map((row) => ({ ...row, key: row.id, id: row.id ?? 'none' }))}
        name={{
          title: label,
          plain: ({ key, name }) => nameOf({ id: key, name }),
          cell: (row) => <RowName row={row} by={by} name={nameOf({ id: row.key, name: row.name })} />,
        }}
        measures={[
          {
            title: measureNames[measure],
            value,
            format,
            note: (row) =>
              row.previous && <Change now={value(row)} before={value({ ...row, ...row.previous })} format={format} />,
          },
          { title: 'Share', value: ({ share }) => share, format: (share) => numbers.percent(share, 1) },
          ...(measure === 'requests'
            ? []
            : [{ title: 'Requests', value: ({ requests }: Row) => requests, format: numbers.count }]),
          {
            title: 'Share of errors',
            value: ({ errorRatio }) => errorRatio,
            format: (share) => numbers.percent(share, 2),
          },
        ]}
        {...(measure === 'errors' && { tone: 'bad' as const })}
        actions={{
          title: 'Filter',
          align: 'end',
          cell: ({ id, key, name }) => (
            <UnstyledButton
              fz="xs"
              c="dimmed"
              td="underline"
              aria-label={`Filter by ${nameOf({ id: key, name })}`}
              onClick={() =>
                change((current) => withFilter(current, filter, by === 'country' && id === 'none' ? 'ZZ' : id))
              }
            >
              Filter
            </UnstyledButton>
          ),
        }}
      />
      {others !== null && (
        <Text size="xs" c="dimmed">
          Others: {format(value({ ...rows[0]!, ...others }) ?? 0)}
        </Text>
      )}
    </>
  );
}

/** Where a row's own screen is. */
function linkOf(by: Dimension['by'], id: string, parentId: string | null): LinkProps | null {
  switch (by) {
    case 'environment':
      return { to: '/environments/$environmentId', params: { environmentId: id } };
    case 'proxy':
      return { to: '/proxies/$proxyId', params: { proxyId: id } };
    case 'app':
      return { to: '/apps/$appId', params: { appId: id } };
    case 'product':
      return { to: '/products/$productId', params: { productId: id } };
    case 'route':
      return parentId === null
        ? null
        : ({ to: '/proxies/$proxyId/routes', params: { proxyId: parentId }, search: { route: id } } as LinkProps);
    case 'deployment':
      return { to: '/deployments/$deploymentId', params: { deploymentId: id } };
    case 'gateway_node':
      return { to: '/gateway-nodes/$nodeId', params: { nodeId: id } };
    case 'country':
      return null;
  }
}

function RowName(props: {
  readonly row: {
    readonly key: string | null;
    readonly name: string | null;
    readonly detail: string | null;
    readonly parentId: string | null;
  };
  readonly by: Dimension['by'];
  readonly name: string;
}) {
  const { row, by, name } = props;
  const link = row.key === null || row.name === null ? null : linkOf(by, row.key, row.parentId);
  return (
    <>
      {link === null ? name : <TextLink {...(link as { to: string })}>{name}</TextLink>}
      {row.detail !== null && (
        <Text size="xs" c="dimmed">
          {row.detail}
        </Text>
      )}
    </>
  );
}
