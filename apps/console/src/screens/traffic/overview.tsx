import { SimpleGrid, Stack, Text } from '@mantine/core';
import { Chart, type ChartSeries } from '@millrace/ui/chart';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Section } from '@millrace/ui/page';
import { Fact } from '@millrace/ui/values';
import { type DataOf, useRead } from '../../frame/api.ts';
import { useDurations } from '../../frame/durations.ts';
import { Bands } from './bands.tsx';
import { Change } from './change.tsx';
import { axisOf, useTraffic, withoutCompare } from './state.ts';
import { TopTraffic } from './top.tsx';

type Series = DataOf<'getTrafficSeries'>;
type Point = Series['points'][number];
type Summary = DataOf<'summarizeTraffic'>;

/** Requests, errors and latency over time, and what has the most of them. */
export function TrafficOverview() {
  const { query, reading } = useTraffic();
  const summary = useRead('summarizeTraffic', { query }, reading);
  const series = useRead('getTrafficSeries', { query }, reading);
  const latency = useRead('getLatency', { query: withoutCompare(query) }, reading);
  return (
    <Stack gap="lg">
      <Loaded read={summary}>{(data) => <Totals summary={data} />}</Loaded>
      <Loaded read={series}>
        {(data) => (
          <>
            <Section title="Requests">
              <Requests series={data} />
            </Section>
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
              <Section title="Share of errors">
                <Shares series={data} />
              </Section>
              <Section title="Latency">
                <Loaded read={latency}>{(answer) => <Bands latency={answer} syncKey={syncKey} />}</Loaded>
              </Section>
            </SimpleGrid>
          </>
        )}
      </Loaded>
      <TopTraffic />
    </Stack>
  );
}

function Totals({ summary: { total, previous } }: { readonly summary: Summary }) {
  const numbers = useNumbers();
  const duration = useDurations();
  const { latencyP95Us, targetTimeP95Us } = total;
  const hasBoth = latencyP95Us !== null;
  const counted = (label: string, value: number | null, before: number | null | undefined) =>
    value !== null && (
      <Fact label={label}>
        <strong>{numbers.count(value)}</strong>
        <Change now={value} before={before} format={numbers.count} />
      </Fact>
    );
  const shareOf = (summed: Summary['total']) => summed.errorRatio;
  const share = (value: number) => numbers.percent(value, 2);
  const p95 = hasBoth ? latencyP95Us : targetTimeP95Us;
  const p95Before = hasBoth ? previous?.latencyP95Us : previous?.targetTimeP95Us;
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }}>
      {counted('Requests', total.requests, previous?.requests)}
      {counted('Errors (5xx)', total.status5xx, previous?.status5xx)}
      <Fact label="Share of errors">
        <strong>{total.errorRatio === null ? '–' : share(total.errorRatio)}</strong>
        <Change now={shareOf(total)} before={previous && shareOf(previous)} format={share} />
      </Fact>
      {counted('Client errors (4xx)', total.status4xx, previous?.status4xx)}
      {counted('Refused by limits', total.limited, previous?.limited)}
      <Fact label={hasBoth ? 'Latency, p95' : 'Time at the target, p95'}>
        <strong>{p95 === null ? '–' : duration(p95)}</strong>
        <Change now={p95} before={p95Before} format={duration} />
      </Fact>
    </SimpleGrid>
  );
}

/** Charts of one screen show the cursor at the same time. */
const syncKey = 'traffic';

function Requests({ series }: { readonly series: Series }) {
  const { selectOf } = useTraffic();
  const { points, previous, incompleteFrom, total } = series;
  const before = previous?.points;
  const hasLimited = total.limited !== null;
  const partOf = (name: string, of: (point: Point) => number, tone?: ChartSeries['tone']) => ({
    name,
    values: points.map(of),
    ...(before && { before: before.map(of) }),
    ...(tone && { tone }),
  });
  return (
    <>
      <Chart
        label="Requests by outcome"
        kind="bars"
        {...axisOf(points, series)}
        {...selectOf(series)}
        syncKey={syncKey}
        series={[
          partOf('Succeeded', ({ requests, status4xx, status5xx }) => requests - status4xx - status5xx),
          partOf(
            hasLimited ? 'Other client errors (4xx)' : 'Client errors (4xx)',
            ({ status4xx, limited }) => status4xx - (limited ?? 0),
            'caution',
          ),
          ...(hasLimited ? [partOf('Refused by limits', ({ limited }) => limited ?? 0, 'rest')] : []),
          partOf('Errors (5xx)', ({ status5xx }) => status5xx, 'bad'),
        ]}
        empty="No requests in this range."
      />
      {incompleteFrom !== null && !series.live && points.length > 0 && (
        <Text size="xs" c="dimmed">
          The last {series.step} is still in progress.
        </Text>
      )}
    </>
  );
}

function Shares({ series }: { readonly series: Series }) {
  const { selectOf } = useTraffic();
  const numbers = useNumbers();
  const { points, previous, total } = series;
  const lineOf = (name: string, of: (point: Omit<Point, 'at'>) => number | null, tone?: ChartSeries['tone']) => {
    const shareOf = (point: Omit<Point, 'at'>) => {
      const part = of(point);
      return part === null || point.requests === 0 ? null : part / point.requests;
    };
    return {
      name,
      values: points.map(shareOf),
      summary: shareOf(total),
      // One line before is enough: three hide what is now.
      ...(previous && tone === 'bad' && { before: previous.points.map(shareOf) }),
      ...(tone && { tone }),
    };
  };
  return (
    <Chart
      label="Share of errors over time"
      kind="lines"
      {...axisOf(points, series)}
      {...selectOf(series)}
      syncKey={syncKey}
      leastStep={0.001}
      series={[
        lineOf('Errors (5xx)', ({ status5xx }) => status5xx, 'bad'),
        lineOf('Client errors (4xx)', ({ status4xx }) => status4xx, 'caution'),
        ...(total.limited === null ? [] : [lineOf('Refused by limits', ({ limited }) => limited, 'rest')]),
      ]}
      format={(share) => numbers.percent(share, 2)}
      empty="No errors in this range."
    />
  );
}
