import { Text } from '@mantine/core';
import { FormDialog } from '@millrace/ui/form-dialog';
import { optionsOf } from '@millrace/ui/list';
import { useNumbers } from '@millrace/ui/numbers';
import { Page } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Lines } from '@millrace/ui/values';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { listQueryOf, useRead } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { useEnvironments } from '../../frame/environments.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { Age } from './age.tsx';
import { HealthMark, nodeHealths } from './health-mark.tsx';
import { RegisterForm } from './node-form.tsx';
import { RegistrationToken } from './registration-token.tsx';

/** The nodes that serve traffic, as they report, every few seconds anew. */
export function GatewayNodeList() {
  const search = useSearch({ from: '/shell/gateway-nodes' });
  const list = useRead('listGatewayNodes', { query: listQueryOf(search) }, { refetchInterval: 3_000 });
  const { options, nameOf } = useEnvironments();
  const numbers = useNumbers();
  const navigate = useNavigate();
  const [registering, setRegistering] = useState(false);
  const [registered, setRegistered] = useState<{ readonly id: string; readonly token: string } | null>(null);
  return (
    <Page
      title="Gateway nodes"
      description="What admits and forwards calls. Each node reports every few seconds."
      actions={
        <PermittedButton permission="gateway-node.write" onClick={() => setRegistering(true)}>
          Register a node
        </PermittedButton>
      }
    >
      <ResourceList
        noun="gateway nodes"
        rows={list.data?.gatewayNodes}
        total={list.data?.total}
        loading={list.isPending}
        error={list.error}
        columns={[
          {
            title: 'Name',
            sort: 'name',
            cell: ({ id, name, description }) => (
              <>
                <TextLink to="/gateway-nodes/$nodeId" params={{ nodeId: id }}>
                  {name}
                </TextLink>
                <Text size="xs" c="dimmed">
                  {description}
                </Text>
              </>
            ),
          },
          { title: 'Environment', cell: ({ environmentId }) => nameOf(environmentId) },
          {
            title: 'Health',
            cell: ({ health, problems }) => (
              <>
                <HealthMark health={health} />
                {problems.length > 0 && (
                  <div style={{ minWidth: 220 }}>
                    <Lines texts={problems} />
                  </div>
                )}
              </>
            ),
          },
          {
            title: 'Calls per second',
            cell: ({ requestsPerSecond }) =>
              requestsPerSecond === null ? '–' : numbers.decimal(requestsPerSecond, requestsPerSecond < 10 ? 1 : 0),
          },
          {
            title: 'Configuration',
            cell: ({ configuration: { held, assigned } }) =>
              held === null ? '–' : held === assigned ? held : `${held} of ${assigned ?? '–'}`,
          },
          {
            title: 'Last report',
            sort: 'lastHeartbeatAt',
            cell: ({ lastHeartbeatAt }) => <Age at={lastHeartbeatAt} absent="Never" />,
          },
        ]}
        filters={[
          { name: 'environmentId', label: 'Environment', options },
          { name: 'health', label: 'Health', options: optionsOf(nodeHealths) },
        ]}
        empty={
          <Text c="dimmed" my="lg">
            There are no gateway nodes yet. Register one, and start it with the token that you get.
          </Text>
        }
      />
      <FormDialog title="Register a node" opened={registering} onClose={() => setRegistering(false)}>
        <RegisterForm
          onCancel={() => setRegistering(false)}
          onRegistered={({ id, registrationToken }) => {
            setRegistering(false);
            setRegistered({ id, token: registrationToken });
          }}
        />
      </FormDialog>
      {registered && (
        <RegistrationToken
          token={registered.token}
          onClose={() => navigate({ to: '/gateway-nodes/$nodeId', params: { nodeId: registered.id } })}
        />
      )}
    </Page>
  );
}
