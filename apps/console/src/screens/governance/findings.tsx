import { Anchor, Group, Text } from '@mantine/core';
import { type Filter, optionsOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { Page } from '@millrace/ui/page';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, listQueryOf, useRead } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';
import { FixLink } from './fix-link.tsx';
import { GovernanceLinks } from './governance-links.tsx';
import { SeverityMark, severities } from './severity-mark.tsx';
import { WaiveDialog } from './waive-dialog.tsx';

type Finding = DataOf<'listGovernanceFindings'>['findings'][number];

const filters: readonly Filter[] = [
  { name: 'severity', label: 'Severity', options: optionsOf(severities) },
  {
    name: 'blocking',
    label: 'Blocking',
    options: [
      { value: 'true', label: 'Of blocking rules' },
      { value: 'false', label: 'Of other rules' },
    ],
  },
  {
    name: 'waived',
    label: 'Waived',
    options: [
      { value: 'true', label: 'Waived' },
      { value: 'false', label: 'Not waived' },
    ],
  },
  { name: 'code', label: 'Code of the rule', type: 'text' },
];

/** What the rules object to, in all API proxies. */
export function FindingList() {
  const search = useSearch({ from: '/shell/governance/findings' });
  const list = useRead('listGovernanceFindings', { query: listQueryOf(search) });
  const [waiving, setWaiving] = useState<Finding | null>(null);
  return (
    <Page title="Findings" description="What the last evaluation of each API proxy objected to.">
      <GovernanceLinks />
      <ResourceList
        noun="findings"
        rows={list.data?.findings}
        total={list.data?.total}
        loading={list.isFetching}
        error={list.error}
        columns={[
          {
            title: 'API proxy',
            sort: 'proxyName',
            cell: ({ proxyId, proxyName }) => (
              <Anchor renderRoot={(root) => <Link {...root} to="/proxies/$proxyId/governance" params={{ proxyId }} />}>
                {proxyName}
              </Anchor>
            ),
          },
          { title: 'Rule', sort: 'code', cell: ({ code }) => <code style={{ whiteSpace: 'nowrap' }}>{code}</code> },
          {
            title: 'Severity',
            sort: 'severity',
            cell: ({ severity, blocking, waiver }) => (
              <Group gap={4}>
                <SeverityMark severity={severity} />
                {blocking && waiver === null && <Mark tone="bad">Blocking</Mark>}
                {waiver !== null && <Mark tone="neutral">Waived</Mark>}
              </Group>
            ),
          },
          {
            title: 'What is wrong',
            cell: ({ message, location, remedy }) => (
              <>
                <Text size="sm">{message}</Text>
                <Text size="xs" c="dimmed">
                  {location}. {remedy}
                </Text>
              </>
            ),
          },
          {
            title: 'Actions',
            cell: (finding) => (
              <Group gap="xs">
                <FixLink finding={finding} />
                {finding.waiver === null && (
                  <PermittedButton
                    size="compact-sm"
                    variant="default"
                    permission="governance.waive"
                    aria-label={`Waive ${finding.code} at ${finding.location}`}
                    onClick={() => setWaiving(finding)}
                  >
                    Waive
                  </PermittedButton>
                )}
              </Group>
            ),
          },
        ]}
        filters={filters}
      />
      {waiving && <WaiveDialog finding={waiving} onClose={() => setWaiving(null)} />}
    </Page>
  );
}
