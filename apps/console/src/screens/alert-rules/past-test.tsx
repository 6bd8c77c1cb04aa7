import { Button, Group, Loader, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { type AlertMetric, alertMetrics } from '@millrace/alerting';
import { Chart } from '@millrace/ui/chart';
import { useNumbers } from '@millrace/ui/numbers';
import { Failure, Loaded } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { Fact, Moment } from '@millrace/ui/values';
import { counted } from '@millrace/ui/words';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type DataOf, useRead } from '../../frame/api.ts';
import { durationText } from '../../frame/duration-text.ts';
import classes from './alert-rules.module.css';
import { useMetricValues } from './metric-values.ts';
import { fieldsUsedBy } from './metrics.ts';
import { subjectOf } from './overview.tsx';
import type { RuleBody } from './rule-form.tsx';

type Test = DataOf<'testAlertRule'>;

/** A stored rule on the past. */
export function AlertRulePast() {
  const { alertRuleId } = useParams({ from: '/shell/alert-rules/$alertRuleId/test' });
  const read = useRead('getAlertRule', { params: { alertRuleId } });
  return (
    <Loaded read={read}>
      {({ metric, threshold }) =>
        fieldsUsedBy(metric).past ? (
          <StoredTest alertRuleId={alertRuleId} changes={{ metric, threshold }} />
        ) : (
          <Text size="sm">
            Only metrics of traffic can be tested on the past: of others, only the present is known.
          </Text>
        )
      }
    </Loaded>
  );
}

type Changes = Pick<RuleBody, 'metric' | 'threshold'> & Partial<RuleBody>;

/** Tests a stored rule with changes, when asked to. */
export function StoredTest({ alertRuleId, changes }: { readonly alertRuleId: string; readonly changes: Changes }) {
  return <Asking given={changes}>{(asked) => <StoredResult alertRuleId={alertRuleId} asked={asked} />}</Asking>;
}

/** Tests a rule that is not stored, when asked to. */
export function PreviewTest({ rule }: { readonly rule: RuleBody }) {
  return <Asking given={rule}>{(asked) => <PreviewResult asked={asked} />}</Asking>;
}

interface Asked<Given> {
  readonly given: Given;
  readonly from: string;
  readonly to: string;
}

const ranges = [
  { value: '1', label: 'Last hour' },
  { value: '6', label: 'Last 6 hours' },
  { value: '24', label: 'Last 24 hours' },
  { value: '48', label: 'Last 2 days' },
  { value: '168', label: 'Last 7 days' },
  { value: '720', label: 'Last 30 days' },
];

const evaluationMs = 10_000;

function Asking<Given>(props: { readonly given: Given; readonly children: (asked: Asked<Given>) => ReactNode }) {
  const [hours, setHours] = useState('24');
  const [asked, setAsked] = useState<Asked<Given> | null>(null);
  const ask = () => {
    const toMs = Math.floor(Date.now() / evaluationMs) * evaluationMs;
    const from = new Date(toMs - Number(hours) * 3_600_000).toISOString();
    setAsked({ given: props.given, from, to: new Date(toMs).toISOString() });
  };
  return (
    <Stack>
      <Group gap="xs">
        <Select
          aria-label="Tested time"
          data={ranges}
          value={hours}
          onChange={(next) => setHours(next ?? hours)}
          allowDeselect={false}
          w={160}
        />
        <Button variant="default" onClick={ask}>
          Test
        </Button>
      </Group>
      <div aria-live="polite">{asked && props.children(asked)}</div>
    </Stack>
  );
}

function StoredResult(props: { readonly alertRuleId: string; readonly asked: Asked<Changes> }) {
  const { alertRuleId, asked } = props;
  const { given: changes, from, to } = asked;
  const read = useRead('testAlertRule', { params: { alertRuleId }, body: { from, to, changes } });
  return <Read read={read} rule={changes} />;
}

function PreviewResult({ asked: { given: rule, from, to } }: { readonly asked: Asked<RuleBody> }) {
  const read = useRead('previewAlertRule', { body: { rule, from, to } });
  return <Read read={read} rule={rule} />;
}

function Read(props: {
  readonly read: { readonly data: Test | undefined; readonly error: Error | null };
  readonly rule: Changes;
}) {
  const { read, rule } = props;
  if (read.error !== null) return <Failure error={read.error} />;
  if (read.data === undefined) return <Loader size="sm" aria-label="Testing" role="status" />;
  return <Result test={read.data} metric={rule.metric} threshold={rule.threshold} />;
}

/** The chart has no more colours. */
const mostLines = 5;

function Result(props: { readonly test: Test; readonly metric: AlertMetric; readonly threshold: number }) {
  const { test, metric, threshold } = props;
  const { firings, firingsTotal, series, seriesTotal, evaluations, spans, to } = test;
  const { unit } = alertMetrics[metric];
  const formatValue = useMetricValues();
  const numbers = useNumbers();
  const shown = series.slice(0, mostLines);
  const times = [...new Set(shown.flatMap(({ points }) => points.map(({ at }) => at)))].sort();
  const firedSeconds = firings.reduce((sum, { seconds }) => sum + seconds, 0);
  return (
    <Stack>
      <SimpleGrid cols={{ base: 2, sm: 3 }}>
        <Fact label="Would have fired">{firingsTotal === 0 ? 'Never' : counted(firingsTotal, 'time')}</Fact>
        <Fact label="In all">{firingsTotal === 0 ? '–' : durationText(firedSeconds)}</Fact>
        <Fact label="Evaluations">{numbers.count(evaluations)}</Fact>
      </SimpleGrid>
      <Chart
        label="Tested values"
        kind="lines"
        times={times}
        leastStep={unit === 'boolean' || unit === 'count' ? 1 : 0.01}
        series={[
          ...shown.map(({ labels, points }) => ({
            name: subjectOf(labels),
            values: alignedTo(times, points),
          })),
          ...(unit === 'boolean' || times.length === 0
            ? []
            : [{ name: 'Threshold', values: times.map(() => threshold), tone: 'bad' as const }]),
        ]}
        format={(value) => formatValue(unit, value)}
        shaded={firings.map(({ firedAt, resolvedAt }) => ({ from: firedAt, to: resolvedAt ?? to }))}
        empty="No requests in this time."
      />
      <Text size="xs" c="dimmed">
        {firings.length > 0 && (
          <>
            <span className={classes.key} aria-hidden />
            It would have fired.{' '}
          </>
        )}
        {seriesTotal > shown.length && `${shown.length} of ${numbers.count(seriesTotal)} lines are drawn. `}
        {spans.some(({ source }) => source === 'hours') &&
          'Where figures of ten seconds are no longer kept, hourly ones were evaluated.'}
      </Text>
      {firings.length > 0 && (
        <RecordTable
          label="Table of firings"
          rows={firings.map((firing) => ({ ...firing, id: `${firing.fingerprint} ${firing.firedAt}` }))}
          columns={[
            { title: 'Fired', cell: ({ firedAt }) => <Moment at={firedAt} seconds /> },
            { title: 'Resolved', cell: ({ resolvedAt }) => <Moment at={resolvedAt} seconds absent="Still firing" /> },
            { title: 'For', cell: ({ seconds }) => durationText(seconds) },
            { title: 'Worst value', align: 'end', cell: ({ value }) => formatValue(unit, value) },
            { title: 'Of', cell: ({ labels }) => subjectOf(labels) },
          ]}
        />
      )}
      {firings.length < firingsTotal && (
        <Text size="xs" c="dimmed">
          The first {firings.length} of {numbers.count(firingsTotal)} are listed.
        </Text>
      )}
    </Stack>
  );
}

function alignedTo(times: readonly string[], points: Test['series'][number]['points']): (number | null)[] {
  const values = new Map(points.map(({ at, value }) => [at, value]));
  return times.map((time) => values.get(time) ?? null);
}
