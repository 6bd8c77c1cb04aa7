import { Anchor, Text } from '@mantine/core';
import { FormDialog } from '@millrace/ui/form-dialog';
import { optionsOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { Page } from '@millrace/ui/page';
import { Lines, Moment } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { listQueryOf, useRead } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';
import { ServiceAccountForm } from './service-account-form.tsx';

/** The service accounts of the organization. */
export function ServiceAccountList() {
  const search = useSearch({ from: '/shell/service-accounts' });
  const list = useRead('listServiceAccounts', { query: listQueryOf(search) });
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title="Service accounts"
      description="For pipelines and tools: each calls the management API with tokens of its own."
      actions={
        <PermittedButton permission="service-account.write" onClick={() => setCreating(true)}>
          Create a service account
        </PermittedButton>
      }
    >
      <ResourceList
        noun="service accounts"
        rows={list.data?.serviceAccounts}
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
                    <Link {...root} to="/service-accounts/$serviceAccountId" params={{ serviceAccountId: id }} />
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
          {
            title: 'State',
            cell: ({ state }) => <Mark tone={state === 'active' ? 'good' : 'bad'}>{wordsOf(state)}</Mark>,
          },
          { title: 'Permissions', cell: ({ permissions }) => permissions.length },
          { title: 'Tokens', cell: ({ tokens }) => tokens.length },
          { title: 'Owners', cell: ({ owners }) => <Lines texts={owners.map(({ id, name }) => name ?? id)} /> },
          { title: 'Changed', sort: 'updatedAt', cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
        ]}
        filters={[{ name: 'state', label: 'State', options: optionsOf(['active', 'suspended']) }]}
      />
      <FormDialog title="Create a service account" opened={creating} onClose={() => setCreating(false)} large>
        <ServiceAccountForm
          onCancel={() => setCreating(false)}
          onSaved={({ id }) =>
            navigate({ to: '/service-accounts/$serviceAccountId', params: { serviceAccountId: id } })
          }
        />
      </FormDialog>
    </Page>
  );
}
