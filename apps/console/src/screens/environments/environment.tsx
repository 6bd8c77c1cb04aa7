import { Alert, Stack } from '@mantine/core';
import { Page, Section } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Lines, Moment, Properties } from '@millrace/ui/values';
import { useNavigate, useParams } from '@tanstack/react-router';
import { deleteAction, editAction, PermittedActions } from '../../frame/actions.tsx';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { EnvironmentForm } from './environment-form.tsx';
import { ProductionMark } from './list.tsx';
import { ServingDeployments } from './serving-deployments.tsx';
import { Variables } from './variables.tsx';

/** One environment: its host names, its live deployments, its variables. */
export function EnvironmentScreen() {
  const { environmentId } = useParams({ from: '/shell/environments/$environmentId' });
  const environment = useRead('getEnvironment', { params: { environmentId } }, { refetchInterval: 5_000 });
  return <EntityScreen read={environment}>{(data) => <Shown environment={data} />}</EntityScreen>;
}

type Environment = DataOf<'getEnvironment'>;

function Shown({ environment }: { readonly environment: Environment }) {
  const { id, name, displayName, description, production, hostNames, refusal, updatedAt, version } = environment;
  const navigate = useNavigate();
  const remove = useWrite('deleteEnvironment');
  return (
    <Page
      title={displayName}
      mark={production ? <ProductionMark /> : undefined}
      description={description}
      crumbs={[{ label: 'Environments', to: '/environments' }]}
      actions={
        <PermittedActions
          actions={[
            editAction({
              noun: 'environment',
              permission: 'environment.write',
              body: (close) => <EnvironmentForm environment={environment} onCancel={close} onSaved={close} />,
            }),
            deleteAction({
              name: displayName,
              permission: 'environment.delete',
              typed: name,
              text: 'Its variables and its deployment history go with it. Possible only while it has no target servers and no live deployments.',
              run: () => remove.mutateAsync({ params: { environmentId: id }, version }),
              onDone: () => navigate({ to: '/environments' }),
            }),
          ]}
        />
      }
    >
      <Stack gap="lg">
        {refusal && <RefusalAlert refusal={refusal} />}
        <Properties
          of={{
            Name: <code>{name}</code>,
            'Host names': <Lines texts={hostNames} />,
            Updated: <Ago at={updatedAt} />,
          }}
        />
        <Section title="Live deployments">
          <ServingDeployments environmentId={id} />
        </Section>
        <Section title="Variables">
          <Variables environmentId={id} />
        </Section>
      </Stack>
    </Page>
  );
}

function RefusalAlert({ refusal }: { readonly refusal: NonNullable<Environment['refusal']> }) {
  const { nodes, reason, since, deploymentId } = refusal;
  return (
    <Alert color="red" title={nodes === 1 ? 'A gateway node rejects changes' : `${nodes} gateway nodes reject changes`}>
      {reason} No change has taken effect since <Moment at={since} />; the last good configuration stays live.{' '}
      {deploymentId !== null && (
        <TextLink to="/deployments/$deploymentId" params={{ deploymentId }}>
          View deployment
        </TextLink>
      )}
    </Alert>
  );
}
