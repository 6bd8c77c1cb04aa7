import { Anchor, Badge, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import type { ListSearch } from '@millrace/ui/list-search';
import { Loaded } from '@millrace/ui/page';
import { Moment } from '@millrace/ui/values';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, listQueryOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { useEnvironments } from '../../frame/environments.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { DeploymentState, deploymentStates } from '../deployments/state-mark.tsx';
import { DeployDialog } from './deploy-dialog.tsx';
import { listPart, useOpened } from './opened.ts';
import { useProxy } from './proxy-context.tsx';

type Deployment = DataOf<'listDeployments'>['deployments'][number];
type Environment = DataOf<'listEnvironments'>['environments'][number];

const deploying = ['deployment.write', 'deployment.prod'] as const;

/** What serves where, and what served before. */
export function DeploymentsTab() {
  const { proxy } = useProxy();
  const { environments } = useEnvironments();
  const search = listPart(useSearch({ strict: false }) as ListSearch, 'deploy');
  const serving = useRead('listDeployments', { query: { proxyId: proxy.id, serving: 'true', pageSize: 100 } });
  const read = useRead('listDeployments', { query: { ...listQueryOf(search), proxyId: proxy.id } });
  const [deployTo, deploy] = useOpened('deploy');
  return (
    <Stack gap="xl">
      <Loaded read={serving}>
        {({ deployments }) => (
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
            {environments.map((environment) => (
              <EnvironmentCard
                key={environment.id}
                environment={environment}
                serving={deployments.filter(({ environmentId }) => environmentId === environment.id)}
                onDeploy={() => deploy(environment.id)}
              />
            ))}
          </SimpleGrid>
        )}
      </Loaded>
      <section>
        <Title order={2} size="h4" mb="md">
          History
        </Title>
        <ResourceList<Deployment>
          noun="deployments"
          rows={read.data?.deployments}
          total={read.data?.total}
          loading={read.isFetching}
          error={read.error}
          filters={[
            {
              name: 'environmentId',
              label: 'Environment',
              options: environments.map(({ id, displayName }) => ({ value: id, label: displayName })),
            },
            {
              name: 'state',
              label: 'State',
              options: deploymentStates,
            },
          ]}
          columns={[
            {
              title: 'When',
              sort: 'createdAt',
              cell: ({ id, createdAt }) => (
                <Anchor
                  size="sm"
                  renderRoot={(root) => (
                    <Link {...root} to="/deployments/$deploymentId" params={{ deploymentId: id }} />
                  )}
                >
                  <Moment at={createdAt} />
                </Anchor>
              ),
            },
            { title: 'Environment', cell: ({ environmentName }) => environmentName },
            { title: 'Revision', sort: 'revision', cell: ({ revision }) => revision },
            { title: 'State', cell: ({ state }) => <DeploymentState state={state} /> },
            { title: 'Who', cell: ({ createdByName }) => createdByName },
            { title: 'Note', cell: ({ note, failure }) => failure ?? (note || '–') },
          ]}
        />
      </section>
      {deployTo !== null && <DeployDialog environmentId={deployTo} onClose={() => deploy(null)} />}
    </Stack>
  );
}

function EnvironmentCard(props: {
  readonly environment: Environment;
  readonly serving: readonly Deployment[];
  readonly onDeploy: () => void;
}) {
  const { environment, serving } = props;
  const { proxy } = useProxy();
  return (
    <Card withBorder padding="md" component="section">
      <Group gap="xs" mb="sm">
        <Title order={2} size="h5">
          {environment.displayName}
        </Title>
        {environment.production && (
          <Badge size="sm" variant="default" tt="none">
            production
          </Badge>
        )}
      </Group>
      <Stack gap="sm" mb="md">
        {serving.length === 0 && (
          <Text size="sm" c="dimmed">
            It does not serve here.
          </Text>
        )}
        {serving.map((deployment) => (
          <ServingDeployment key={deployment.id} deployment={deployment} beside={serving.length > 1} />
        ))}
      </Stack>
      <PermittedButton
        size="xs"
        mt="auto"
        permission={environment.production ? 'deployment.prod' : deploying}
        blocked={proxy.latestRevision === 0 && 'Cut a revision first: only revisions are deployed.'}
        onClick={props.onDeploy}
        aria-label={`Deploy to ${environment.displayName}`}
      >
        Deploy
      </PermittedButton>
    </Card>
  );
}

function ServingDeployment(props: { readonly deployment: Deployment; readonly beside: boolean }) {
  const { deployment, beside } = props;
  const [asking, setAsking] = useState<'rollback' | 'undeploy' | 'promote' | null>(null);
  const rollBack = useWrite('rollBackDeployment');
  const undeploy = useWrite('undeployDeployment');
  const promote = useWrite('promoteDeployment');
  const params = { deploymentId: deployment.id };
  const close = () => setAsking(null);
  const canary = deployment.weight < 100 && beside;
  return (
    <div>
      <Group gap="xs">
        <Anchor
          fw={600}
          renderRoot={(root) => (
            <Link {...root} to="/deployments/$deploymentId" params={{ deploymentId: deployment.id }} />
          )}
        >
          Revision {deployment.revision}
        </Anchor>
        <DeploymentState state={deployment.state} />
        {canary && <Text size="sm">{deployment.weight} % of the calls</Text>}
      </Group>
      <Text size="sm" c="dimmed">
        since <Moment at={deployment.createdAt} />, by {deployment.createdByName}
      </Text>
      <Group gap="xs" mt={6}>
        {canary && deployment.strategy === 'canary' && (
          <PermittedButton size="compact-xs" permission={deploying} onClick={() => setAsking('promote')}>
            Promote
          </PermittedButton>
        )}
        <PermittedButton
          size="compact-xs"
          variant="default"
          permission={deploying}
          blocked={deployment.previousId === null && 'Nothing served here before it.'}
          onClick={() => setAsking('rollback')}
        >
          Roll back
        </PermittedButton>
        <PermittedButton
          size="compact-xs"
          variant="default"
          permission={deploying}
          onClick={() => setAsking('undeploy')}
        >
          Undeploy
        </PermittedButton>
      </Group>
      {asking === 'rollback' && (
        <Confirm
          title={`Roll back in ${deployment.environmentName}?`}
          action="Roll back"
          done="Rolled back."
          onConfirm={() => rollBack.mutateAsync({ params })}
          onClose={close}
        >
          The revision that served before revision {deployment.revision} serves all calls again.
        </Confirm>
      )}
      {asking === 'undeploy' && (
        <Confirm
          title={`Undeploy from ${deployment.environmentName}?`}
          action="Undeploy"
          done="Undeployed."
          onConfirm={() => undeploy.mutateAsync({ params })}
          onClose={close}
        >
          {beside ? 'What serves beside it gets all calls.' : 'Callers there get 404 from then on.'}
        </Confirm>
      )}
      {asking === 'promote' && (
        <Confirm
          title={`Give revision ${deployment.revision} all calls?`}
          action="Promote"
          done={`Revision ${deployment.revision} serves all calls.`}
          onConfirm={() => promote.mutateAsync({ params })}
          onClose={close}
        >
          What served beside it is superseded.
        </Confirm>
      )}
    </div>
  );
}
