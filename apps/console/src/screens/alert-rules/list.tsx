import { alertMetrics } from '@millrace/alerting';
import { IconPlus } from '@millrace/ui/icons';
import { choiceOf, EmptyList } from '@millrace/ui/list';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { useList } from '../../frame/api.ts';
import { useEnvironments } from '../../frame/environments.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { RuleMark, SeverityMark, severityOptions, stateOptions } from './marks.tsx';
import { useMetricValues } from './metric-values.ts';
import { metricNames, metricOptions } from './metrics.ts';
import { operatorText } from './rule-text.ts';

/** What is watched, and how it stands; refreshed as often as rules are evaluated. */
export function AlertRuleList() {
  const { nameOf, options } = useEnvironments();
  const formatValue = useMetricValues();
  return (
    <ListScreen
      title="Alert rules"
      description="Each is evaluated every ten seconds. What fires becomes an incident."
      noun="alert rules"
      list={useList('listAlertRules', undefined, { refetchInterval: 10_000 })}
      actions={[
        {
          label: 'Create alert rule',
          icon: IconPlus,
          primary: true,
          permission: 'alert.write',
          link: { to: '/alert-rules/new' },
        },
      ]}
      columns={[
        {
          title: 'Name',
          sort: 'name',
          cell: ({ id, name }) => (
            <TextLink to="/alert-rules/$alertRuleId" params={{ alertRuleId: id }}>
              {name}
            </TextLink>
          ),
        },
        { title: 'State', cell: ({ state }) => <RuleMark state={state} /> },
        { title: 'Severity', sort: 'severity', cell: ({ severity }) => <SeverityMark severity={severity} /> },
        {
          title: 'Fires when',
          cell: ({ metric, operator, threshold }) => {
            const { unit } = alertMetrics[metric];
            const name = metricNames[metric];
            return unit === 'boolean' ? name : `${name} ${operatorText(operator)} ${formatValue(unit, threshold)}`;
          },
        },
        {
          title: 'Environment',
          cell: ({ environmentId }) => (environmentId === null ? 'All' : nameOf(environmentId)),
        },
        {
          title: 'Value',
          align: 'end',
          cell: ({ metric, lastValue }) => formatValue(alertMetrics[metric].unit, lastValue),
        },
        {
          title: 'Last evaluated',
          cell: ({ lastEvaluatedAt }) => <Ago at={lastEvaluatedAt} absent="Never" />,
        },
        { title: 'Updated', sort: 'updatedAt', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
      ]}
      hiddenColumns={['Updated']}
      filters={[
        { name: 'state', label: 'State', options: stateOptions },
        { name: 'severity', label: 'Severity', options: severityOptions },
        { name: 'environmentId', label: 'Environment', options },
        { name: 'metric', label: 'Metric', options: metricOptions, more: true },
        { ...choiceOf('enabled', 'Enabled', 'Enabled', 'Disabled'), more: true },
      ]}
      empty={<EmptyList>No alert rules yet. Create one to learn of errors before your users report them.</EmptyList>}
    />
  );
}
