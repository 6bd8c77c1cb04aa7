import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useNumbers } from '@millrace/ui/numbers';
import { Failure, Section } from '@millrace/ui/page';
import { Sparkline } from '@millrace/ui/sparkline';
import { TextLink } from '@millrace/ui/text-link';
import { Fact } from '@millrace/ui/values';
import { type DataOf, useRead } from '../../frame/api.ts';
import { useDurations } from '../../frame/durations.ts';
import { useSession } from '../../frame/session.tsx';
import { type TrafficFilters, trafficOf } from './address.ts';

const refreshMs = 60_000;
/** As high as the figures that take its place. */
const heightPx = 44;

/** Requests, errors and latency of something in the last 24 hours; nothing for users who may not see traffic. */
export function TrafficStrip(props: { readonly of: TrafficFilters }) {
  return useSession().can('analytics.read') ? <Strip {...props} /> : null;
}

function Strip({ of }: { readonly of: TrafficFilters }) {
  const query = { range: '24h', ...of } as const;
  const polling = { refetchInterval: refreshMs };
  const series = useRead('getTrafficSeries', { query: { ...query, step: 'hour' } }, polling);
  const summary = useRead('summarizeTraffic', { query }, polling);
  const error = series.error ?? summary.error;
  return (
    <Section
      title="Traffic, last 24 hours"
      actions={
        <TextLink to="/traffic" search={trafficOf(of) as never} size="sm">
          Show traffic
        </TextLink>
      }
    >
      {series.data && summary.data ? (
        <Figures series={series.data} total={summary.data.total} />
      ) : error === null ? (
        <Skeleton height={heightPx} />
      ) : (
        <Failure error={error} />
      )}
    </Section>
  );
}

function Figures(props: {
  readonly series: DataOf<'getTrafficSeries'>;
  readonly total: DataOf<'summarizeTraffic'>['total'];
}) {
  const { series, total } = props;
  const numbers = useNumbers();
  const duration = useDurations();
  if (total.requests === 0) {
    return (
      <Text size="sm" c="dimmed" mih={heightPx}>
        No requests.
      </Text>
    );
  }
  const p95 = total.latencyP95Us ?? total.targetTimeP95Us;
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} mih={heightPx}>
      <Fact label="Requests">
        <strong>{numbers.count(total.requests)}</strong>
      </Fact>
      <Fact label="Errors (5xx)">
        <strong>{numbers.count(total.status5xx)}</strong>{' '}
        <Text span size="xs" c="dimmed">
          {numbers.percent(total.errorRatio ?? 0, 2)}
        </Text>
      </Fact>
      {p95 === null ? (
        <Fact label="Client errors (4xx)">
          <strong>{numbers.count(total.status4xx)}</strong>
        </Fact>
      ) : (
        <Fact label={total.latencyP95Us === null ? 'Time at the target, p95' : 'Latency, p95'}>
          <strong>{duration(p95)}</strong>
        </Fact>
      )}
      <Stack gap={0} justify="end">
        <Sparkline
          label="Requests by hour"
          totals={series.points.map(({ requests }) => requests)}
          errors={series.points.map(({ status5xx }) => status5xx)}
        />
      </Stack>
    </SimpleGrid>
  );
}
