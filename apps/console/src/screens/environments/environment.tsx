import { Alert, SimpleGrid, Stack, Title } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { FormDialog } from '@millrace/ui/form-dialog';
import { Page } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Fact, Lines, Moment } from '@millrace/ui/values';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { EnvironmentForm } from './environment-form.tsx';
import { ProductionBadge } from './list.tsx';
import { ServingDeployments } from './serving-deployments.tsx';
import { Variables } from './variables.tsx';

/** One environment: its host names, what serves there, its variables. */
export function EnvironmentScreen() {
  const { environmentId } = useParams({ from: '/shell/environments/$environmentId' });
  const environment = useRead('getEnvironment', { params: { environmentId } }, { refetchInterval: 5_000 });
  return <EntityScreen read={environment}>{(data) => <Shown environment={data} />}</EntityScreen>;
}

type Environment = DataOf<'getEnvironment'>;

function Shown({ environment }: { readonly environment: Environment }) {
  const navigate = useNavigate();
  const remove = useWrite('deleteEnvironment');
  const [dialog, setDialog] = useState<'change' | 'delete' | null>(null);
  const close = () => setDialog(null);
  return (
    <Page
      title={environment.displayName}
      mark={environment.production ? <ProductionBadge /> : undefined}
      description={environment.description}
      crumbs={[{ label: 'Environments', to: '/environments' }]}
      actions={
        <>
          <PermittedButton variant="default" permission="environment.write" onClick={() => setDialog('change')}>
            Change
          </PermittedButton>
          <PermittedButton
            variant="default"
            c="var(--mantine-color-error)"
            permission="environment.delete"
            onClick={() => setDialog('delete')}
          >
            Delete
          </PermittedButton>
        </>
      }
    >
      <Stack gap="xl">
        {environment.refusal && <RefusalAlert refusal={environment.refusal} />}
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <Fact label="Name">
            <code>{environment.name}</code>
          </Fact>
          <Fact label="Host names">
            <Lines texts={environment.hostNames} />
          </Fact>
          <Fact label="Changed">
            <Moment at={environment.updatedAt} />
          </Fact>
        </SimpleGrid>
        <section>
          <Title order={2} size="h4" mb="sm">
            What serves here
          </Title>
          <ServingDeployments environmentId={environment.id} />
        </section>
        <section>
          <Title order={2} size="h4" mb="sm">
            Variables
          </Title>
          <Variables environmentId={environment.id} />
        </section>
      </Stack>
      <FormDialog title="Change the environment" opened={dialog === 'change'} onClose={close}>
        <EnvironmentForm environment={environment} onCancel={close} onSaved={close} />
      </FormDialog>
      {dialog === 'delete' && (
        <Confirm
          title="Delete the environment"
          action="Delete"
          typed={environment.name}
          done={`${environment.displayName} is deleted.`}
          onConfirm={() =>
            remove.mutateAsync({ params: { environmentId: environment.id }, version: environment.version })
          }
          onDone={() => navigate({ to: '/environments' })}
          onClose={close}
        >
          Its variables, and the record of what served here, go with it. An environment with target servers, or in which
          something serves, cannot be deleted.
        </Confirm>
      )}
    </Page>
  );
}

function RefusalAlert({ refusal }: { readonly refusal: NonNullable<Environment['refusal']> }) {
  const { nodes, reason, since, deploymentId } = refusal;
  return (
    <Alert color="red" title={nodes === 1 ? 'A gateway node refuses changes' : `${nodes} gateway nodes refuse changes`}>
      {reason} Since <Moment at={since} /> no change has been served: what was loaded before serves on.{' '}
      {deploymentId !== null && (
        <TextLink to="/deployments/$deploymentId" params={{ deploymentId }}>
          The deployment
        </TextLink>
      )}
    </Alert>
  );
}
