import { alertMetrics } from '@millrace/alerting';
import { Mark } from '@millrace/ui/mark';
import { useNumbers } from '@millrace/ui/numbers';
import { Moment } from '@millrace/ui/values';
import { useParams } from '@tanstack/react-router';
import { useList, useRead } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { useMetricValues } from './metric-values.ts';

/** What a rule saw at each of its last evaluations. */
export function AlertRuleEvaluations() {
  const { alertRuleId } = useParams({ from: '/shell/alert-rules/$alertRuleId/evaluations' });
  const rule = useRead('getAlertRule', { params: { alertRuleId } });
  const { rows, ...list } = useList('listAlertRuleEvaluations', { alertRuleId }, { refetchInterval: 10_000 });
  const formatValue = useMetricValues();
  const numbers = useNumbers();
  return (
    <ResourceList
      {...list}
      rows={rows?.map((evaluation) => ({ ...evaluation, id: evaluation.at }))}
      noun="evaluations"
      columns={[
        { title: 'Time', sort: 'at', cell: ({ at }) => <Moment at={at} seconds /> },
        {
          title: 'Outcome',
          cell: ({ outcome, error, firing, pending, withoutData }) => {
            if (outcome === 'failed') return <Mark tone="bad">{`Failed: ${error ?? 'unknown reason'}`}</Mark>;
            if (firing > 0) return <Mark tone="bad">{`${numbers.count(firing)} firing`}</Mark>;
            if (pending > 0) return <Mark tone="warning">{`${numbers.count(pending)} pending`}</Mark>;
            return withoutData > 0 ? <Mark tone="warning">No data</Mark> : <Mark tone="good">Quiet</Mark>;
          },
        },
        {
          title: 'Value',
          align: 'end',
          cell: ({ value }) => (rule.data ? formatValue(alertMetrics[rule.data.metric].unit, value) : '–'),
        },
        { title: 'Requests', align: 'end', cell: ({ requests }) => numbers.count(requests) },
        { title: 'Alerts', align: 'end', cell: ({ series }) => numbers.count(series) },
        { title: 'Without data', align: 'end', cell: ({ withoutData }) => numbers.count(withoutData) },
      ]}
      filters={[
        { name: 'from', label: 'From', type: 'moment' },
        { name: 'to', label: 'To', type: 'moment' },
        {
          name: 'outcome',
          label: 'Outcome',
          options: [
            { value: 'evaluated', label: 'Evaluated' },
            { value: 'failed', label: 'Failed' },
          ],
        },
      ]}
    />
  );
}
