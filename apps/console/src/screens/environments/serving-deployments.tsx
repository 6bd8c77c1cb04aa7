import { Text } from '@mantine/core';
import { Loaded } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { useRead } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';
import { DeploymentState } from '../deployments/state-mark.tsx';

/** What is live in an environment now. */
export function ServingDeployments({ environmentId }: { readonly environmentId: string }) {
  const { can } = useSession();
  const allowed = can('deployment.read');
  const serving = useRead(
    'listServingDeployments',
    { params: { environmentId }, query: { pageSize: 100 } },
    { enabled: allowed },
  );
  if (!allowed)
    return (
      <Text size="sm" c="dimmed">
        You need the permission deployment.read.
      </Text>
    );
  return (
    <Loaded read={serving}>
      {({ deployments, total }) =>
        deployments.length === 0 ? (
          <Text size="sm" c="dimmed">
            Nothing is deployed here.
          </Text>
        ) : (
          <>
            <RecordTable
              label="Table of live deployments"
              rows={deployments}
              columns={[
                {
                  title: 'API proxy',
                  cell: ({ id, proxyName }) => (
                    <TextLink to="/deployments/$deploymentId" params={{ deploymentId: id }}>
                      {proxyName}
                    </TextLink>
                  ),
                },
                { title: 'Revision', align: 'end', cell: ({ revision }) => revision },
                { title: 'State', cell: ({ state }) => <DeploymentState state={state} /> },
                { title: 'Traffic', align: 'end', cell: ({ weight }) => `${weight} %` },
                { title: 'Since', cell: ({ createdAt }) => <Ago at={createdAt} /> },
              ]}
            />
            {total > deployments.length && <Text size="sm">{total - deployments.length} more</Text>}
          </>
        )
      }
    </Loaded>
  );
}
