import { Alert, Stack } from '@mantine/core';
import { Page, Section } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Properties } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useNavigate, useParams } from '@tanstack/react-router';
import { PermittedActions } from '../../frame/actions.tsx';
import { type DataOf, useRead } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { DiffView } from '../revisions/diff-view.tsx';
import { TrafficStrip } from '../traffic/strip.tsx';
import { deploying, useDeploymentActions } from './actions.ts';
import { ComparisonSection } from './comparison.tsx';
import { RolloutSection } from './rollout.tsx';
import { DeploymentState } from './state-mark.tsx';
import { TrafficForm } from './traffic-form.tsx';

type Deployment = DataOf<'getDeployment'>;

/** One deployment: what it changed, its share of the calls, and its rollout. */
export function DeploymentScreen() {
  const { deploymentId } = useParams({ from: '/shell/deployments/$deploymentId' });
  const read = useRead('getDeployment', { params: { deploymentId } }, { refetchInterval: 3_000 });
  return <EntityScreen read={read}>{(data) => <Shown deployment={data} />}</EntityScreen>;
}

function Shown({ deployment }: { readonly deployment: Deployment }) {
  const { id, proxyId, proxyName, environmentId, revision, state, failure, endedAt } = deployment;
  const again = {
    label: 'Deploy again',
    primary: true,
    hidden: state !== 'failed',
    permission: deploying,
    link: { to: '/proxies/$proxyId/deployments', params: { proxyId }, search: { deploy: environmentId } },
  } as const;
  return (
    <Page
      title={`${proxyName}, revision ${revision}`}
      mark={<DeploymentState state={state} />}
      description={deployment.note}
      crumbs={[{ label: 'Deployments', to: '/deployments' }]}
      actions={endedAt === null ? <LiveActions deployment={deployment} /> : <PermittedActions actions={[again]} />}
    >
      <Stack gap="lg">
        {failure && (
          <Alert color="red" title={state === 'rolled_back' ? 'Rolled back automatically' : 'Failed'}>
            {failure}
            {state === 'failed' && ' Fix the cause, then deploy it again.'}
          </Alert>
        )}
        <Properties of={propertiesOf(deployment)} />
        <TrafficStrip of={{ proxyId, environmentId, deploymentId: id }} />
        {deployment.strategy === 'canary' && <ComparisonSection deploymentId={id} />}
        {endedAt === null && <RolloutSection deploymentId={id} />}
        <Section title="Changes">
          <DiffView diff={deployment.diff} same="None: the same content was live already." />
        </Section>
      </Stack>
    </Page>
  );
}

function propertiesOf(deployment: Deployment) {
  const { proxyId, proxyName, environmentId, environmentName, strategy, weight, split, previousId } = deployment;
  const { createdAt, createdByName, endedAt, rolledBackFrom } = deployment;
  const shared = strategy === 'canary' && split === 'callers' ? 'callers' : 'calls';
  return {
    'API proxy': (
      <TextLink to="/proxies/$proxyId" params={{ proxyId }}>
        {proxyName}
      </TextLink>
    ),
    Environment: (
      <TextLink to="/environments/$environmentId" params={{ environmentId }}>
        {environmentName}
      </TextLink>
    ),
    Strategy: `${wordsOf(strategy)}, ${weight} % of ${shared}`,
    Deployed: (
      <>
        <Ago at={createdAt} /> by {createdByName}
      </>
    ),
    Ended: endedAt && <Ago at={endedAt} />,
    Replaced:
      previousId === null ? (
        'Nothing'
      ) : (
        <TextLink to="/deployments/$deploymentId" params={{ deploymentId: previousId }}>
          The previous deployment
        </TextLink>
      ),
    'Restored after': rolledBackFrom && (
      <>
        <TextLink to="/deployments/$deploymentId" params={{ deploymentId: rolledBackFrom.deploymentId }}>
          Revision {rolledBackFrom.revision}
        </TextLink>{' '}
        failed or was rolled back
      </>
    ),
  };
}

function LiveActions({ deployment }: { readonly deployment: Deployment }) {
  const { id, proxyId, proxyName, environmentId, environmentName } = deployment;
  const navigate = useNavigate();
  const live = useRead('listServingDeployments', { params: { environmentId }, query: { proxyId } });
  const deployments = live.data?.deployments ?? [];
  const [promote, ...others] = useDeploymentActions(deployment, deployments.length - 1, (liveId) =>
    navigate({ to: '/deployments/$deploymentId', params: { deploymentId: liveId } }),
  );
  return (
    <PermittedActions
      actions={[
        { ...promote!, primary: true },
        {
          label: 'Split traffic',
          permission: deploying,
          blocked: deployments.length < 2 && 'Only one deployment is live here.',
          form: {
            title: `Traffic of ${proxyName} in ${environmentName}`,
            body: (close) => <TrafficForm deploymentId={id} live={deployments} onClose={close} />,
          },
        },
        ...others,
      ]}
    />
  );
}
