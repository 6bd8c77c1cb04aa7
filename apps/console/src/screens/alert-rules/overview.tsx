import { Alert, List, Stack, Text } from '@mantine/core';
import { alertMetrics } from '@millrace/alerting';
import { Mark } from '@millrace/ui/mark';
import { Loaded, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Properties } from '@millrace/ui/values';
import { useParams } from '@tanstack/react-router';
import { type DataOf, useRead } from '../../frame/api.ts';
import { useMetricValues } from './metric-values.ts';
import { useRuleNames } from './rule-names.ts';
import { ruleSentences } from './rule-text.ts';

type Rule = DataOf<'getAlertRule'>;

/** What a rule does, in plain words, and what it saw last. */
export function AlertRuleOverview() {
  const { alertRuleId } = useParams({ from: '/shell/alert-rules/$alertRuleId/' });
  const read = useRead('getAlertRule', { params: { alertRuleId } });
  return <Loaded read={read}>{(rule) => <Shown rule={rule} />}</Loaded>;
}

function Shown({ rule }: { readonly rule: Rule }) {
  const { id, metric, lastError, lastEvaluatedAt, nextEvaluationAt, lastValue, enabled } = rule;
  const formatValue = useMetricValues();
  const names = useRuleNames(rule);
  return (
    <Stack gap="lg">
      {lastError !== null && (
        <Alert color="red" title="The last evaluation failed">
          {lastError}
        </Alert>
      )}
      <Section title="In words">
        <RuleSentences sentences={ruleSentences({ ...rule, ...names }, formatValue)} />
      </Section>
      <Properties
        of={{
          'Last evaluated': <Ago at={lastEvaluatedAt} absent="Not yet" />,
          'Next evaluation': enabled ? <Ago at={nextEvaluationAt} /> : 'None: it is disabled',
          Value: formatValue(alertMetrics[metric].unit, lastValue),
          Incidents: (
            <TextLink to="/incidents" search={{ alertRuleId: id }} inherit>
              Incidents of this rule
            </TextLink>
          ),
        }}
      />
      <Section title="Alerts" description="Those whose condition holds, or that still fire.">
        <Alerts rule={rule} />
      </Section>
    </Stack>
  );
}

/** What a rule does, a sentence for each part of it. */
export function RuleSentences({ sentences }: { readonly sentences: readonly string[] }) {
  return (
    <List size="sm" spacing={4}>
      {sentences.map((sentence) => (
        <List.Item key={sentence}>{sentence}</List.Item>
      ))}
    </List>
  );
}

/** What an alert is of, such as `Orders · Production`. */
export function subjectOf(labels: Readonly<Record<string, string>>): string {
  const own = ['rule', 'metric', 'severity', 'noData'];
  const names = Object.entries(labels).filter(([name]) => !name.endsWith('Id') && !own.includes(name));
  return names.map(([, value]) => value).join(' · ') || '–';
}

function Alerts({ rule: { metric, alerts } }: { readonly rule: Rule }) {
  const formatValue = useMetricValues();
  if (alerts.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        None.
      </Text>
    );
  }
  return (
    <RecordTable
      label="Table of alerts"
      rows={alerts.map((alert) => ({ ...alert, id: alert.fingerprint }))}
      columns={[
        { title: 'Of', cell: ({ labels }) => subjectOf(labels) },
        {
          title: 'State',
          cell: ({ state, noData }) => (
            <Mark tone={state === 'firing' ? 'bad' : 'warning'}>
              {`${state === 'firing' ? 'Firing' : 'Pending'}${noData ? ', no data' : ''}`}
            </Mark>
          ),
        },
        { title: 'Value', align: 'end', cell: ({ value }) => formatValue(alertMetrics[metric].unit, value) },
        { title: 'Since', cell: ({ firingSince, activeSince }) => <Ago at={firingSince ?? activeSince} /> },
        {
          title: 'Notifications',
          cell: ({ suppressedBy, inhibitedBy }) =>
            suppressedBy !== null ? 'Silenced' : inhibitedBy !== null ? 'Covered by another alert' : 'Sent',
        },
      ]}
    />
  );
}
