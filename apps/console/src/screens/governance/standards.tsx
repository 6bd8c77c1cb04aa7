import { Text } from '@mantine/core';
import { choiceOf, type Filter, optionsOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import type { Column } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { useNavigate } from '@tanstack/react-router';
import { createAction } from '../../frame/actions.tsx';
import { type DataOf, useList } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { GovernanceTabs } from './governance-tabs.tsx';
import { SeverityMark, severities } from './severity-mark.tsx';
import { StandardForm } from './standard-form.tsx';

type Standard = DataOf<'listGovernanceStandards'>['standards'][number] & { readonly id: string };

const columns: readonly Column<Standard>[] = [
  {
    title: 'Code',
    sort: 'code',
    cell: ({ code }) => (
      <TextLink to="/governance/standards/$code" params={{ code }} style={{ whiteSpace: 'nowrap' }}>
        {code}
      </TextLink>
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
  { title: 'Type', cell: ({ kind }) => <StandardKind kind={kind} /> },
  { title: 'Severity', sort: 'severity', cell: ({ severity }) => <SeverityMark severity={severity} /> },
  { title: 'Blocking', cell: ({ blocking }) => (blocking ? 'Yes' : 'No') },
  { title: 'State', cell: ({ enabled }) => <Mark tone={enabled ? 'good' : 'neutral'}>{enabled ? 'On' : 'Off'}</Mark> },
];

const filters: readonly Filter[] = [
  { name: 'severity', label: 'Severity', options: optionsOf(severities) },
  {
    name: 'kind',
    label: 'Type',
    options: [
      { value: 'built_in', label: 'Built-in' },
      { value: 'custom', label: 'Custom' },
    ],
  },
  choiceOf('blocking', 'Blocking', 'Blocking', 'Not blocking'),
  choiceOf('enabled', 'State', 'On', 'Off'),
];

/** Whether a rule is built in or a Spectral ruleset of the organization's own. */
function StandardKind({ kind }: Pick<Standard, 'kind'>) {
  const custom = kind === 'custom';
  return <Mark tone={custom ? 'accent' : 'neutral'}>{custom ? 'Custom' : 'Built-in'}</Mark>;
}

/** The rules of governance: built-in ones, and custom Spectral rulesets. */
export function StandardList() {
  const list = useList('listGovernanceStandards');
  const navigate = useNavigate();
  const open = ({ code }: { readonly code: string }) =>
    navigate({ to: '/governance/standards/$code', params: { code } });
  return (
    <ListScreen
      title="Rules"
      description="Every API proxy is checked against these before a lifecycle move. Custom rules are Spectral rulesets."
      noun="rules"
      list={{ ...list, rows: list.rows?.map((standard) => ({ ...standard, id: standard.code })) }}
      actions={[
        createAction({
          noun: 'rule',
          permission: 'governance.write',
          large: true,
          body: (close) => <StandardForm onCancel={close} onSaved={open} />,
        }),
      ]}
      tabs={<GovernanceTabs />}
      columns={columns}
      filters={filters}
    />
  );
}
