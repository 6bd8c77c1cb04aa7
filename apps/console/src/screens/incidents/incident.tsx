import { Alert, SimpleGrid, Stack } from '@mantine/core';
import { Mark } from '@millrace/ui/mark';
import { Page, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Fact, Moment, Properties } from '@millrace/ui/values';
import type { LinkProps } from '@tanstack/react-router';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../frame/api.ts';
import { durationText } from '../../frame/duration-text.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { SeverityMark } from '../alert-rules/marks.tsx';
import { useMetricValues } from '../alert-rules/metric-values.ts';
import { metricNames } from '../alert-rules/metrics.ts';
import { subjectOf } from '../alert-rules/overview.tsx';
import { useNotifiable } from '../alert-rules/rule-names.ts';
import { operatorText } from '../alert-rules/rule-text.ts';
import { IncidentActions } from './actions.tsx';
import { type Incident, IncidentMark } from './marks.tsx';
import { Timeline } from './timeline.tsx';

/** One incident: what was measured, what is affected, and everything that happened. */
export function IncidentScreen() {
  const { incidentId } = useParams({ from: '/shell/incidents/$incidentId' });
  const read = useRead('getIncident', { params: { incidentId } }, { refetchInterval: 10_000 });
  return <EntityScreen read={read}>{(incident) => <Shown incident={incident} />}</EntityScreen>;
}

function Shown({ incident }: { readonly incident: Incident }) {
  const { title, state, severity, suppressed, warning, summary, alerts, unit } = incident;
  const formatValue = useMetricValues();
  return (
    <Page
      title={title}
      mark={
        <>
          <IncidentMark state={state} />
          <SeverityMark severity={severity} />
          {suppressed && <Mark tone="neutral">Silenced</Mark>}
        </>
      }
      crumbs={[{ label: 'Incidents', to: '/incidents' }]}
      actions={<IncidentActions incident={incident} />}
    >
      <Stack gap="lg">
        {warning !== null && (
          <Alert color="yellow" title="The rule still fires">
            {warning}
          </Alert>
        )}
        {summary !== null && (
          <Alert color="green" title="Summary" style={{ whiteSpace: 'pre-wrap' }}>
            {summary}
          </Alert>
        )}
        <Measured incident={incident} />
        <Facts incident={incident} />
        <Section title="Members" description="One alert for each thing that the rule watches.">
          <RecordTable
            label="Table of members"
            rows={alerts.map((alert) => ({ ...alert, id: alert.fingerprint }))}
            columns={[
              {
                title: 'Of',
                cell: ({ proxyId, proxyName, labels }) =>
                  proxyId === null ? (
                    subjectOf(labels)
                  ) : (
                    <TextLink to="/proxies/$proxyId" params={{ proxyId }}>
                      {proxyName ?? proxyId}
                    </TextLink>
                  ),
              },
              {
                title: 'State',
                cell: ({ state: now }) => (
                  <Mark tone={now === 'firing' ? 'bad' : 'good'}>{now === 'firing' ? 'Firing' : 'Recovered'}</Mark>
                ),
              },
              { title: 'Last value', align: 'end', cell: ({ value }) => formatValue(unit, value) },
              { title: 'Worst value', align: 'end', cell: ({ peakValue }) => formatValue(unit, peakValue) },
              { title: 'Threshold', align: 'end', cell: ({ threshold }) => formatValue(unit, threshold) },
              { title: 'Fired', cell: ({ since }) => <Moment at={since} seconds /> },
              { title: 'Recovered', cell: ({ recoveredAt }) => <Moment at={recoveredAt} seconds /> },
              {
                title: 'Notifications',
                cell: ({ suppressedBy, inhibitedBy }) =>
                  suppressedBy !== null ? 'Silenced' : inhibitedBy !== null ? 'Covered by another alert' : 'Sent',
              },
            ]}
          />
        </Section>
        <Timeline incident={incident} />
      </Stack>
    </Page>
  );
}

/** The measured values beside the threshold. */
function Measured({ incident }: { readonly incident: Incident }) {
  const { metric, operator, threshold, unit, value, peakValue, openedAt, resolvedAt } = incident;
  const formatValue = useMetricValues();
  const untilMs = resolvedAt === null ? Date.now() : Date.parse(resolvedAt);
  const hasValue = unit !== 'boolean';
  return (
    <SimpleGrid cols={{ base: 2, md: 5 }}>
      <Fact label="Metric">{metricNames[metric]}</Fact>
      {hasValue && <Fact label="Last value">{formatValue(unit, value)}</Fact>}
      {hasValue && <Fact label="Worst value">{formatValue(unit, peakValue)}</Fact>}
      {hasValue && <Fact label="Fires">{`${operatorText(operator)} ${formatValue(unit, threshold)}`}</Fact>}
      <Fact label={resolvedAt === null ? 'Open for' : 'Resolved after'}>
        {durationText(Math.max(0, untilMs - Date.parse(openedAt)) / 1_000)}
      </Fact>
    </SimpleGrid>
  );
}

function Facts({ incident }: { readonly incident: Incident }) {
  const { rule, environment, openedAt, acknowledgedAt, reopenedAt, reopenings, recoveredAt, resolvedAt } = incident;
  const { owner, resolvedBy, nextEscalation, suppressedBy, trafficPath, previousId, visibility } = incident;
  const { nameOf } = useNotifiable();
  const [path, query] = trafficPath.split('?');
  return (
    <Properties
      of={{
        'Alert rule': (
          <TextLink to="/alert-rules/$alertRuleId" params={{ alertRuleId: rule.id }} inherit>
            {rule.name}
          </TextLink>
        ),
        Environment: environment?.name,
        'Status page': { automatic: 'Shown while critical', public: 'Shown', private: 'Hidden' }[visibility],
        Traffic: (
          <TextLink
            to={path as LinkProps['to']}
            search={Object.fromEntries(new URLSearchParams(query)) as never}
            inherit
          >
            Traffic around it
          </TextLink>
        ),
        Opened: <Moment at={openedAt} seconds />,
        Acknowledged: acknowledgedAt !== null && (
          <>
            <Moment at={acknowledgedAt} seconds />
            {owner && ` by ${owner.name}`}
          </>
        ),
        Reopened: reopenedAt !== null && (
          <>
            <Moment at={reopenedAt} seconds />
            {reopenings > 1 && `, ${reopenings} times in all`}
          </>
        ),
        Recovered: recoveredAt !== null && <Moment at={recoveredAt} seconds />,
        Resolved: resolvedAt !== null && (
          <>
            <Moment at={resolvedAt} seconds />
            {resolvedBy === null ? ' automatically' : ` by ${resolvedBy.name}`}
          </>
        ),
        'Next escalation': nextEscalation && (
          <>
            {nameOf(nextEscalation.integrationId)}, <Ago at={nextEscalation.at} />
          </>
        ),
        'Silenced by':
          suppressedBy.length > 0 && suppressedBy.map(({ silenceId, comment }) => comment ?? silenceId).join(', '),
        'Incident before': previousId !== null && (
          <TextLink to="/incidents/$incidentId" params={{ incidentId: previousId }} inherit>
            The previous one of this rule
          </TextLink>
        ),
      }}
    />
  );
}
