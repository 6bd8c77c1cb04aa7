import { Text } from '@mantine/core';
import { SchemaForm } from '@millrace/ui/schema-form';
import { useState } from 'react';
import { bodyOf, type DataOf, useWrite } from '../../frame/api.ts';

const lifetimes = [
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
  { days: 365, label: '1 year' },
];

/** Issues a credential of an app. */
export function IssueForm(props: {
  readonly appId: string;
  readonly onCancel: () => void;
  readonly onIssued: (key: string) => void;
}) {
  const { appId, onCancel, onIssued } = props;
  const issue = useWrite('issueCredential');
  const [now] = useState(() => Date.now());
  const expiries = lifetimes.map(({ days, label }) => ({
    value: new Date(now + days * 86_400_000).toISOString(),
    label,
  }));
  return (
    <SchemaForm
      schema={bodyOf('issueCredential')}
      fields={{
        name: { placeholder: 'Production' },
        expiresAt: { label: 'Expires', help: null, options: [{ value: '', label: 'Never' }, ...expiries] },
      }}
      submitLabel="Issue"
      onCancel={onCancel}
      send={async (body) => onIssued((await issue.mutateAsync({ params: { appId }, body })).key)}
    />
  );
}

const gracePeriods = [
  { value: '0', label: 'None' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
];

/** Replaces the key of a credential. */
export function RotateForm(props: {
  readonly credential: DataOf<'listCredentials'>['credentials'][number];
  readonly onCancel: () => void;
  readonly onRotated: (key: string) => void;
}) {
  const { credential, onCancel, onRotated } = props;
  const { id, appId, state } = credential;
  const rotate = useWrite('rotateCredential');
  return (
    <SchemaForm
      schema={bodyOf('rotateCredential')}
      fields={{
        graceSeconds: {
          label: 'Grace period',
          help: 'How long the current key still works, so that the app can switch',
          options: gracePeriods,
        },
      }}
      submitLabel="Rotate"
      onCancel={onCancel}
      send={async (body) => onRotated((await rotate.mutateAsync({ params: { appId, credentialId: id }, body })).key)}
    >
      {state === 'rotating' && <Text size="sm">Rotating again ends the grace period of the previous key.</Text>}
    </SchemaForm>
  );
}
