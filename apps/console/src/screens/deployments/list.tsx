import { Select } from '@mantine/core';
import { useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { IconRocket } from '@millrace/ui/icons';
import { choiceOf, optionsOf } from '@millrace/ui/list';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useNavigate } from '@tanstack/react-router';
import { useList } from '../../frame/api.ts';
import { ProxyField } from '../../frame/entity-fields.tsx';
import { useEnvironments } from '../../frame/environments.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { deploying } from './actions.ts';
import { DeploymentState, deploymentStates } from './state-mark.tsx';

/** The deployments of every environment, live and past. */
export function DeploymentList() {
  const { options } = useEnvironments();
  return (
    <ListScreen
      title="Deployments"
      description="Which revision is live where. Each one shows what it would change before it starts."
      noun="deployments"
      list={useList('listDeployments')}
      actions={[
        {
          label: 'Deploy',
          icon: IconRocket,
          primary: true,
          permission: deploying,
          form: { title: 'Deploy', body: (close) => <DeployForm onCancel={close} /> },
        },
      ]}
      columns={[
        {
          title: 'API proxy',
          cell: ({ id, proxyName, revision }) => (
            <TextLink to="/deployments/$deploymentId" params={{ deploymentId: id }}>
              {proxyName}, revision {revision}
            </TextLink>
          ),
        },
        { title: 'Environment', cell: ({ environmentName }) => environmentName },
        { title: 'State', cell: ({ state }) => <DeploymentState state={state} /> },
        {
          title: 'Strategy',
          cell: ({ strategy, weight, endedAt }) =>
            endedAt === null ? `${wordsOf(strategy)}, ${weight} %` : wordsOf(strategy),
        },
        { title: 'Deployed by', cell: ({ createdByName }) => createdByName },
        { title: 'Deployed', sort: 'createdAt', cell: ({ createdAt }) => <Ago at={createdAt} /> },
        { title: 'Note', cell: ({ note, failure }) => failure ?? (note || '–') },
      ]}
      hiddenColumns={['Deployed by']}
      filters={[
        { name: 'environmentId', label: 'Environment', options },
        { name: 'state', label: 'State', options: deploymentStates },
        { name: 'strategy', label: 'Strategy', options: optionsOf(['direct', 'canary']) },
        choiceOf('serving', 'Live', 'Live now', 'Ended'),
      ]}
    />
  );
}

/** Chooses what to deploy where; the proxy's own screen has the rest, with what would change there. */
function DeployForm({ onCancel }: { readonly onCancel: () => void }) {
  const navigate = useNavigate();
  const { environments } = useEnvironments();
  const form = useForm({ proxyId: '', environmentId: '' }, async ({ proxyId, environmentId }) => {
    await navigate({ to: '/proxies/$proxyId/deployments', params: { proxyId }, search: { deploy: environmentId } });
  });
  const { proxyId, environmentId } = form.values;
  return (
    <FormBody form={form} submitLabel="Continue" onCancel={onCancel} disabled={proxyId === '' || environmentId === ''}>
      <ProxyField
        value={proxyId}
        onChange={(id) => form.set('proxyId', id)}
        error={form.errorAt('proxyId')}
        description="One without a revision can’t be deployed"
        disabled={({ latestRevision }) => latestRevision === 0}
      />
      <Select
        label="Environment"
        required
        data={environments.map(({ id, displayName, production }) => ({
          value: id,
          label: production ? `${displayName} (production)` : displayName,
        }))}
        value={environmentId || null}
        onChange={(id) => form.set('environmentId', id ?? '')}
      />
    </FormBody>
  );
}
