import { Select, SimpleGrid, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { showDone, showFailure, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { Mark } from '@millrace/ui/mark';
import { Page } from '@millrace/ui/page';
import { ShownOnce } from '@millrace/ui/shown-once';
import { Fact, Lines, Moment } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { ServiceAccountForm } from './service-account-form.tsx';

type ServiceAccount = DataOf<'getServiceAccount'>;

/** One service account: its permissions and its tokens. */
export function ServiceAccountScreen() {
  const { serviceAccountId } = useParams({ from: '/shell/service-accounts/$serviceAccountId' });
  const read = useRead('getServiceAccount', { params: { serviceAccountId } });
  return <EntityScreen read={read}>{(data) => <Shown account={data} />}</EntityScreen>;
}

function Shown({ account }: { readonly account: ServiceAccount }) {
  const { id, name, state, version } = account;
  const params = { serviceAccountId: id };
  const navigate = useNavigate();
  const update = useWrite('updateServiceAccount');
  const remove = useWrite('deleteServiceAccount');
  const [dialog, setDialog] = useState<'change' | 'suspend' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const activate = () =>
    update
      .mutateAsync({ params, body: { state: 'active' }, version })
      .then(() => showDone(`${name} is active again.`))
      .catch(showFailure);
  return (
    <Page
      title={name}
      mark={<Mark tone={state === 'active' ? 'good' : 'bad'}>{wordsOf(state)}</Mark>}
      description={account.description}
      crumbs={[{ label: 'Service accounts', to: '/service-accounts' }]}
      actions={
        <>
          <PermittedButton variant="default" permission="service-account.write" onClick={() => setDialog('change')}>
            Change
          </PermittedButton>
          {state === 'active' ? (
            <PermittedButton variant="default" permission="service-account.write" onClick={() => setDialog('suspend')}>
              Suspend
            </PermittedButton>
          ) : (
            <PermittedButton permission="service-account.write" loading={update.isPending} onClick={activate}>
              Activate
            </PermittedButton>
          )}
          <PermittedButton
            variant="default"
            c="var(--mantine-color-error)"
            permission="service-account.write"
            onClick={() => setDialog('delete')}
          >
            Delete
          </PermittedButton>
        </>
      }
    >
      <Stack gap="xl">
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <Fact label="Owners">
            <Lines texts={account.owners.map((owner) => owner.name ?? owner.id)} />
          </Fact>
          <Fact label="Permissions">
            <Lines texts={account.permissions} />
          </Fact>
          <Fact label="Changed">
            <Moment at={account.updatedAt} />
          </Fact>
        </SimpleGrid>
        <Tokens account={account} />
      </Stack>
      <FormDialog title={`Change ${name}`} opened={dialog === 'change'} onClose={close} large>
        <ServiceAccountForm account={account} onCancel={close} onSaved={close} />
      </FormDialog>
      {dialog === 'suspend' && (
        <Confirm
          title={`Suspend ${name}`}
          action="Suspend"
          done={`${name} is suspended.`}
          onConfirm={() => update.mutateAsync({ params, body: { state: 'suspended' }, version })}
          onClose={close}
        >
          None of its tokens lets anybody in until it is activated again.
        </Confirm>
      )}
      {dialog === 'delete' && (
        <Confirm
          title={`Delete ${name}`}
          action="Delete"
          typed={name}
          done={`${name} is deleted.`}
          onConfirm={() => remove.mutateAsync({ params, version })}
          onDone={() => navigate({ to: '/service-accounts' })}
          onClose={close}
        >
          Its tokens let nobody in from then on: what uses them stops working.
        </Confirm>
      )}
    </Page>
  );
}

function Tokens({ account }: { readonly account: ServiceAccount }) {
  const revoke = useWrite('revokeServiceAccountToken');
  const [issuing, setIssuing] = useState(false);
  const [revoking, setRevoking] = useState<ServiceAccount['tokens'][number] | null>(null);
  const [issued, setIssued] = useState<string | null>(null);
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        Tokens
      </Title>
      {account.tokens.length === 0 ? (
        <Text c="dimmed" mb="md">
          It has no token, and cannot call yet.
        </Text>
      ) : (
        <Table.ScrollContainer minWidth={640} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table mb="md">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Begins with</Table.Th>
                <Table.Th>Holds until</Table.Th>
                <Table.Th>Last used</Table.Th>
                <Table.Th>Actions</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {account.tokens.map((token) => (
                <Table.Tr key={token.id}>
                  <Table.Td>{token.name}</Table.Td>
                  <Table.Td>
                    <code>{token.prefix}…</code>
                  </Table.Td>
                  <Table.Td>
                    <Moment at={token.expiresAt} absent="Until it is revoked" />
                  </Table.Td>
                  <Table.Td>
                    <Moment at={token.lastUsedAt} absent="Never" />
                  </Table.Td>
                  <Table.Td>
                    <PermittedButton
                      size="compact-sm"
                      variant="default"
                      permission="service-account.write"
                      aria-label={`Revoke ${token.name}`}
                      onClick={() => setRevoking(token)}
                    >
                      Revoke
                    </PermittedButton>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <PermittedButton
        permission="service-account.write"
        blocked={account.state === 'suspended' && 'Activate it first.'}
        onClick={() => setIssuing(true)}
      >
        Issue a token
      </PermittedButton>
      <FormDialog title="Issue a token" opened={issuing} onClose={() => setIssuing(false)}>
        <IssueToken
          serviceAccountId={account.id}
          onCancel={() => setIssuing(false)}
          onIssued={(token) => {
            setIssuing(false);
            setIssued(token);
          }}
        />
      </FormDialog>
      {issued && (
        <ShownOnce
          title="The new token"
          explanation="Copy it now: it cannot be shown again. Send it as “Authorization: Bearer …” with every call."
          secret={issued}
          onClose={() => setIssued(null)}
        />
      )}
      {revoking && (
        <Confirm
          title={`Revoke ${revoking.name}`}
          action="Revoke"
          done={`${revoking.name} is revoked.`}
          onConfirm={() => revoke.mutateAsync({ params: { serviceAccountId: account.id, tokenId: revoking.id } })}
          onClose={() => setRevoking(null)}
        >
          It lets nobody in from then on.
        </Confirm>
      )}
    </section>
  );
}

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: '', label: 'Until it is revoked' },
];

function IssueToken(props: {
  readonly serviceAccountId: string;
  readonly onCancel: () => void;
  readonly onIssued: (token: string) => void;
}) {
  const issue = useWrite('issueServiceAccountToken');
  const form = useForm({ name: '', lifetimeDays: '90' }, async ({ name, lifetimeDays }) => {
    const { token } = await issue.mutateAsync({
      params: { serviceAccountId: props.serviceAccountId },
      body: { name, lifetimeDays: lifetimeDays === '' ? null : Number(lifetimeDays) },
    });
    props.onIssued(token);
  });
  return (
    <FormBody form={form} submitLabel="Issue" onCancel={props.onCancel}>
      <Text size="sm">You become one of its owners, and cannot approve what is done with it.</Text>
      <TextInput label="Name" description="What uses it" required data-autofocus {...form.text('name')} />
      <Select
        label="Holds for"
        data={lifetimes}
        allowDeselect={false}
        value={form.values.lifetimeDays}
        onChange={(value) => form.set('lifetimeDays', value ?? '')}
        error={form.errorAt('lifetimeDays')}
      />
    </FormBody>
  );
}
