import { Anchor } from '@mantine/core';
import { FormDialog } from '@millrace/ui/form-dialog';
import type { Filter } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { Page } from '@millrace/ui/page';
import type { Column } from '@millrace/ui/record-table';
import { Lines, Moment } from '@millrace/ui/values';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, listQueryOf, useRead } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';
import { EnvironmentForm } from './environment-form.tsx';

type Environment = DataOf<'listEnvironments'>['environments'][number];

const columns: readonly Column<Environment>[] = [
  {
    title: 'Name',
    sort: 'name',
    cell: ({ id, name, displayName }) => (
      <Anchor
        renderRoot={(root) => <Link {...root} to="/environments/$environmentId" params={{ environmentId: id }} />}
      >
        {displayName} <code>{name}</code>
      </Anchor>
    ),
  },
  { title: 'Kind', cell: ({ production }) => (production ? <ProductionBadge /> : 'Not production') },
  { title: 'Host names', cell: ({ hostNames }) => <Lines texts={hostNames} /> },
  { title: 'Changed', sort: 'updatedAt', cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
];

const filters: readonly Filter[] = [
  {
    name: 'production',
    label: 'Kind',
    options: [
      { value: 'true', label: 'Production' },
      { value: 'false', label: 'Not production' },
    ],
  },
];

/** Marks what customers call. */
export function ProductionBadge() {
  return <Mark tone="bad">Production</Mark>;
}

/** The environments of the organization. */
export function EnvironmentList() {
  const search = useSearch({ from: '/shell/environments' });
  const list = useRead('listEnvironments', { query: listQueryOf(search) });
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const create = (
    <PermittedButton permission="environment.write" onClick={() => setCreating(true)}>
      Create an environment
    </PermittedButton>
  );
  return (
    <Page
      title="Environments"
      description="Where revisions serve: each with its host names, its target servers and its variables."
      actions={create}
    >
      <ResourceList
        noun="environments"
        rows={list.data?.environments}
        total={list.data?.total}
        loading={list.isFetching}
        error={list.error}
        columns={columns}
        filters={filters}
      />
      <FormDialog title="Create an environment" opened={creating} onClose={() => setCreating(false)}>
        <EnvironmentForm
          onCancel={() => setCreating(false)}
          onSaved={({ id }) => navigate({ to: '/environments/$environmentId', params: { environmentId: id } })}
        />
      </FormDialog>
    </Page>
  );
}
