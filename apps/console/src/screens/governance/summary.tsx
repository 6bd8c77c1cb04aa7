import { Anchor, SimpleGrid, Table, Text, Title } from '@mantine/core';
import { optionsOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { Page } from '@millrace/ui/page';
import type { Column } from '@millrace/ui/record-table';
import { Ago, Fact } from '@millrace/ui/values';
import { Link, useSearch } from '@tanstack/react-router';
import { type DataOf, listQueryOf, useRead } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { StageBadge } from '../../frame/stage-badge.tsx';
import { GovernanceLinks } from './governance-links.tsx';

type Summary = DataOf<'getGovernanceSummary'>;
type Scored = Summary['proxies'][number] & { readonly id: string };

const stages = ['draft', 'review', 'approved', 'published', 'deprecated', 'retired'];

const columns: readonly Column<Scored>[] = [
  {
    title: 'API proxy',
    sort: 'name',
    cell: ({ proxyId, name }) => (
      <Anchor renderRoot={(root) => <Link {...root} to="/proxies/$proxyId/governance" params={{ proxyId }} />}>
        {name}
      </Anchor>
    ),
  },
  { title: 'Stage', cell: ({ stage }) => <StageBadge stage={stage} /> },
  {
    title: 'Score',
    sort: 'score',
    cell: ({ score, current }) => (
      <>
        {score ?? '–'} {score !== null && !current && <Mark tone="warning">Changed since</Mark>}
      </>
    ),
  },
  {
    title: 'Blocking',
    sort: 'blocking',
    cell: ({ blocking }) => (blocking > 0 ? <Mark tone="bad">{blocking}</Mark> : blocking),
  },
  { title: 'Findings', sort: 'findings', cell: ({ findings }) => findings },
  { title: 'Waived', cell: ({ waived }) => waived },
  {
    title: 'Evaluated',
    sort: 'evaluatedAt',
    cell: ({ evaluatedAt }) => <Ago at={evaluatedAt} absent="Never" />,
  },
];

/** The score of every API proxy, and how often each rule is broken. */
export function GovernanceSummary() {
  const search = useSearch({ from: '/shell/governance' });
  const summary = useRead('getGovernanceSummary', { query: listQueryOf(search) });
  return (
    <Page
      title="Governance"
      description="Rules that every API proxy is held against. A blocking finding stops its move to the next stage."
    >
      <GovernanceLinks />
      {summary.data && <Figures summary={summary.data} />}
      <Title order={2} size="h4" mb="sm">
        API proxies
      </Title>
      <ResourceList
        noun="API proxies"
        rows={summary.data?.proxies.map((proxy) => ({ ...proxy, id: proxy.proxyId }))}
        total={summary.data?.total}
        loading={summary.isFetching}
        error={summary.error}
        columns={columns}
        filters={[
          { name: 'stage', label: 'Stage', options: optionsOf(stages) },
          {
            name: 'evaluated',
            label: 'Evaluation',
            options: [
              { value: 'true', label: 'Evaluated' },
              { value: 'false', label: 'Never evaluated' },
            ],
          },
        ]}
      />
      {summary.data && <Rules rules={summary.data.rules} />}
    </Page>
  );
}

function Figures({ summary }: { readonly summary: Summary }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} mb="xl">
      <Fact label="Average score">{summary.averageScore === null ? '–' : Math.round(summary.averageScore)}</Fact>
      <Fact label="Evaluated">{summary.evaluated}</Fact>
      <Fact label="Never evaluated">{summary.notEvaluated}</Fact>
    </SimpleGrid>
  );
}

function Rules({ rules }: { readonly rules: Summary['rules'] }) {
  const broken = rules.filter(({ findings, waived }) => findings + waived > 0);
  return (
    <section>
      <Title order={2} size="h4" mt="xl" mb="sm">
        Rules that are broken
      </Title>
      {broken.length === 0 ? (
        <Text c="dimmed">None.</Text>
      ) : (
        <Table.ScrollContainer minWidth={480} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Rule</Table.Th>
                <Table.Th>Findings</Table.Th>
                <Table.Th>Waived</Table.Th>
                <Table.Th>API proxies</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {broken.map(({ code, name, blocking, findings, waived, proxies }) => (
                <Table.Tr key={code}>
                  <Table.Td>
                    <Anchor renderRoot={(root) => <Link {...root} to="/governance/findings" search={{ code }} />}>
                      {code}: {name}
                    </Anchor>{' '}
                    {blocking && <Mark tone="bad">Blocking</Mark>}
                  </Table.Td>
                  <Table.Td>{findings}</Table.Td>
                  <Table.Td>{waived}</Table.Td>
                  <Table.Td>{proxies}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </section>
  );
}
