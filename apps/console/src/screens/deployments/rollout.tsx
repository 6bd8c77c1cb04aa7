import { Progress, Stack, Text } from '@mantine/core';
import { Mark } from '@millrace/ui/mark';
import { Loaded, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { type DataOf, useRead } from '../../frame/api.ts';
import { HealthMark } from '../gateway-nodes/health-mark.tsx';

type Rollout = DataOf<'getDeploymentRollout'>;
type Node = Rollout['nodes'][number];

/** Which gateway nodes have loaded a deployment, refreshed every few seconds, and why others have not. */
export function RolloutSection({ deploymentId }: { readonly deploymentId: string }) {
  const read = useRead('getDeploymentRollout', { params: { deploymentId } }, { refetchInterval: 3_000 });
  return (
    <Section title="Rollout">
      <Loaded read={read}>
        {(rollout) =>
          rollout.nodes.length === 0 ? (
            <Text size="sm" c="dimmed">
              Waiting for a gateway node: none is registered in this environment, so callers can’t reach it.
            </Text>
          ) : (
            <Shown rollout={rollout} />
          )
        }
      </Loaded>
    </Section>
  );
}

function Shown({ rollout }: { readonly rollout: Rollout }) {
  const { nodes, total, serving, snapshotSequence } = rollout;
  const text =
    total === 0 ? 'No reporting node can load it.' : `${serving} of ${total} reporting nodes have loaded it.`;
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {text} {snapshotSequence !== null && `It is part of configuration ${snapshotSequence}.`}
      </Text>
      {total > 0 && (
        <Progress.Root size="sm">
          <Progress.Section
            value={(serving / total) * 100}
            color={serving === total ? 'teal' : undefined}
            aria-label="Nodes that have loaded it"
            aria-valuetext={text}
          />
        </Progress.Root>
      )}
      <RecordTable
        label="Table of gateway nodes"
        rows={nodes.map((node) => ({ ...node, id: node.nodeId }))}
        columns={[
          {
            title: 'Node',
            cell: ({ nodeId, name }) => (
              <TextLink to="/gateway-nodes/$nodeId" params={{ nodeId }}>
                {name}
              </TextLink>
            ),
          },
          { title: 'Health', cell: ({ health }) => <HealthMark health={health} /> },
          { title: 'Rollout', cell: (node) => <NodeRollout node={node} /> },
          { title: 'Configuration', align: 'end', cell: ({ configuration }) => configuration ?? '–' },
          { title: 'Reason', cell: reasonOf },
        ]}
      />
    </Stack>
  );
}

function NodeRollout({ node }: { readonly node: Node }) {
  if (!node.serving)
    return <Mark tone={node.refused ? 'bad' : 'neutral'}>{node.refused ? 'Rejected' : 'Not loaded'}</Mark>;
  return (
    <>
      <Mark tone="good">Loaded</Mark> {node.servingSince && <Ago at={node.servingSince} />}
    </>
  );
}

/** Why a node has not loaded the deployment, or why the rollout doesn't wait for it. */
function reasonOf({ serving, refused, awaited, health }: Node): string {
  if (refused !== null) return `Configuration ${refused.sequence}: ${refused.reason}`;
  if (!awaited) return `The rollout doesn’t wait for it: it is ${health}.`;
  return serving ? '–' : 'It has not loaded the configuration yet.';
}
