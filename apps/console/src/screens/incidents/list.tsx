import { SimpleGrid } from '@mantine/core';
import { choiceOf, EmptyList, optionsOf } from '@millrace/ui/list';
import { useNumbers } from '@millrace/ui/numbers';
import { Page } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Fact, Lines } from '@millrace/ui/values';
import { type DataOf, useList, useRead } from '../../frame/api.ts';
import { durationText } from '../../frame/duration-text.ts';
import { useEnvironments } from '../../frame/environments.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { useSession } from '../../frame/session.tsx';
import { SeverityMark, severityOptions } from '../alert-rules/marks.tsx';
import { useMetricValues } from '../alert-rules/metric-values.ts';
import { operatorText } from '../alert-rules/rule-text.ts';
import { IncidentMark, incidentStates } from './marks.tsx';

/** What fired, what became of it, and how fast. */
export function IncidentList() {
  const { data, ...list } = useList('listIncidents', undefined, { refetchInterval: 15_000 });
  const { options } = useEnvironments();
  const { can } = useSession();
  const rules = useRead('listAlertRules', { query: { pageSize: 100 } }, { enabled: can('alert.read') });
  const proxies = useRead('listProxies', { query: { pageSize: 100 } }, { enabled: can('proxy.read') });
  const formatValue = useMetricValues();
  return (
    <Page title="Incidents">
      <Figures figures={data?.figures} />
      <ResourceList
        {...list}
        noun="incidents"
        columns={[
          {
            title: 'Incident',
            cell: ({ id, title }) => (
              <TextLink to="/incidents/$incidentId" params={{ incidentId: id }}>
                {title}
              </TextLink>
            ),
          },
          { title: 'State', cell: ({ state }) => <IncidentMark state={state} /> },
          { title: 'Severity', sort: 'severity', cell: ({ severity }) => <SeverityMark severity={severity} /> },
          {
            title: 'Worst value',
            align: 'end',
            cell: ({ unit, peakValue, operator, threshold }) =>
              unit === 'boolean'
                ? '–'
                : `${formatValue(unit, peakValue)} (${operatorText(operator)} ${formatValue(unit, threshold)})`,
          },
          { title: 'API proxies', cell: ({ proxies: affected }) => <Lines texts={affected.map(({ name }) => name)} /> },
          { title: 'Opened', sort: 'openedAt', cell: ({ openedAt }) => <Ago at={openedAt} /> },
          {
            title: 'Resolved after',
            cell: ({ openedAt, resolvedAt }) =>
              resolvedAt === null ? '–' : durationText((Date.parse(resolvedAt) - Date.parse(openedAt)) / 1_000),
          },
          { title: 'Owner', cell: ({ owner }) => owner?.name ?? '–' },
        ]}
        filters={[
          choiceOf('unresolved', 'Unresolved', 'Unresolved', 'Resolved'),
          { name: 'severity', label: 'Severity', options: severityOptions },
          { name: 'environmentId', label: 'Environment', options },
          { name: 'state', label: 'State', options: optionsOf(incidentStates), more: true },
          {
            name: 'proxyId',
            label: 'API proxy',
            more: true,
            options: (proxies.data?.proxies ?? []).map(({ id, displayName }) => ({ value: id, label: displayName })),
          },
          {
            name: 'alertRuleId',
            label: 'Alert rule',
            more: true,
            options: (rules.data?.alertRules ?? []).map(({ id, name }) => ({ value: id, label: name })),
          },
          { name: 'from', label: 'Opened from', type: 'moment', more: true },
          { name: 'to', label: 'Opened before', type: 'moment', more: true },
        ]}
        empty={
          <EmptyList>
            No incidents. They are opened by <TextLink to="/alert-rules">alert rules</TextLink> that fire.
          </EmptyList>
        }
      />
    </Page>
  );
}

function Figures({ figures }: { readonly figures: DataOf<'listIncidents'>['figures'] | undefined }) {
  const numbers = useNumbers();
  const mean = (seconds: number | null | undefined) =>
    seconds === null || seconds === undefined ? '–' : durationText(seconds);
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} mb="md">
      <Fact label="Unresolved">{figures ? numbers.count(figures.unresolved) : '–'}</Fact>
      <Fact label="Not acknowledged">{figures ? numbers.count(figures.unacknowledged) : '–'}</Fact>
      <Fact label="Mean time to acknowledge">{mean(figures?.meanSecondsToAcknowledge)}</Fact>
      <Fact label="Mean time to resolve">{mean(figures?.meanSecondsToResolve)}</Fact>
    </SimpleGrid>
  );
}
