import { Alert, Group, Stack, Text } from '@mantine/core';
import { EmptyList } from '@millrace/ui/list';
import { Loaded, Section } from '@millrace/ui/page';
import { Ago } from '@millrace/ui/values';
import { counted } from '@millrace/ui/words';
import { useState } from 'react';
import { PermittedActions } from '../../frame/actions.tsx';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { FindingCard } from '../governance/finding-card.tsx';
import { WaiveDialog } from '../governance/waive-dialog.tsx';
import { useProxy } from './proxy-context.tsx';
import { Score } from './score.tsx';

type Evaluation = DataOf<'getProxyGovernance'>;
type Finding = Evaluation['findings'][number];

/** The findings of the working copy, and how to fix them. */
export function GovernanceTab() {
  const { proxy } = useProxy();
  const params = { proxyId: proxy.id };
  const read = useRead('getProxyGovernance', { params, query: { pageSize: 100 } });
  const evaluate = useWrite('evaluateProxyGovernance');
  return (
    <Loaded read={read}>
      {(evaluation) => (
        <Stack gap="lg">
          <Group justify="space-between" gap="xs">
            <Summary evaluation={evaluation} />
            <PermittedActions
              actions={[
                {
                  label: 'Evaluate now',
                  permission: 'governance.read',
                  run: () => evaluate.mutateAsync({ params }),
                  done: 'Working copy evaluated.',
                },
              ]}
            />
          </Group>
          {evaluation.evaluatedAt !== null && !evaluation.current && (
            <Alert color="yellow">The working copy or the rules have changed since. Evaluate again.</Alert>
          )}
          <Findings evaluation={evaluation} />
        </Stack>
      )}
    </Loaded>
  );
}

function Summary({ evaluation }: { readonly evaluation: Evaluation }) {
  const { score, evaluatedAt, blocking, total } = evaluation;
  if (score === null || evaluatedAt === null) {
    return (
      <Text size="sm" c="dimmed">
        Not evaluated yet. Every lifecycle move evaluates the working copy, too.
      </Text>
    );
  }
  return (
    <Group gap="xs">
      <Text size="sm" fw={500} role="status">
        Score <Score score={score} /> {counted(total, 'finding')}, {blocking} blocking
      </Text>
      <Text size="sm" c="dimmed">
        Evaluated <Ago at={evaluatedAt} />
      </Text>
    </Group>
  );
}

function Findings({ evaluation }: { readonly evaluation: Evaluation }) {
  const { findings, total, evaluatedAt } = evaluation;
  if (evaluatedAt !== null && total === 0) return <EmptyList>No findings: every rule is met.</EmptyList>;
  const groups = [
    { title: 'Blocking findings', findings: findings.filter((one) => one.blocking && one.waiver === null) },
    { title: 'Other findings', findings: findings.filter((one) => !one.blocking && one.waiver === null) },
    { title: 'Waived findings', findings: findings.filter((one) => one.waiver !== null) },
  ].filter((group) => group.findings.length > 0);
  return (
    <>
      {groups.map((group) => (
        <Section key={group.title} title={group.title}>
          <Stack gap="xs">
            {group.findings.map((finding) => (
              <FindingCard
                key={finding.id}
                finding={{ ...finding, waived: finding.waiver !== null }}
                actions={<WaiverActions finding={finding} />}
              />
            ))}
          </Stack>
        </Section>
      ))}
      {total > findings.length && (
        <Text size="sm" c="dimmed">
          The {findings.length} most severe of {total} findings.
        </Text>
      )}
    </>
  );
}

function WaiverActions({ finding }: { readonly finding: Finding }) {
  const { code, waiver } = finding;
  const end = useWrite('endGovernanceWaiver');
  const [waiving, setWaiving] = useState(false);
  const permission = 'governance.waive';
  return (
    <>
      <PermittedActions
        size="xs"
        actions={[
          {
            label: 'Waive',
            hidden: waiver !== null,
            permission,
            run: () => setWaiving(true),
          },
          {
            label: 'End waiver',
            hidden: waiver === null,
            permission,
            run: () => end.mutateAsync({ params: { waiverId: waiver!.id } }),
            done: 'Waiver ended.',
            confirm: {
              title: `End the waiver of ${code}?`,
              text: 'Its findings count again immediately. If the rule is blocking, they block lifecycle moves.',
            },
          },
        ]}
      />
      {waiving && <WaiveDialog finding={finding} onClose={() => setWaiving(false)} />}
    </>
  );
}
