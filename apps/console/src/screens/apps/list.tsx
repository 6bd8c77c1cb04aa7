import { Text } from '@mantine/core';
import { FormDialog } from '@millrace/ui/form-dialog';
import { Page } from '@millrace/ui/page';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { listQueryOf, useRead } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';
import { AppForm } from './app-form.tsx';
import { appColumns, appFilters } from './columns.tsx';

/** The apps of every developer. */
export function AppList() {
  const search = useSearch({ from: '/shell/apps' });
  const list = useRead('listApps', { query: listQueryOf(search) });
  const navigate = useNavigate();
  const [registering, setRegistering] = useState(false);
  return (
    <Page
      title="Apps"
      description="What calls the APIs: each by credentials of its own, and only what it is subscribed to."
      actions={
        <PermittedButton permission="app.write" onClick={() => setRegistering(true)}>
          Register an app
        </PermittedButton>
      }
    >
      <ResourceList
        noun="apps"
        rows={list.data?.apps}
        total={list.data?.total}
        loading={list.isFetching}
        error={list.error}
        columns={appColumns}
        filters={appFilters}
        empty={
          <Text c="dimmed" my="lg">
            There are no apps yet. Register one for a developer.
          </Text>
        }
      />
      <FormDialog title="Register an app" opened={registering} onClose={() => setRegistering(false)}>
        <AppForm
          onCancel={() => setRegistering(false)}
          onSaved={({ id }) => navigate({ to: '/apps/$appId', params: { appId: id } })}
        />
      </FormDialog>
    </Page>
  );
}
