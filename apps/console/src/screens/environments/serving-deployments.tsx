import { Anchor, Table, Text } from '@mantine/core';
import { Loaded } from '@millrace/ui/page';
import { Moment } from '@millrace/ui/values';
import { Link } from '@tanstack/react-router';
import { useRead } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';
import { DeploymentState } from '../deployments/state-mark.tsx';

/** What serves in an environment now. */
export function ServingDeployments({ environmentId }: { readonly environmentId: string }) {
  const { can } = useSession();
  const allowed = can('deployment.read');
  const serving = useRead(
    'listServingDeployments',
    { params: { environmentId }, query: { pageSize: 100 } },
    { enabled: allowed },
  );
  if (!allowed) return <Text c="dimmed">You need the permission deployment.read to see it.</Text>;
  return (
    <Loaded read={serving}>
      {({ deployments, total }) =>
        deployments.length === 0 ? (
          <Text c="dimmed">Nothing serves here.</Text>
        ) : (
          <Table.ScrollContainer minWidth={500} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>API proxy</Table.Th>
                  <Table.Th>Revision</Table.Th>
                  <Table.Th>State</Table.Th>
                  <Table.Th>Share of the calls</Table.Th>
                  <Table.Th>Since</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {deployments.map(({ id, proxyName, revision, state, weight, createdAt }) => (
                  <Table.Tr key={id}>
                    <Table.Td>
                      <Anchor
                        renderRoot={(root) => (
                          <Link {...root} to="/deployments/$deploymentId" params={{ deploymentId: id }} />
                        )}
                      >
                        {proxyName}
                      </Anchor>
                    </Table.Td>
                    <Table.Td>{revision}</Table.Td>
                    <Table.Td>
                      <DeploymentState state={state} />
                    </Table.Td>
                    <Table.Td>{weight} %</Table.Td>
                    <Table.Td>
                      <Moment at={createdAt} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            {total > deployments.length && <Text size="sm">{total - deployments.length} more</Text>}
          </Table.ScrollContainer>
        )
      }
    </Loaded>
  );
}
