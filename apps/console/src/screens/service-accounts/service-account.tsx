import { Stack, Text } from '@mantine/core';
import { IconPlus } from '@millrace/ui/icons';
import { Page, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { SchemaForm } from '@millrace/ui/schema-form';
import { ShownOnce } from '@millrace/ui/shown-once';
import { Ago, Lines, Properties } from '@millrace/ui/values';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { deleteAction, editAction, PermittedActions, RowActions, suspendAction } from '../../frame/actions.tsx';
import { bodyOf, type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { ActiveMark } from '../../frame/state-mark.tsx';
import { ServiceAccountForm } from './service-account-form.tsx';

type ServiceAccount = DataOf<'getServiceAccount'>;

/** One service account: its permissions and its tokens. */
export function ServiceAccountScreen() {
  const { serviceAccountId } = useParams({ from: '/shell/service-accounts/$serviceAccountId' });
  const read = useRead('getServiceAccount', { params: { serviceAccountId } });
  return <EntityScreen read={read}>{(data) => <Shown account={data} />}</EntityScreen>;
}

function Shown({ account }: { readonly account: ServiceAccount }) {
  const { id, name, description, state, owners, permissions, updatedAt, version } = account;
  const params = { serviceAccountId: id };
  const navigate = useNavigate();
  const update = useWrite('updateServiceAccount');
  const remove = useWrite('deleteServiceAccount');
  const permission = 'service-account.write';
  return (
    <Page
      title={name}
      mark={<ActiveMark state={state} />}
      description={description}
      crumbs={[{ label: 'Service accounts', to: '/service-accounts' }]}
      actions={
        <PermittedActions
          actions={[
            editAction({
              noun: 'service account',
              permission,
              large: true,
              body: (close) => <ServiceAccountForm account={account} onCancel={close} onSaved={close} />,
            }),
            suspendAction({
              name,
              state,
              permission,
              text: 'Its tokens stop working until it is activated again.',
              suspend: () => update.mutateAsync({ params, body: { state: 'suspended' }, version }),
              activate: () => update.mutateAsync({ params, body: { state: 'active' }, version }),
            }),
            deleteAction({
              name,
              permission,
              typed: name,
              text: 'Its tokens stop working at once.',
              run: () => remove.mutateAsync({ params, version }),
              onDone: () => navigate({ to: '/service-accounts' }),
            }),
          ]}
        />
      }
    >
      <Stack gap="lg">
        <Properties
          of={{
            Owners: <Lines texts={owners.map((owner) => owner.name ?? owner.id)} />,
            Permissions: <Lines texts={permissions} />,
            Updated: <Ago at={updatedAt} />,
          }}
        />
        <Tokens account={account} />
      </Stack>
    </Page>
  );
}

function Tokens({ account }: { readonly account: ServiceAccount }) {
  const { id, tokens, state } = account;
  const revoke = useWrite('revokeServiceAccountToken');
  const [issued, setIssued] = useState<string | null>(null);
  const permission = 'service-account.write';
  const issueAction = {
    label: 'Issue token',
    icon: IconPlus,
    permission,
    blocked: state === 'suspended' && 'Activate the service account first.',
    form: {
      title: 'Issue token',
      body: (close: () => void) => (
        <IssueToken
          serviceAccountId={id}
          onCancel={close}
          onIssued={(token) => {
            close();
            setIssued(token);
          }}
        />
      ),
    },
  };
  const revokeAction = (token: ServiceAccount['tokens'][number]) => ({
    label: 'Revoke',
    name: `Revoke ${token.name}`,
    permission,
    run: () => revoke.mutateAsync({ params: { serviceAccountId: id, tokenId: token.id } }),
    done: `${token.name} revoked.`,
    danger: true,
    confirm: { title: `Revoke ${token.name}?`, text: 'It stops working at once.' },
  });
  return (
    <Section title="Tokens" actions={<PermittedActions actions={[issueAction]} />}>
      {tokens.length === 0 ? (
        <Text size="sm" c="dimmed">
          No tokens yet. Issue one to call the management API.
        </Text>
      ) : (
        <RecordTable
          label="Table of tokens"
          rows={tokens}
          columns={[
            { title: 'Name', cell: (token) => token.name },
            { title: 'Prefix', cell: ({ prefix }) => <code>{prefix}…</code> },
            { title: 'Expires', cell: ({ expiresAt }) => <Ago at={expiresAt} absent="Never" /> },
            { title: 'Last used', cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} absent="Never" /> },
            { title: 'Actions', cell: (token) => <RowActions actions={[revokeAction(token)]} /> },
          ]}
        />
      )}
      {issued && (
        <ShownOnce
          title="New token"
          explanation="Copy it now: it can’t be shown again. Send it as “Authorization: Bearer …” with every call."
          secret={issued}
          onClose={() => setIssued(null)}
        />
      )}
    </Section>
  );
}

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '', label: 'Never expires' },
];

function IssueToken(props: {
  readonly serviceAccountId: string;
  readonly onCancel: () => void;
  readonly onIssued: (token: string) => void;
}) {
  const { serviceAccountId, onCancel, onIssued } = props;
  const issue = useWrite('issueServiceAccountToken');
  return (
    <SchemaForm
      schema={bodyOf('issueServiceAccountToken')}
      fields={{
        name: { help: 'What uses it' },
        lifetimeDays: { label: 'Lifetime', help: null, options: lifetimes },
      }}
      submitLabel="Issue"
      onCancel={onCancel}
      send={async (body) => onIssued((await issue.mutateAsync({ params: { serviceAccountId }, body })).token)}
    >
      <Text size="sm">You become one of its owners, and can’t approve changes it requests.</Text>
    </SchemaForm>
  );
}
