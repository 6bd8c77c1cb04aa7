import { Text } from '@mantine/core';
import { FormDialog } from '@millrace/ui/form-dialog';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { listQueryOf, useRead } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';
import { AppForm } from '../apps/app-form.tsx';
import { appColumns, appFilters } from '../apps/columns.tsx';

/** The apps of a developer. */
export function DeveloperApps() {
  const { developerId } = useParams({ from: '/shell/developers/$developerId/' });
  const search = useSearch({ from: '/shell/developers/$developerId/' });
  const list = useRead('listDeveloperApps', { params: { developerId }, query: listQueryOf(search) });
  const navigate = useNavigate();
  const [registering, setRegistering] = useState(false);
  return (
    <>
      <ResourceList
        noun="apps"
        rows={list.data?.apps}
        total={list.data?.total}
        loading={list.isFetching}
        error={list.error}
        columns={appColumns.filter(({ title }) => title !== 'Developer')}
        filters={appFilters}
        actions={
          <PermittedButton permission="app.write" onClick={() => setRegistering(true)}>
            Register an app
          </PermittedButton>
        }
        empty={
          <Text c="dimmed" my="lg">
            The developer has no app yet.
          </Text>
        }
      />
      <FormDialog title="Register an app" opened={registering} onClose={() => setRegistering(false)}>
        <AppForm
          developerId={developerId}
          onCancel={() => setRegistering(false)}
          onSaved={({ id }) => navigate({ to: '/apps/$appId', params: { appId: id } })}
        />
      </FormDialog>
    </>
  );
}
