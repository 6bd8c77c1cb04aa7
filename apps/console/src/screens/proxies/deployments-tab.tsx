import { Group, Stack } from '@mantine/core';
import { Mark } from '@millrace/ui/mark';
import { Loaded, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { PermittedActions } from '../../frame/actions.tsx';
import { type DataOf, useList, useRead } from '../../frame/api.ts';
import { useEnvironments } from '../../frame/environments.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { deploying, useDeploymentActions } from '../deployments/actions.ts';
import { DeploymentState, deploymentStates } from '../deployments/state-mark.tsx';
import { DeployDialog } from './deploy-dialog.tsx';
import { useOpened } from './opened.ts';
import { useProxy } from './proxy-context.tsx';

type Deployment = DataOf<'listDeployments'>['deployments'][number];
type Environment = DataOf<'listEnvironments'>['environments'][number];

/** What is live in each environment, and every earlier deployment. */
export function DeploymentsTab() {
  const { proxy } = useProxy();
  const proxyId = proxy.id;
  const live = useRead(
    'listDeployments',
    { query: { proxyId, serving: 'true', pageSize: 100 } },
    { refetchInterval: 3_000 },
  );
  const [deployTo, deploy] = useOpened('deploy');
  return (
    <Stack gap="lg">
      <Section title="Environments">
        <Loaded read={live}>{({ deployments }) => <Environments deployments={deployments} onDeploy={deploy} />}</Loaded>
      </Section>
      <Section title="History">
        <History proxyId={proxyId} />
      </Section>
      {deployTo !== null && <DeployDialog environmentId={deployTo} onClose={() => deploy(null)} />}
    </Stack>
  );
}

interface Row {
  readonly id: string;
  readonly environment: Environment;
  readonly deployment: Deployment | null;
  /** How many other deployments are live in the environment. */
  readonly liveBeside: number;
  readonly first: boolean;
}

/** A row for each live deployment, and one for each environment without any. */
function Environments(props: {
  readonly deployments: readonly Deployment[];
  readonly onDeploy: (environmentId: string) => void;
}) {
  const { deployments, onDeploy } = props;
  const { environments } = useEnvironments();
  const rows = environments.flatMap((environment): readonly Row[] => {
    const live = deployments.filter(({ environmentId }) => environmentId === environment.id);
    if (live.length === 0) return [{ id: environment.id, environment, deployment: null, liveBeside: 0, first: true }];
    const liveBeside = live.length - 1;
    return live.map((deployment, index) => {
      return { id: deployment.id, environment, deployment, liveBeside, first: index === 0 };
    });
  });
  return (
    <RecordTable
      label="Table of environments"
      rows={rows}
      columns={[
        {
          title: 'Environment',
          cell: ({ environment: { displayName, production } }) => (
            <>
              {displayName} {production && <Mark tone="accent">Production</Mark>}
            </>
          ),
        },
        {
          title: 'Live revision',
          cell: ({ deployment }) =>
            deployment === null ? (
              'Not deployed'
            ) : (
              <TextLink to="/deployments/$deploymentId" params={{ deploymentId: deployment.id }}>
                Revision {deployment.revision}
              </TextLink>
            ),
        },
        { title: 'State', cell: ({ deployment }) => deployment && <DeploymentState state={deployment.state} /> },
        { title: 'Traffic', align: 'end', cell: ({ deployment }) => deployment && `${deployment.weight} %` },
        {
          title: 'Deployed',
          cell: ({ deployment }) =>
            deployment && (
              <>
                <Ago at={deployment.createdAt} /> by {deployment.createdByName}
              </>
            ),
        },
        {
          title: 'Actions',
          cell: ({ environment, deployment, liveBeside, first }) => (
            <Group gap={6} wrap="nowrap">
              {deployment && <LiveActions deployment={deployment} liveBeside={liveBeside} />}
              {first && <DeployAction environment={environment} onDeploy={() => onDeploy(environment.id)} />}
            </Group>
          ),
        },
      ]}
    />
  );
}

function LiveActions(props: { readonly deployment: Deployment; readonly liveBeside: number }) {
  const actions = useDeploymentActions(props.deployment, props.liveBeside);
  return <PermittedActions size="compact-xs" actions={actions} />;
}

function DeployAction({ environment, onDeploy }: { readonly environment: Environment; readonly onDeploy: () => void }) {
  const { proxy } = useProxy();
  return (
    <PermittedActions
      size="compact-xs"
      actions={[
        {
          label: 'Deploy',
          name: `Deploy to ${environment.displayName}`,
          permission: environment.production ? 'deployment.prod' : deploying,
          blocked: proxy.latestRevision === 0 && 'Cut a revision first: only revisions can be deployed.',
          run: onDeploy,
        },
      ]}
    />
  );
}

function History({ proxyId }: { readonly proxyId: string }) {
  const { options } = useEnvironments();
  return (
    <ResourceList<Deployment>
      noun="deployments"
      {...useList('listDeployments', undefined, { query: { proxyId } })}
      filters={[
        { name: 'environmentId', label: 'Environment', options },
        { name: 'state', label: 'State', options: deploymentStates },
      ]}
      columns={[
        {
          title: 'Revision',
          sort: 'revision',
          cell: ({ id, revision }) => (
            <TextLink to="/deployments/$deploymentId" params={{ deploymentId: id }}>
              {revision}
            </TextLink>
          ),
        },
        { title: 'Environment', cell: ({ environmentName }) => environmentName },
        { title: 'State', cell: ({ state }) => <DeploymentState state={state} /> },
        { title: 'Deployed by', cell: ({ createdByName }) => createdByName },
        { title: 'Deployed', sort: 'createdAt', cell: ({ createdAt }) => <Ago at={createdAt} /> },
        { title: 'Note', cell: ({ note, failure }) => failure ?? (note || '–') },
      ]}
    />
  );
}
