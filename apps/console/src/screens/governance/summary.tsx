import { Group, Stack, Text } from '@mantine/core';
import { choiceOf, optionsOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { Page, Section } from '@millrace/ui/page';
import { type Column, RecordTable } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { useSearch } from '@tanstack/react-router';
import { type DataOf, listQueryOf, useRead } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { StageBadge } from '../../frame/stage-badge.tsx';
import { GovernanceTabs } from './governance-tabs.tsx';

type Summary = DataOf<'getGovernanceSummary'>;
type Scored = Summary['proxies'][number] & { readonly id: string };
type Rule = Summary['rules'][number] & { readonly id: string };

const stages = ['draft', 'review', 'approved', 'published', 'deprecated', 'retired'];

const proxyColumns: readonly Column<Scored>[] = [
  {
    title: 'API proxy',
    sort: 'name',
    cell: ({ proxyId, name }) => (
      <TextLink to="/proxies/$proxyId/governance" params={{ proxyId }}>
        {name}
      </TextLink>
    ),
  },
  { title: 'Stage', cell: ({ stage }) => <StageBadge stage={stage} /> },
  { title: 'Score', sort: 'score', align: 'end', cell: ({ score }) => score ?? '–' },
  { title: 'Blocking', sort: 'blocking', align: 'end', cell: ({ blocking }) => blocking },
  { title: 'Findings', sort: 'findings', align: 'end', cell: ({ findings }) => findings },
  { title: 'Waived', align: 'end', cell: ({ waived }) => waived },
  {
    title: 'Evaluated',
    sort: 'evaluatedAt',
    cell: ({ evaluatedAt, score, current }) => (
      <Group gap={6} wrap="nowrap">
        <Ago at={evaluatedAt} absent="Never" />
        {score !== null && !current && <Mark tone="warning">Changed since</Mark>}
      </Group>
    ),
  },
];

const ruleColumns: readonly Column<Rule>[] = [
  {
    title: 'Rule',
    cell: ({ code, name }) => (
      <TextLink to="/governance/findings" search={{ code }}>
        {code}: {name}
      </TextLink>
    ),
  },
  { title: 'Blocking', cell: ({ blocking }) => (blocking ? 'Yes' : 'No') },
  { title: 'Findings', align: 'end', cell: ({ findings }) => findings },
  { title: 'Waived', align: 'end', cell: ({ waived }) => waived },
  { title: 'API proxies', align: 'end', cell: ({ proxies }) => proxies },
];

/** The score of every API proxy, and how often each rule is violated. */
export function GovernanceSummary() {
  const search = useSearch({ from: '/shell/governance' });
  const { data, isFetching, error } = useRead('getGovernanceSummary', { query: listQueryOf(search) });
  return (
    <Page
      title="Governance"
      description="Rules that every API proxy is checked against. A blocking finding stops a lifecycle move."
      tabs={<GovernanceTabs />}
    >
      <Stack gap="lg">
        <Section title="API proxies" description={data && totalsOf(data)}>
          <ResourceList
            noun="API proxies"
            rows={data?.proxies.map((proxy) => ({ ...proxy, id: proxy.proxyId }))}
            total={data?.total}
            loading={isFetching}
            error={error}
            columns={proxyColumns}
            filters={[
              { name: 'stage', label: 'Stage', options: optionsOf(stages) },
              choiceOf('evaluated', 'Evaluation', 'Evaluated', 'Never evaluated'),
            ]}
          />
        </Section>
        {data && <ViolatedRules rules={data.rules} />}
      </Stack>
    </Page>
  );
}

function totalsOf({ averageScore, evaluated, notEvaluated }: Summary): string {
  const average = averageScore === null ? '' : `average score ${Math.round(averageScore)}, `;
  const text = `${average}${evaluated} evaluated, ${notEvaluated} never evaluated`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function ViolatedRules({ rules }: Pick<Summary, 'rules'>) {
  const violated = rules.filter(({ findings, waived }) => findings + waived > 0);
  return (
    <Section title="Violated rules">
      {violated.length === 0 ? (
        <Text size="sm" c="dimmed">
          No rule is violated.
        </Text>
      ) : (
        <RecordTable
          label="Table of violated rules"
          rows={violated.map((rule) => ({ ...rule, id: rule.code }))}
          columns={ruleColumns}
        />
      )}
    </Section>
  );
}
