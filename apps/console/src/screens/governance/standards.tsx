import { Anchor, Group, Text } from '@mantine/core';
import { FormDialog } from '@millrace/ui/form-dialog';
import { type Filter, optionsOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { Page } from '@millrace/ui/page';
import type { Column } from '@millrace/ui/record-table';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, listQueryOf, useRead } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';
import { GovernanceLinks } from './governance-links.tsx';
import { SeverityMark, severities } from './severity-mark.tsx';
import { StandardForm } from './standard-form.tsx';

type Standard = DataOf<'listGovernanceStandards'>['standards'][number] & { readonly id: string };

const columns: readonly Column<Standard>[] = [
  {
    title: 'Code',
    sort: 'code',
    cell: ({ code }) => (
      <Anchor
        style={{ whiteSpace: 'nowrap' }}
        renderRoot={(root) => <Link {...root} to="/governance/standards/$code" params={{ code }} />}
      >
        {code}
      </Anchor>
    ),
  },
  {
    title: 'Rule',
    sort: 'name',
    cell: ({ name, description }) => (
      <>
        {name}
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      </>
    ),
  },
  {
    title: 'Kind',
    cell: ({ kind }) => (
      <Mark tone={kind === 'custom' ? 'accent' : 'neutral'}>{kind === 'custom' ? 'Own' : 'Built-in'}</Mark>
    ),
  },
  { title: 'Severity', sort: 'severity', cell: ({ severity }) => <SeverityMark severity={severity} /> },
  {
    title: 'Effect',
    cell: ({ enabled, blocking }) => (
      <Group gap={4}>
        {!enabled && <Mark tone="neutral">Switched off</Mark>}
        {enabled && (blocking ? <Mark tone="bad">Blocks</Mark> : 'Tells')}
      </Group>
    ),
  },
];

const filters: readonly Filter[] = [
  { name: 'severity', label: 'Severity', options: optionsOf(severities) },
  {
    name: 'kind',
    label: 'Kind',
    options: [
      { value: 'built_in', label: 'Built-in' },
      { value: 'custom', label: 'Own' },
    ],
  },
  {
    name: 'blocking',
    label: 'Effect',
    options: [
      { value: 'true', label: 'Blocks' },
      { value: 'false', label: 'Tells' },
    ],
  },
  {
    name: 'enabled',
    label: 'Switched',
    options: [
      { value: 'true', label: 'On' },
      { value: 'false', label: 'Off' },
    ],
  },
];

/** The rules of governance: the built-in ones, and Spectral rulesets of one's own. */
export function StandardList() {
  const search = useSearch({ from: '/shell/governance/standards' });
  const list = useRead('listGovernanceStandards', { query: listQueryOf(search) });
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title="Rules"
      description="Every API proxy is held against them when it moves on. Your own are Spectral rulesets over its specification."
      actions={
        <PermittedButton permission="governance.write" onClick={() => setCreating(true)}>
          Add a rule
        </PermittedButton>
      }
    >
      <GovernanceLinks />
      <ResourceList
        noun="rules"
        rows={list.data?.standards.map((standard) => ({ ...standard, id: standard.code }))}
        total={list.data?.total}
        loading={list.isFetching}
        error={list.error}
        columns={columns}
        filters={filters}
      />
      <FormDialog title="Add a rule" opened={creating} onClose={() => setCreating(false)} large>
        <StandardForm
          onCancel={() => setCreating(false)}
          onSaved={({ code }) => navigate({ to: '/governance/standards/$code', params: { code } })}
        />
      </FormDialog>
    </Page>
  );
}
