import { EmptyList, optionsOf } from '@millrace/ui/list';
import { useNumbers } from '@millrace/ui/numbers';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Lines } from '@millrace/ui/values';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createAction } from '../../frame/actions.tsx';
import { useList } from '../../frame/api.ts';
import { useEnvironments } from '../../frame/environments.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { HealthMark, nodeHealths } from './health-mark.tsx';
import { CreateNodeForm } from './node-form.tsx';
import { RegistrationToken } from './registration-token.tsx';

const route = '/gateway-nodes/$nodeId';

/** The nodes that serve traffic, as they report, refreshed every few seconds. */
export function GatewayNodeList() {
  const { options, nameOf } = useEnvironments();
  const numbers = useNumbers();
  const navigate = useNavigate();
  const list = useList('listGatewayNodes', undefined, { refetchInterval: 3_000 });
  const [created, setCreated] = useState<{ readonly id: string; readonly registrationToken: string } | null>(null);
  return (
    <>
      <ListScreen
        title="Gateway nodes"
        description="The processes that receive API calls. Each reports every few seconds."
        noun="gateway nodes"
        list={list}
        actions={[
          createAction({
            noun: 'gateway node',
            permission: 'gateway-node.write',
            body: (close) => (
              <CreateNodeForm
                onCancel={close}
                onCreated={(node) => {
                  close();
                  setCreated(node);
                }}
              />
            ),
          }),
        ]}
        columns={[
          {
            title: 'Name',
            sort: 'name',
            cell: ({ id, name }) => (
              <TextLink to={route} params={{ nodeId: id }}>
                {name}
              </TextLink>
            ),
          },
          { title: 'Description', cell: ({ description }) => description },
          { title: 'Environment', cell: ({ environmentId }) => nameOf(environmentId) },
          {
            title: 'Health',
            cell: ({ health, problems }) => (
              <>
                <HealthMark health={health} />
                {problems.length > 0 && <Lines texts={problems} />}
              </>
            ),
          },
          {
            title: 'Calls per second',
            align: 'end',
            cell: ({ requestsPerSecond }) =>
              requestsPerSecond === null ? '–' : numbers.decimal(requestsPerSecond, requestsPerSecond < 10 ? 1 : 0),
          },
          {
            title: 'Configuration',
            align: 'end',
            cell: ({ configuration: { held, assigned } }) =>
              held === null ? '–' : held === assigned ? held : `${held} of ${assigned ?? '–'}`,
          },
          {
            title: 'Last report',
            sort: 'lastHeartbeatAt',
            cell: ({ lastHeartbeatAt }) => <Ago at={lastHeartbeatAt} absent="Never" />,
          },
        ]}
        hiddenColumns={['Description']}
        filters={[
          { name: 'environmentId', label: 'Environment', options },
          { name: 'health', label: 'Health', options: optionsOf(nodeHealths) },
        ]}
        empty={<EmptyList>No gateway nodes yet. Create one, and start it with the token that you get.</EmptyList>}
      />
      {created && (
        <RegistrationToken
          token={created.registrationToken}
          onClose={() => navigate({ to: route, params: { nodeId: created.id } })}
        />
      )}
    </>
  );
}
