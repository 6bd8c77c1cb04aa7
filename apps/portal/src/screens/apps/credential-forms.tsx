import { Select, Text, TextInput } from '@mantine/core';
import { useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { useState } from 'react';
import { type DataOf, useWrite } from '../../frame/api.ts';
import { texts } from '../../frame/texts.ts';

const words = texts.credentials;
const dayMs = 86_400_000;
const lifetimes = ['0', '30', '90', '365'] as const;

/** Creates a key. */
export function IssueForm(props: {
  readonly appId: string;
  readonly onCancel: () => void;
  readonly onIssued: (key: string) => void;
}) {
  const { appId, onCancel, onIssued } = props;
  const issue = useWrite('issuePortalCredential');
  const form = useForm({ name: '', lifetimeDays: '0' }, async ({ name, lifetimeDays }) => {
    const days = Number(lifetimeDays);
    const expiresAt = days === 0 ? null : new Date(Date.now() + days * dayMs).toISOString();
    onIssued((await issue.mutateAsync({ params: { appId }, body: { name, expiresAt } })).key);
  });
  return (
    <FormBody form={form} submitLabel={words.issue} onCancel={onCancel}>
      <TextInput label={words.name} description={words.nameHelp} required data-autofocus {...form.text('name')} />
      <Select
        label={words.expires}
        allowDeselect={false}
        value={form.values.lifetimeDays}
        onChange={(value) => form.set('lifetimeDays', value ?? '0')}
        data={lifetimes.map((days) => ({ value: days, label: words.lifetime(Number(days)) }))}
        error={form.errorAt('expiresAt')}
      />
    </FormBody>
  );
}

const gracePeriods = ['0', '3600', '86400', '604800', '2592000'] as const;

/** Replaces a key; the one before is accepted for a while. */
export function RotateForm(props: {
  readonly credential: DataOf<'listPortalCredentials'>['credentials'][number];
  readonly onCancel: () => void;
  readonly onRotated: (key: string) => void;
}) {
  const { credential, onCancel, onRotated } = props;
  const { id, appId, state } = credential;
  const rotate = useWrite('rotatePortalCredential');
  const [grace, setGrace] = useState('86400');
  const form = useForm({}, async () => {
    const body = { graceSeconds: Number(grace) };
    onRotated((await rotate.mutateAsync({ params: { appId, credentialId: id }, body })).key);
  });
  return (
    <FormBody form={form} submitLabel={words.rotate} onCancel={onCancel}>
      <Select
        label={words.grace}
        description={words.graceHelp}
        allowDeselect={false}
        data-autofocus
        value={grace}
        onChange={(value) => setGrace(value ?? '0')}
        data={gracePeriods.map((seconds) => ({ value: seconds, label: words.gracePeriod(Number(seconds)) }))}
      />
      {state === 'rotating' && <Text size="sm">{words.rotateAgain}</Text>}
    </FormBody>
  );
}
