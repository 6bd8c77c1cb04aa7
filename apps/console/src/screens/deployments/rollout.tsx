import { Progress, Stack, Table, Text } from '@mantine/core';
import { Mark } from '@millrace/ui/mark';
import { Loaded, Section } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Moment } from '@millrace/ui/values';
import { type DataOf, useRead } from '../../frame/api.ts';
import { HealthMark } from '../gateway-nodes/health-mark.tsx';

type Rollout = DataOf<'getDeploymentRollout'>;
type Node = Rollout['nodes'][number];

/** Which gateway nodes serve a deployment, anew every few seconds, and why others do not. */
export function RolloutSection({ deploymentId }: { readonly deploymentId: string }) {
  const read = useRead('getDeploymentRollout', { params: { deploymentId } }, { refetchInterval: 3_000 });
  return (
    <Section title="Gateway nodes">
      <Loaded read={read}>
        {(rollout) =>
          rollout.nodes.length === 0 ? (
            <Text c="dimmed">
              It waits for a gateway node: none is registered in this environment, and callers cannot reach it until one
              is.
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
    total === 0 ? 'No node reports that could serve it.' : `${serving} of ${total} nodes that are waited for serve it.`;
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {text} {snapshotSequence !== null && `It came with configuration ${snapshotSequence}.`}
      </Text>
      {total > 0 && (
        <Progress.Root size="sm">
          <Progress.Section
            value={(serving / total) * 100}
            color={serving === total ? 'teal' : undefined}
            aria-label="Nodes that serve it"
            aria-valuetext={text}
          />
        </Progress.Root>
      )}
      <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Node</Table.Th>
              <Table.Th>Health</Table.Th>
              <Table.Th>Serves it</Table.Th>
              <Table.Th>Configuration</Table.Th>
              <Table.Th>Why not</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {nodes.map((node) => (
              <Table.Tr key={node.nodeId}>
                <Table.Td>
                  <TextLink to="/gateway-nodes/$nodeId" params={{ nodeId: node.nodeId }}>
                    {node.name}
                  </TextLink>
                </Table.Td>
                <Table.Td>
                  <HealthMark health={node.health} />
                </Table.Td>
                <Table.Td>
                  {node.serving ? (
                    <>
                      since <Moment at={node.servingSince} absent="now" />
                    </>
                  ) : (
                    <Mark tone={node.refused ? 'bad' : 'neutral'}>{node.refused ? 'Refused' : 'Not yet'}</Mark>
                  )}
                </Table.Td>
                <Table.Td>{node.configuration ?? '–'}</Table.Td>
                <Table.Td>{reasonOf(node)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}

/** Why a node does not serve the deployment, or why nobody waits for it. */
function reasonOf({ serving, refused, awaited, health }: Node): string {
  if (refused !== null) return `Configuration ${refused.sequence}: ${refused.reason}`;
  if (!awaited) return `It is ${health}, and not waited for.`;
  return serving ? '–' : 'It has not loaded the configuration yet.';
}
