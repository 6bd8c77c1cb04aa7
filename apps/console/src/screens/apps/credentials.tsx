import { Group, Select, Text, TextInput } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { optionsOf } from '@millrace/ui/list';
import { Mark, type Tone } from '@millrace/ui/mark';
import { ShownOnce } from '@millrace/ui/shown-once';
import { Ago, Moment } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, listQueryOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';
import { CallLine } from './call-line.tsx';

type Credential = DataOf<'listCredentials'>['credentials'][number];

const tones: Readonly<Record<Credential['state'], Tone>> = {
  active: 'good',
  rotating: 'active',
  revoked: 'bad',
  expired: 'warning',
};

/** A key that was given out just now, and where it came from. */
interface Shown {
  readonly key: string;
  readonly by: 'issued' | 'rotated' | 'revealed';
}

const explanations: Readonly<Record<Shown['by'], string>> = {
  issued: 'Give it to the developer. Whoever may reveal credentials can see it again, which the audit trail records.',
  rotated: 'Give it to the developer. The previous key works until its grace period ends.',
  revealed: 'The audit trail records that you saw it.',
};

/** The credentials by which an app calls. */
export function AppCredentials() {
  const { appId } = useParams({ from: '/shell/apps/$appId/' });
  const search = useSearch({ from: '/shell/apps/$appId/' });
  const list = useRead('listCredentials', { params: { appId }, query: listQueryOf(search) });
  const revoke = useWrite('revokeCredential');
  const reveal = useWrite('revealCredential');
  const [issuing, setIssuing] = useState(false);
  const [chosen, setChosen] = useState<{
    readonly credential: Credential;
    readonly to: 'rotate' | 'reveal' | 'revoke';
  } | null>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const close = () => setChosen(null);
  return (
    <>
      <ResourceList
        noun="credentials"
        rows={list.data?.credentials}
        total={list.data?.total}
        loading={list.isFetching}
        error={list.error}
        columns={[
          { title: 'Name', sort: 'name', cell: ({ name }) => name },
          {
            title: 'Key',
            cell: ({ prefix }) => (
              <code>
                {prefix}
                {'…'}
              </code>
            ),
          },
          { title: 'State', cell: (credential) => <State credential={credential} /> },
          {
            title: 'Holds until',
            sort: 'expiresAt',
            cell: ({ expiresAt, revokedAt }) =>
              revokedAt ? '–' : <Moment at={expiresAt} absent="Until it is revoked" />,
          },
          { title: 'Issued', sort: 'createdAt', cell: ({ createdAt }) => <Ago at={createdAt} /> },
          {
            title: 'Actions',
            cell: (credential) => <Actions credential={credential} onChoose={(to) => setChosen({ credential, to })} />,
          },
        ]}
        filters={[{ name: 'state', label: 'State', options: optionsOf(Object.keys(tones)) }]}
        actions={
          <PermittedButton permission="credential.write" onClick={() => setIssuing(true)}>
            Issue a credential
          </PermittedButton>
        }
        empty={
          <Text c="dimmed" my="lg">
            It has no credential, and cannot call yet.
          </Text>
        }
      />
      <FormDialog title="Issue a credential" opened={issuing} onClose={() => setIssuing(false)}>
        <IssueForm
          appId={appId}
          onCancel={() => setIssuing(false)}
          onIssued={(key) => {
            setIssuing(false);
            setShown({ key, by: 'issued' });
          }}
        />
      </FormDialog>
      <FormDialog title={`Rotate ${chosen?.credential.name ?? ''}`} opened={chosen?.to === 'rotate'} onClose={close}>
        {chosen && (
          <RotateForm
            credential={chosen.credential}
            onCancel={close}
            onRotated={(key) => {
              close();
              setShown({ key, by: 'rotated' });
            }}
          />
        )}
      </FormDialog>
      {chosen?.to === 'reveal' && (
        <Confirm
          title={`Reveal ${chosen.credential.name}`}
          action="Reveal the key"
          done="The key is revealed, which stands in the audit trail."
          onConfirm={async () => {
            const { key } = await reveal.mutateAsync({ params: { appId, credentialId: chosen.credential.id } });
            setShown({ key, by: 'revealed' });
          }}
          onClose={close}
        >
          The audit trail keeps, at high severity, that you saw this key. Whoever has it can call as this app.
        </Confirm>
      )}
      {chosen?.to === 'revoke' && (
        <Confirm
          title={`Revoke ${chosen.credential.name}`}
          action="Revoke"
          done={`${chosen.credential.name} is revoked.`}
          onConfirm={() => revoke.mutateAsync({ params: { appId, credentialId: chosen.credential.id } })}
          onClose={close}
        >
          For ever: within a second no gateway node takes its key, nor one from before a rotation.
        </Confirm>
      )}
      {shown && (
        <ShownOnce
          title={shown.by === 'revealed' ? 'The key' : 'The new key'}
          notice="Whoever has it can call as this app"
          explanation={explanations[shown.by]}
          secret={shown.key}
          onClose={() => setShown(null)}
        >
          <CallLine appId={appId} apiKey={shown.key} />
        </ShownOnce>
      )}
    </>
  );
}

function State({ credential }: { readonly credential: Credential }) {
  const { state, previousValidUntil, revokedAt } = credential;
  return (
    <>
      <Mark tone={tones[state]}>{wordsOf(state)}</Mark>
      {state === 'rotating' && (
        <Text size="xs" c="dimmed" mt={4}>
          the key before until <Moment at={previousValidUntil} />
        </Text>
      )}
      {revokedAt && (
        <Text size="xs" c="dimmed" mt={4}>
          <Moment at={revokedAt} />
        </Text>
      )}
    </>
  );
}

function Actions(props: {
  readonly credential: Credential;
  readonly onChoose: (action: 'rotate' | 'reveal' | 'revoke') => void;
}) {
  const { credential, onChoose } = props;
  const { name, state } = credential;
  if (state === 'revoked') return null;
  return (
    <Group gap="xs" wrap="nowrap">
      {state !== 'expired' && (
        <PermittedButton
          size="compact-sm"
          variant="default"
          permission="credential.write"
          aria-label={`Rotate ${name}`}
          onClick={() => onChoose('rotate')}
        >
          Rotate
        </PermittedButton>
      )}
      <PermittedButton
        size="compact-sm"
        variant="default"
        permission="credential.reveal"
        aria-label={`Reveal ${name}`}
        onClick={() => onChoose('reveal')}
      >
        Reveal
      </PermittedButton>
      <PermittedButton
        size="compact-sm"
        variant="default"
        c="var(--mantine-color-error)"
        permission="credential.write"
        aria-label={`Revoke ${name}`}
        onClick={() => onChoose('revoke')}
      >
        Revoke
      </PermittedButton>
    </Group>
  );
}

const lifetimes = [
  { value: '', label: 'Until it is revoked' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
];

function IssueForm(props: {
  readonly appId: string;
  readonly onCancel: () => void;
  readonly onIssued: (key: string) => void;
}) {
  const issue = useWrite('issueCredential');
  const form = useForm({ name: '', expiresAt: '' }, async ({ name, expiresAt: days }) => {
    const expiresAt = days === '' ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString();
    const { key } = await issue.mutateAsync({ params: { appId: props.appId }, body: { name, expiresAt } });
    props.onIssued(key);
  });
  return (
    <FormBody form={form} submitLabel="Issue" onCancel={props.onCancel}>
      <TextInput
        label="Name"
        description="To tell it from others"
        placeholder="Production"
        required
        data-autofocus
        {...form.text('name')}
      />
      <Select
        label="Holds for"
        data={lifetimes}
        allowDeselect={false}
        value={form.values.expiresAt}
        onChange={(value) => form.set('expiresAt', value ?? '')}
        error={form.errorAt('expiresAt')}
      />
    </FormBody>
  );
}

const graces = [
  { value: '0', label: 'Not at all' },
  { value: '3600', label: 'An hour' },
  { value: '86400', label: 'A day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
];

function RotateForm(props: {
  readonly credential: Credential;
  readonly onCancel: () => void;
  readonly onRotated: (key: string) => void;
}) {
  const { credential, onCancel, onRotated } = props;
  const rotate = useWrite('rotateCredential');
  const form = useForm({ graceSeconds: '86400' }, async ({ graceSeconds }) => {
    const { key } = await rotate.mutateAsync({
      params: { appId: credential.appId, credentialId: credential.id },
      body: { graceSeconds: Number(graceSeconds) },
    });
    showDone(`${credential.name} has a new key.`);
    onRotated(key);
  });
  return (
    <FormBody form={form} submitLabel="Rotate" onCancel={onCancel}>
      <Text size="sm">It gets a new key. The app can change over to it while the present one is still taken.</Text>
      {credential.state === 'rotating' && (
        <Text size="sm">The key from before the last rotation is no longer taken from then on.</Text>
      )}
      <Select
        label="How long the present key is still taken"
        data={graces}
        allowDeselect={false}
        value={form.values.graceSeconds}
        onChange={(value) => form.set('graceSeconds', value ?? '0')}
        error={form.errorAt('graceSeconds')}
        data-autofocus
      />
    </FormBody>
  );
}
