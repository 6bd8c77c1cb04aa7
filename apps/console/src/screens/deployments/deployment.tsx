import { Alert, Anchor, SimpleGrid, Stack, Text } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { FormDialog } from '@millrace/ui/form-dialog';
import { Page, Section } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Fact, Moment } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { DiffView } from '../revisions/diff-view.tsx';
import { ComparisonSection } from './comparison.tsx';
import { RolloutSection } from './rollout.tsx';
import { DeploymentState } from './state-mark.tsx';
import { TrafficForm } from './traffic-form.tsx';

type Deployment = DataOf<'getDeployment'>;

const deploying = ['deployment.write', 'deployment.prod'] as const;

/** One deployment: what it changed, which nodes serve it, its share of the calls. */
export function DeploymentScreen() {
  const { deploymentId } = useParams({ from: '/shell/deployments/$deploymentId' });
  const read = useRead('getDeployment', { params: { deploymentId } }, { refetchInterval: 3_000 });
  return <EntityScreen read={read}>{(data) => <Shown deployment={data} />}</EntityScreen>;
}

function Shown({ deployment }: { readonly deployment: Deployment }) {
  const { id, proxyId, proxyName, environmentId, environmentName, revision, endedAt, rolledBackFrom } = deployment;
  const canary = deployment.strategy === 'canary';
  const navigate = useNavigate();
  return (
    <Page
      title={`${proxyName}, revision ${revision}`}
      mark={<DeploymentState state={deployment.state} />}
      description={deployment.note}
      crumbs={[{ label: 'Deployments', to: '/deployments' }]}
      actions={
        endedAt === null ? (
          <Actions deployment={deployment} />
        ) : deployment.state === 'failed' ? (
          <PermittedButton
            permission={deploying}
            onClick={() =>
              navigate({ to: '/proxies/$proxyId/deployments', params: { proxyId }, search: { deploy: environmentId } })
            }
          >
            Deploy again
          </PermittedButton>
        ) : undefined
      }
    >
      <Stack gap="xl">
        {deployment.failure && (
          <Alert color="red" title={deployment.state === 'rolled_back' ? 'It was rolled back by itself' : 'It failed'}>
            {deployment.failure}
            {deployment.state === 'failed' && ' Once the reason is gone, deploy it again.'}
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }}>
          <Fact label="API proxy">
            <Anchor renderRoot={(root) => <Link {...root} to="/proxies/$proxyId" params={{ proxyId }} />}>
              {proxyName}
            </Anchor>
          </Fact>
          <Fact label="Environment">
            <Anchor
              renderRoot={(root) => <Link {...root} to="/environments/$environmentId" params={{ environmentId }} />}
            >
              {environmentName}
            </Anchor>
          </Fact>
          <Fact label="How">
            {wordsOf(deployment.strategy)}, {deployment.weight} % of the{' '}
            {canary && deployment.split === 'callers' ? 'callers' : 'calls'}
          </Fact>
          <Fact label="Deployed">
            <Moment at={deployment.createdAt} /> by {deployment.createdByName}
          </Fact>
          <Fact label="Ended">
            <Moment at={endedAt} absent="It serves" />
          </Fact>
          <Fact label="Took the place of">
            {deployment.previousId === null ? (
              'Nothing'
            ) : (
              <Anchor
                renderRoot={(root) => (
                  <Link
                    {...root}
                    to="/deployments/$deploymentId"
                    params={{ deploymentId: deployment.previousId ?? '' }}
                  />
                )}
              >
                The deployment before
              </Anchor>
            )}
          </Fact>
        </SimpleGrid>
        {rolledBackFrom && (
          <Text>
            It serves in the place of{' '}
            <TextLink to="/deployments/$deploymentId" params={{ deploymentId: rolledBackFrom.deploymentId }}>
              revision {rolledBackFrom.revision}
            </TextLink>
            , which was rolled back or failed.
          </Text>
        )}
        {canary && <ComparisonSection deploymentId={id} />}
        {endedAt === null && <RolloutSection deploymentId={id} />}
        <Section title="What it changed">
          <DiffView diff={deployment.diff} same="Nothing: the same content served already." />
        </Section>
      </Stack>
    </Page>
  );
}

function Actions({ deployment }: { readonly deployment: Deployment }) {
  const { id, proxyId, proxyName, environmentId, environmentName, revision, strategy, version } = deployment;
  const params = { deploymentId: id };
  const navigate = useNavigate();
  const promote = useWrite('promoteDeployment');
  const rollBack = useWrite('rollBackDeployment');
  const undeploy = useWrite('undeployDeployment');
  const serving = useRead('listServingDeployments', { params: { environmentId }, query: { proxyId } });
  const [dialog, setDialog] = useState<'traffic' | 'promote' | 'rollback' | 'undeploy' | null>(null);
  const close = () => setDialog(null);
  const beside = serving.data?.deployments ?? [];
  const canary = strategy === 'canary' && beside.length > 1;
  return (
    <>
      {canary && (
        <PermittedButton permission={deploying} onClick={() => setDialog('promote')}>
          Promote
        </PermittedButton>
      )}
      <PermittedButton
        variant="default"
        permission={deploying}
        blocked={beside.length < 2 && 'It serves alone: there is nothing to split.'}
        onClick={() => setDialog('traffic')}
      >
        Split the traffic
      </PermittedButton>
      <PermittedButton
        variant="default"
        permission={deploying}
        blocked={deployment.previousId === null && 'Nothing served here before it.'}
        onClick={() => setDialog('rollback')}
      >
        Roll back
      </PermittedButton>
      <PermittedButton
        variant="default"
        c="var(--mantine-color-error)"
        permission={deploying}
        onClick={() => setDialog('undeploy')}
      >
        Undeploy
      </PermittedButton>
      <FormDialog title={`Traffic of ${proxyName} in ${environmentName}`} opened={dialog === 'traffic'} onClose={close}>
        <TrafficForm deploymentId={id} serving={beside} onClose={close} />
      </FormDialog>
      {dialog === 'promote' && (
        <Confirm
          title={`Promote revision ${revision}`}
          action="Promote"
          done={`Revision ${revision} gets all calls.`}
          onConfirm={() => promote.mutateAsync({ params, version })}
          onClose={close}
        >
          It gets all calls; what serves beside it is superseded.
        </Confirm>
      )}
      {dialog === 'rollback' && (
        <Confirm
          title={`Roll back in ${environmentName}`}
          action="Roll back"
          done="Rolled back."
          onConfirm={async () => {
            const { id: serves } = await rollBack.mutateAsync({ params, version });
            await navigate({ to: '/deployments/$deploymentId', params: { deploymentId: serves } });
          }}
          onClose={close}
        >
          The revision that served before gets all calls again.
        </Confirm>
      )}
      {dialog === 'undeploy' && (
        <Confirm
          title={`Undeploy ${proxyName} in ${environmentName}`}
          action="Undeploy"
          typed={beside.length > 1 ? undefined : proxyName}
          done="It no longer serves."
          onConfirm={() => undeploy.mutateAsync({ params, version })}
          onClose={close}
        >
          {beside.length > 1
            ? 'What serves beside it gets all calls again.'
            : 'Callers get 404 from then on: nothing serves beside it.'}
        </Confirm>
      )}
    </>
  );
}
