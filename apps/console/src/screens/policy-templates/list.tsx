import { Anchor, Text } from '@mantine/core';
import { findPolicyKind, policyKinds } from '@millrace/policies';
import { FormDialog } from '@millrace/ui/form-dialog';
import { Page } from '@millrace/ui/page';
import type { Column } from '@millrace/ui/record-table';
import { Ago } from '@millrace/ui/values';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, listQueryOf, useRead } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';
import { PolicyTemplateForm } from './template-form.tsx';

type PolicyTemplate = DataOf<'listPolicyTemplates'>['policyTemplates'][number];

const columns: readonly Column<PolicyTemplate>[] = [
  {
    title: 'Name',
    sort: 'name',
    cell: ({ id, name, description }) => (
      <>
        <Anchor
          renderRoot={(root) => <Link {...root} to="/policy-templates/$templateId" params={{ templateId: id }} />}
        >
          {name}
        </Anchor>
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      </>
    ),
  },
  { title: 'Kind', sort: 'kind', cell: ({ kind }) => findPolicyKind(kind)?.title ?? kind },
  { title: 'Updated', sort: 'updatedAt', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
];

/** Configurations of policies, for use in several API proxies. */
export function PolicyTemplateList() {
  const search = useSearch({ from: '/shell/policy-templates' });
  const list = useRead('listPolicyTemplates', { query: listQueryOf(search) });
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title="Policy templates"
      description="Configurations to begin policies with. A policy that was made from one keeps its own."
      actions={
        <PermittedButton permission="policy.write" onClick={() => setCreating(true)}>
          Create a template
        </PermittedButton>
      }
    >
      <ResourceList
        noun="templates"
        rows={list.data?.policyTemplates}
        total={list.data?.total}
        loading={list.isFetching}
        error={list.error}
        columns={columns}
        filters={[
          {
            name: 'kind',
            label: 'Kind',
            options: policyKinds.map(({ kind, title }) => ({ value: kind, label: title })),
          },
        ]}
      />
      <FormDialog title="Create a template" opened={creating} onClose={() => setCreating(false)} large>
        <PolicyTemplateForm
          onCancel={() => setCreating(false)}
          onSaved={({ id }) => navigate({ to: '/policy-templates/$templateId', params: { templateId: id } })}
        />
      </FormDialog>
    </Page>
  );
}
