import { SimpleGrid, Stack, Text } from '@mantine/core';
import { BarTable } from '@millrace/ui/bar-table';
import { Chart } from '@millrace/ui/chart';
import { EmptyList } from '@millrace/ui/list';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Section } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Moment } from '@millrace/ui/values';
import { type DataOf, useRead } from '../../frame/api.ts';
import { Change } from './change.tsx';
import { axisOf, useTraffic } from './state.ts';

type Errors = DataOf<'listTrafficErrors'>;

const causeNames: Readonly<Record<Errors['causes'][number]['cause'], string>> = {
  limited: 'Refused by limits (429)',
  client: 'Other client errors (4xx)',
  server: 'Errors (5xx)',
};

/** Errors by cause and status, over time, and the API proxies that have the most. */
export function TrafficErrors() {
  const { query, reading } = useTraffic();
  const read = useRead('listTrafficErrors', { query }, reading);
  return <Loaded read={read}>{(errors) => <Shown errors={errors} />}</Loaded>;
}

function Shown({ errors }: { readonly errors: Errors }) {
  const { selectOf } = useTraffic();
  const { points, total } = errors;
  return (
    <Stack gap="lg">
      <Section title="Errors by cause">
        <Stack gap="md">
          <Chart
            label="Errors by cause over time"
            kind="bars"
            {...axisOf(points, errors)}
            {...selectOf(errors)}
            series={[
              { name: causeNames.client, values: points.map(({ clientErrors }) => clientErrors), tone: 'caution' },
              ...(total.limited === null
                ? []
                : [{ name: causeNames.limited, values: points.map(({ limited }) => limited), tone: 'rest' as const }]),
              { name: causeNames.server, values: points.map(({ serverErrors }) => serverErrors), tone: 'bad' },
            ]}
            empty="No errors in this range."
          />
          <Causes errors={errors} />
        </Stack>
      </Section>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Section title="Errors by status">
          <Statuses errors={errors} />
        </Section>
        <Section title="Errors by API proxy">
          <Proxies errors={errors} />
        </Section>
      </SimpleGrid>
    </Stack>
  );
}

function Causes({ errors }: { readonly errors: Errors }) {
  const numbers = useNumbers();
  if (errors.causes.length === 0) return null;
  return (
    <BarTable
      label="causes of errors"
      rows={errors.causes.map((cause) => ({ ...cause, id: cause.cause }))}
      name={{ title: 'Cause', plain: ({ cause }) => causeNames[cause], cell: ({ cause }) => causeNames[cause] }}
      measures={[
        {
          title: 'Requests',
          value: ({ requests }) => requests,
          format: numbers.count,
          note: ({ requests, previous }) => <Change now={requests} before={previous} format={numbers.count} />,
        },
        { title: 'Share of requests', value: ({ ratio }) => ratio, format: (ratio) => numbers.percent(ratio, 2) },
      ]}
      tone="bad"
    />
  );
}

function Statuses({ errors: { sample } }: { readonly errors: Errors }) {
  const numbers = useNumbers();
  if (sample === null) return <EmptyList>Statuses aren’t kept for this range or these filters.</EmptyList>;
  return (
    <>
      <Text size="xs" c="dimmed" mb="xs">
        Among the {numbers.count(sample.requests)} recent requests that are kept, since <Moment at={sample.from} />.
      </Text>
      {sample.statuses.length === 0 ? (
        <EmptyList>None of them failed.</EmptyList>
      ) : (
        <BarTable
          label="statuses"
          rows={sample.statuses.map((row) => ({ ...row, id: String(row.status) }))}
          name={{
            title: 'Status',
            plain: ({ id }) => id,
            cell: ({ status, lastAt }) => (
              <>
                {status}
                <Text size="xs" c="dimmed">
                  Last <Ago at={lastAt} />
                </Text>
              </>
            ),
          }}
          measures={[{ title: 'Requests', value: ({ requests }) => requests, format: numbers.count }]}
          tone="bad"
        />
      )}
    </>
  );
}

function Proxies({ errors: { proxies } }: { readonly errors: Errors }) {
  const numbers = useNumbers();
  if (proxies.length === 0) return <EmptyList>No errors in this range.</EmptyList>;
  return (
    <BarTable
      label="API proxies with errors"
      rows={proxies.map((proxy) => ({ ...proxy, id: proxy.id ?? 'none' }))}
      name={{
        title: 'API proxy',
        plain: ({ name }) => name ?? 'Deleted',
        cell: ({ id, name }) =>
          name === null ? (
            'Deleted'
          ) : (
            <TextLink to="/proxies/$proxyId" params={{ proxyId: id }}>
              {name}
            </TextLink>
          ),
      }}
      measures={[
        { title: 'Errors (5xx)', value: ({ serverErrors }) => serverErrors, format: numbers.count },
        { title: 'Client errors', value: ({ clientErrors }) => clientErrors, format: numbers.count },
        { title: 'Refused', value: ({ limited }) => limited, format: numbers.count },
        {
          title: 'Share of errors',
          value: ({ errorRatio }) => errorRatio,
          format: (ratio) => numbers.percent(ratio, 2),
        },
      ]}
      tone="bad"
    />
  );
}
