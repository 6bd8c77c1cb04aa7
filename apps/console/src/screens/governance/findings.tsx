import { Group, Text } from '@mantine/core';
import { choiceOf, EmptyList, type Filter, optionsOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { TextLink } from '@millrace/ui/text-link';
import { useState } from 'react';
import { type DataOf, useList } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { ListScreen } from '../../frame/list-screen.tsx';
import { FixLink } from './fix-link.tsx';
import { GovernanceTabs } from './governance-tabs.tsx';
import { SeverityMark, severities } from './severity-mark.tsx';
import { WaiveDialog } from './waive-dialog.tsx';

type Finding = DataOf<'listGovernanceFindings'>['findings'][number];

const filters: readonly Filter[] = [
  { name: 'severity', label: 'Severity', options: optionsOf(severities) },
  choiceOf('blocking', 'Blocking', 'Blocking', 'Not blocking'),
  choiceOf('waived', 'Waived', 'Waived', 'Not waived'),
  { name: 'code', label: 'Rule code', type: 'text' },
];

/** The findings of all API proxies. */
export function FindingList() {
  const [waiving, setWaiving] = useState<Finding | null>(null);
  return (
    <>
      <ListScreen
        title="Findings"
        description="Violations found in the last evaluation of each API proxy."
        noun="findings"
        list={useList('listGovernanceFindings')}
        tabs={<GovernanceTabs />}
        columns={[
          {
            title: 'API proxy',
            sort: 'proxyName',
            cell: ({ proxyId, proxyName }) => (
              <TextLink to="/proxies/$proxyId/governance" params={{ proxyId }}>
                {proxyName}
              </TextLink>
            ),
          },
          { title: 'Rule', sort: 'code', cell: ({ code }) => <code style={{ whiteSpace: 'nowrap' }}>{code}</code> },
          {
            title: 'Severity',
            sort: 'severity',
            cell: ({ severity, blocking, waiver }) => (
              <Group gap={4} wrap="nowrap">
                <SeverityMark severity={severity} />
                {blocking && waiver === null && <Mark tone="bad">Blocking</Mark>}
                {waiver !== null && <Mark tone="neutral">Waived</Mark>}
              </Group>
            ),
          },
          {
            title: 'Finding',
            cell: ({ message, location, remedy }) => (
              <>
                {message}
                <Text size="xs" c="dimmed">
                  {location}. {remedy}
                </Text>
              </>
            ),
          },
          {
            title: 'Actions',
            cell: (finding) => (
              <Group gap={6} wrap="nowrap">
                <FixLink finding={finding} />
                {finding.waiver === null && (
                  <PermittedButton
                    size="xs"
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
        empty={<EmptyList>No findings.</EmptyList>}
      />
      {waiving && <WaiveDialog finding={waiving} onClose={() => setWaiving(null)} />}
    </>
  );
}
