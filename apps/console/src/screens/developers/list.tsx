import { Text } from '@mantine/core';
import { FormDialog } from '@millrace/ui/form-dialog';
import { optionsOf } from '@millrace/ui/list';
import { Page } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Moment } from '@millrace/ui/values';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { listQueryOf, useRead } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';
import { ActiveMark } from '../../frame/state-mark.tsx';
import { DeveloperForm } from './developer-form.tsx';

/** The developers whose apps call the organization's APIs. */
export function DeveloperList() {
  const search = useSearch({ from: '/shell/developers' });
  const list = useRead('listDevelopers', { query: listQueryOf(search) });
  const navigate = useNavigate();
  const [registering, setRegistering] = useState(false);
  return (
    <Page
      title="Developers"
      description="People outside who call the APIs, each by apps of their own."
      actions={
        <PermittedButton permission="developer.write" onClick={() => setRegistering(true)}>
          Register a developer
        </PermittedButton>
      }
    >
      <ResourceList
        noun="developers"
        rows={list.data?.developers}
        total={list.data?.total}
        loading={list.isFetching}
        error={list.error}
        columns={[
          {
            title: 'Name',
            sort: 'name',
            cell: ({ id, name }) => (
              <TextLink to="/developers/$developerId" params={{ developerId: id }}>
                {name}
              </TextLink>
            ),
          },
          { title: 'E-mail address', sort: 'email', cell: ({ email }) => email },
          { title: 'Company', sort: 'company', cell: ({ company }) => company || '–' },
          { title: 'State', cell: ({ state }) => <ActiveMark state={state} /> },
          { title: 'Apps', cell: ({ apps }) => apps },
          { title: 'Registered', sort: 'createdAt', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        ]}
        filters={[{ name: 'state', label: 'State', options: optionsOf(['active', 'suspended']) }]}
        empty={
          <Text c="dimmed" my="lg">
            There are no developers yet. Register one: apps belong to developers.
          </Text>
        }
      />
      <FormDialog title="Register a developer" opened={registering} onClose={() => setRegistering(false)}>
        <DeveloperForm
          onCancel={() => setRegistering(false)}
          onSaved={({ id }) => navigate({ to: '/developers/$developerId', params: { developerId: id } })}
        />
      </FormDialog>
    </Page>
  );
}
