import { Alert, Group, Stack, Text, Title } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { showDone, showFailure } from '@millrace/ui/form';
import { Loaded } from '@millrace/ui/page';
import { Moment } from '@millrace/ui/values';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../../frame/api.ts';
import { PermittedButton } from '../../../frame/can.tsx';
import { Score } from '../overview-tab.tsx';
import { useProxy } from '../proxy-context.tsx';
import { FindingCard } from './finding-card.tsx';
import { WaiveDialog } from './waive-dialog.tsx';

type Evaluation = DataOf<'getProxyGovernance'>;
type Finding = Evaluation['findings'][number];

/** What the rules of the organization object to in the working copy, and how to mend it. */
export function GovernanceTab() {
  const { proxy } = useProxy();
  const params = { proxyId: proxy.id };
  const read = useRead('getProxyGovernance', { params, query: { pageSize: 100 } });
  const evaluate = useWrite('evaluateProxyGovernance');
  const run = async () => {
    try {
      const { total } = await evaluate.mutateAsync({ params });
      showDone(total === 0 ? 'Nothing is objected to.' : `${total} ${total === 1 ? 'finding' : 'findings'}.`);
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <Loaded read={read}>
      {(evaluation) => (
        <Stack gap="lg">
          <Group justify="space-between" align="start">
            <Standing evaluation={evaluation} />
            <PermittedButton permission="governance.read" loading={evaluate.isPending} onClick={run}>
              Evaluate now
            </PermittedButton>
          </Group>
          {evaluation.evaluatedAt !== null && !evaluation.current && (
            <Alert color="yellow">
              The working copy or the rules changed since: evaluate again to see how it stands now.
            </Alert>
          )}
          <Findings evaluation={evaluation} />
        </Stack>
      )}
    </Loaded>
  );
}

function Standing({ evaluation }: { readonly evaluation: Evaluation }) {
  const { score, evaluatedAt, blocking, total } = evaluation;
  if (score === null || evaluatedAt === null) {
    return <Text>It was not evaluated yet. Every lifecycle move evaluates it too.</Text>;
  }
  return (
    <Group wrap="nowrap">
      <Score score={score} />
      <div>
        <Text fw={600} role="status">
          Score {score} of 100: {total} {total === 1 ? 'finding' : 'findings'}, {blocking} blocking
        </Text>
        <Text size="sm" c="dimmed">
          Evaluated <Moment at={evaluatedAt} />
        </Text>
      </div>
    </Group>
  );
}

function Findings({ evaluation }: { readonly evaluation: Evaluation }) {
  const { findings, total } = evaluation;
  const [waiving, setWaiving] = useState<Finding | null>(null);
  const [ending, setEnding] = useState<Finding | null>(null);
  const end = useWrite('endGovernanceWaiver');
  const groups = [
    { title: 'They stop a lifecycle move', findings: findings.filter((one) => one.blocking && one.waiver === null) },
    { title: 'To be considered', findings: findings.filter((one) => !one.blocking && one.waiver === null) },
    { title: 'Waived', findings: findings.filter((one) => one.waiver !== null) },
  ].filter((group) => group.findings.length > 0);
  if (evaluation.evaluatedAt !== null && total === 0) {
    return <Text>No rule objects to anything.</Text>;
  }
  return (
    <>
      {groups.map((group) => (
        <section key={group.title}>
          <Title order={2} size="h4" mb="sm">
            {group.title}
          </Title>
          <Stack gap="sm">
            {group.findings.map((finding) => (
              <FindingCard
                key={finding.id}
                finding={{ ...finding, waived: finding.waiver !== null }}
                actions={
                  finding.waiver === null ? (
                    <PermittedButton
                      size="compact-sm"
                      variant="default"
                      permission="governance.waive"
                      onClick={() => setWaiving(finding)}
                    >
                      Waive
                    </PermittedButton>
                  ) : (
                    <PermittedButton
                      size="compact-sm"
                      variant="default"
                      permission="governance.waive"
                      onClick={() => setEnding(finding)}
                    >
                      End the waiver
                    </PermittedButton>
                  )
                }
              />
            ))}
          </Stack>
        </section>
      ))}
      {total > findings.length && (
        <Text size="sm" c="dimmed">
          The worst {findings.length} of {total} findings.
        </Text>
      )}
      {waiving && <WaiveDialog finding={waiving} onClose={() => setWaiving(null)} />}
      {ending?.waiver && (
        <Confirm
          title={`End the waiver of ${ending.code}?`}
          action="End the waiver"
          done="The waiver is ended."
          onConfirm={() => end.mutateAsync({ params: { waiverId: ending.waiver!.id } })}
          onClose={() => setEnding(null)}
        >
          What it covers counts again at once, and stops lifecycle moves where its rule is a blocking one.
        </Confirm>
      )}
    </>
  );
}
