import { Anchor, Select, Text } from '@mantine/core';
import { useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { optionsOf } from '@millrace/ui/list';
import { Page } from '@millrace/ui/page';
import type { Column } from '@millrace/ui/record-table';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, listQueryOf, useRead } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { ProxyField } from '../../frame/entity-fields.tsx';
import { useEnvironments } from '../../frame/environments.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { DeploymentState, deploymentStates } from './state-mark.tsx';

type Deployment = DataOf<'listDeployments'>['deployments'][number];

const columns: readonly Column<Deployment>[] = [
  {
    title: 'API proxy',
    cell: ({ id, proxyName, revision }) => (
      <Anchor renderRoot={(root) => <Link {...root} to="/deployments/$deploymentId" params={{ deploymentId: id }} />}>
        {proxyName}, revision {revision}
      </Anchor>
    ),
  },
  { title: 'Environment', cell: ({ environmentName }) => environmentName },
  { title: 'State', cell: ({ state }) => <DeploymentState state={state} /> },
  {
    title: 'How',
    cell: ({ strategy, weight, endedAt }) =>
      endedAt === null ? `${wordsOf(strategy)}, ${weight} %` : wordsOf(strategy),
  },
  { title: 'Who', cell: ({ createdByName }) => createdByName },
  { title: 'When', sort: 'createdAt', cell: ({ createdAt }) => <Ago at={createdAt} /> },
  { title: 'Note', cell: ({ note, failure }) => failure ?? (note || '–') },
];

/** What serves, and what served, in every environment. */
export function DeploymentList() {
  const search = useSearch({ from: '/shell/deployments' });
  const list = useRead('listDeployments', { query: listQueryOf(search) });
  const { options } = useEnvironments();
  const [deploying, setDeploying] = useState(false);
  return (
    <Page
      title="Deployments"
      description="Which revision serves where. What would change, and what would stop it, is shown before each."
      actions={
        <PermittedButton permission={['deployment.write', 'deployment.prod']} onClick={() => setDeploying(true)}>
          Deploy
        </PermittedButton>
      }
    >
      <ResourceList
        noun="deployments"
        rows={list.data?.deployments}
        total={list.data?.total}
        loading={list.isFetching}
        error={list.error}
        columns={columns}
        filters={[
          { name: 'environmentId', label: 'Environment', options },
          { name: 'state', label: 'State', options: deploymentStates },
          { name: 'strategy', label: 'Strategy', options: optionsOf(['direct', 'canary']) },
          {
            name: 'serving',
            label: 'Serving',
            options: [
              { value: 'true', label: 'Serves now' },
              { value: 'false', label: 'Served before' },
            ],
          },
        ]}
      />
      <FormDialog title="Deploy" opened={deploying} onClose={() => setDeploying(false)}>
        <Choose onCancel={() => setDeploying(false)} />
      </FormDialog>
    </Page>
  );
}

/** Chooses what goes where; the proxy's own screen has the rest, with what would change there. */
function Choose({ onCancel }: { readonly onCancel: () => void }) {
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
        disabled={({ latestRevision }) => latestRevision === 0}
      />
      <Select
        label="Environment"
        data={environments.map(({ id, displayName, production }) => ({
          value: id,
          label: production ? `${displayName} (production)` : displayName,
        }))}
        value={environmentId || null}
        onChange={(id) => form.set('environmentId', id ?? '')}
      />
      <Text size="sm" c="dimmed">
        An API proxy without a revision cannot be chosen: cut one first.
      </Text>
    </FormBody>
  );
}
