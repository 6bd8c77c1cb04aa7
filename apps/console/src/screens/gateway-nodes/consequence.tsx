import { Alert, Text } from '@mantine/core';
import { Loaded } from '@millrace/ui/page';
import { useRead } from '../../frame/api.ts';
import { useEnvironments } from '../../frame/environments.ts';
import type { GatewayNode } from './health-mark.tsx';

/** What its environment has left without a node. */
export function Consequence(props: { readonly node: GatewayNode; readonly action: 'drained' | 'removed' }) {
  const { node, action } = props;
  const { id, name, environmentId } = node;
  const { nameOf } = useEnvironments();
  const read = useRead('listGatewayNodes', { query: { environmentId, pageSize: 100 } });
  const environment = nameOf(environmentId);
  return (
    <Loaded read={read}>
      {({ gatewayNodes, total }) => {
        const others = gatewayNodes.filter((other) => other.id !== id);
        const serving = others.filter(isServing);
        if (serving.length > 0) {
          const count = serving.length === 1 ? 'One other node' : `${serving.length} other nodes`;
          return (
            <Text>
              {count} of {environment} {serving.length === 1 ? 'serves' : 'serve'} its callers
              {action === 'drained' && ', and has to carry its traffic'}: {namesOf(serving)}.
            </Text>
          );
        }
        const only =
          total === 1 ? `${name} is the only node of ${environment}` : `No other node of ${environment} serves`;
        return (
          <Alert color="red" title={only}>
            {action === 'drained'
              ? `Callers of ${environment} get no answer until it is resumed or another node serves.`
              : `Callers of ${environment} get no answer until another node serves. Its deployments wait for one.`}
          </Alert>
        );
      }}
    </Loaded>
  );
}

/** Whether calls can go to it. */
function isServing({ health, configuration }: GatewayNode): boolean {
  return (health === 'healthy' || health === 'degraded') && configuration.held !== null;
}

const mostNamed = 5;

function namesOf(nodes: readonly GatewayNode[]): string {
  const names = nodes.slice(0, mostNamed).map(({ name }) => name);
  return nodes.length > mostNamed ? `${names.join(', ')} and ${nodes.length - mostNamed} more` : names.join(', ');
}
