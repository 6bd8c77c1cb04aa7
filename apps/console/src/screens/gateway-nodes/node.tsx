import { Alert, Stack } from '@mantine/core';
import { Page } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Lines, Moment, Properties } from '@millrace/ui/values';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { useEnvironments } from '../../frame/environments.ts';
import { TrafficStrip } from '../traffic/strip.tsx';
import { type GatewayNode, HealthMark } from './health-mark.tsx';
import { NodeActions } from './node-actions.tsx';
import { NodeMetrics } from './node-metrics.tsx';

/** One gateway node, as it reports. */
export function GatewayNodeScreen() {
  const { nodeId } = useParams({ from: '/shell/gateway-nodes/$nodeId' });
  const read = useRead('getGatewayNode', { params: { nodeId } }, { refetchInterval: 2_000 });
  return <EntityScreen read={read}>{(data) => <Shown node={data} />}</EntityScreen>;
}

function Shown({ node }: { readonly node: GatewayNode }) {
  const { id, name, health, environmentId, configuration, problems } = node;
  const { held, assigned, refused } = configuration;
  const { nameOf } = useEnvironments();
  return (
    <Page
      title={name}
      mark={<HealthMark health={health} />}
      description={node.description}
      crumbs={[{ label: 'Gateway nodes', to: '/gateway-nodes' }]}
      actions={<NodeActions node={node} />}
    >
      <Stack gap="lg">
        {problems.length > 0 && (
          <Alert color={health === 'offline' ? 'red' : 'yellow'} title="Problems">
            <Lines texts={problems} />
          </Alert>
        )}
        <Properties
          of={{
            Environment: (
              <TextLink to="/environments/$environmentId" params={{ environmentId }}>
                {nameOf(environmentId)}
              </TextLink>
            ),
            'Last report': <Ago at={node.lastHeartbeatAt} absent="Never" />,
            Configuration: `${held ?? 'None'}${assigned === held ? '' : ` (latest: ${assigned ?? 'none'})`}`,
            Ready: node.ready ? 'Yes, all revisions are loaded' : 'No',
            Registered: <Ago at={node.registeredAt} absent="Not yet" />,
            Started: <Ago at={node.startedAt} />,
            Address: node.address === null ? '–' : <code>{node.address}</code>,
            Software: node.software ?? '–',
            'Registration token':
              node.registrationExpiresAt === null ? (
                'None pending'
              ) : (
                <>
                  Expires <Ago at={node.registrationExpiresAt} />
                </>
              ),
          }}
        />
        {refused !== null && (
          <Alert color="red" title={`It rejected ${refusedName(refused.sequence)}`}>
            {refused.reason} The previous one has stayed live since <Moment at={refused.since} />.
          </Alert>
        )}
        <NodeMetrics nodeId={id} />
        <TrafficStrip of={{ environmentId, gatewayNodeId: id }} />
      </Stack>
    </Page>
  );
}

/** That of consumers has no number. */
function refusedName(sequence: number): string {
  return sequence === 0 ? 'the consumers’ configuration' : `configuration ${sequence}`;
}
