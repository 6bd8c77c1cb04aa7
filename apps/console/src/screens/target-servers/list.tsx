import { Anchor, Text } from '@mantine/core';
import { FormDialog } from '@millrace/ui/form-dialog';
import { Mark } from '@millrace/ui/mark';
import { Page } from '@millrace/ui/page';
import { Moment } from '@millrace/ui/values';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { useEnvironments } from '../../frame/environments.ts';
import { listQueryOf, ResourceList } from '../../frame/resource-list.tsx';
import { TargetServerForm } from './target-server-form.tsx';

/** Whether a target server takes calls. */
export function EnabledBadge({ enabled }: { readonly enabled: boolean }) {
  return <Mark tone={enabled ? 'good' : 'neutral'}>{enabled ? 'Enabled' : 'Disabled'}</Mark>;
}

/** The target servers of every environment. */
export function TargetServerList() {
  const search = useSearch({ from: '/shell/target-servers' });
  const list = useRead('listTargetServers', { query: listQueryOf(search) });
  const { nameOf, options } = useEnvironments();
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title="Target servers"
      description="Where routes send calls. The same name in every environment, with another address in each."
      actions={
        <PermittedButton permission="target-server.write" onClick={() => setCreating(true)}>
          Register a target server
        </PermittedButton>
      }
    >
      <ResourceList
        noun="target servers"
        rows={list.data?.targetServers}
        total={list.data?.total}
        loading={list.isFetching}
        error={list.error}
        columns={[
          {
            title: 'Name',
            sort: 'name',
            cell: ({ id, name, description }) => (
              <>
                <Anchor
                  renderRoot={(root) => (
                    <Link {...root} to="/target-servers/$targetServerId" params={{ targetServerId: id }} />
                  )}
                >
                  {name}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {description}
                </Text>
              </>
            ),
          },
          { title: 'Environment', cell: ({ environmentId }) => nameOf(environmentId) },
          {
            title: 'Address',
            sort: 'host',
            cell: ({ scheme, host, port, endpoints }) => (
              <>
                <code>
                  {scheme}://{host}:{port}
                </code>
                {endpoints.length > 0 && (
                  <Text size="xs" c="dimmed">
                    and {endpoints.length} more
                  </Text>
                )}
              </>
            ),
          },
          { title: 'State', cell: ({ enabled }) => <EnabledBadge enabled={enabled} /> },
          { title: 'Changed', sort: 'updatedAt', cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
        ]}
        filters={[
          { name: 'environmentId', label: 'Environment', options },
          {
            name: 'enabled',
            label: 'State',
            options: [
              { value: 'true', label: 'Enabled' },
              { value: 'false', label: 'Disabled' },
            ],
          },
        ]}
      />
      <FormDialog title="Register a target server" opened={creating} onClose={() => setCreating(false)} large>
        <TargetServerForm
          onCancel={() => setCreating(false)}
          onSaved={({ id }) => navigate({ to: '/target-servers/$targetServerId', params: { targetServerId: id } })}
        />
      </FormDialog>
    </Page>
  );
}
