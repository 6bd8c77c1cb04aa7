import { Text } from '@mantine/core';
import { IconPlus } from '@millrace/ui/icons';
import { EmptyList, optionsOf } from '@millrace/ui/list';
import { Mark, type Tone } from '@millrace/ui/mark';
import { ShownOnce } from '@millrace/ui/shown-once';
import { Ago, Moment } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type PermittedAction, PermittedActions, RowActions } from '../../frame/actions.tsx';
import { type DataOf, useList, useWrite } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { CallLine } from './call-line.tsx';
import { IssueForm, RotateForm } from './credential-forms.tsx';

type Credential = DataOf<'listCredentials'>['credentials'][number];

const tones: Readonly<Record<Credential['state'], Tone>> = {
  active: 'good',
  rotating: 'active',
  revoked: 'bad',
  expired: 'warning',
};

/** A key that the API just returned, and for which action. */
interface ShownKey {
  readonly key: string;
  readonly by: 'issued' | 'rotated' | 'revealed';
}

const explanations: Readonly<Record<ShownKey['by'], string>> = {
  issued:
    'Give it to the developer. Users who can reveal credentials can show it again, which the audit trail records.',
  rotated: 'Give it to the developer. The previous key works until its grace period ends.',
  revealed: 'The audit trail records that you saw it.',
};

/** The credentials that an app calls with. */
export function AppCredentials() {
  const { appId } = useParams({ from: '/shell/apps/$appId/' });
  const revoke = useWrite('revokeCredential');
  const reveal = useWrite('revealCredential');
  const [shown, setShown] = useState<ShownKey | null>(null);
  const show = (by: ShownKey['by'], close: () => void) => (key: string) => {
    close();
    setShown({ key, by });
  };
  const issue: PermittedAction = {
    label: 'Issue credential',
    icon: IconPlus,
    primary: true,
    permission: 'credential.write',
    form: {
      title: 'Issue credential',
      body: (close) => <IssueForm appId={appId} onCancel={close} onIssued={show('issued', close)} />,
    },
  };
  const rowActions = (credential: Credential): readonly PermittedAction[] => {
    const { id, name, state } = credential;
    const params = { appId, credentialId: id };
    return [
      {
        label: 'Rotate',
        name: `Rotate ${name}`,
        hidden: state === 'expired',
        permission: 'credential.write',
        form: {
          title: `Rotate ${name}`,
          body: (close) => <RotateForm credential={credential} onCancel={close} onRotated={show('rotated', close)} />,
        },
      },
      {
        label: 'Reveal',
        name: `Reveal ${name}`,
        permission: 'credential.reveal',
        run: async () => setShown({ key: (await reveal.mutateAsync({ params })).key, by: 'revealed' }),
        done: 'Key revealed. The audit trail records it.',
        confirm: {
          title: `Reveal ${name}?`,
          text: 'The audit trail records, at high severity, that you saw this key. Anyone who has it can call as this app.',
        },
      },
      {
        label: 'Revoke',
        name: `Revoke ${name}`,
        danger: true,
        permission: 'credential.write',
        run: () => revoke.mutateAsync({ params }),
        done: `${name} revoked.`,
        confirm: {
          title: `Revoke ${name}?`,
          text: 'Every gateway node rejects its key within a second, and any key from before a rotation. This can’t be undone.',
        },
      },
    ];
  };
  return (
    <>
      <ResourceList
        {...useList('listCredentials', { appId })}
        noun="credentials"
        columns={[
          { title: 'Name', sort: 'name', cell: ({ name }) => name },
          { title: 'Key', cell: ({ prefix }) => <code>{`${prefix}…`}</code> },
          { title: 'State', cell: (credential) => <State credential={credential} /> },
          {
            title: 'Expires',
            sort: 'expiresAt',
            cell: ({ expiresAt, revokedAt }) => (revokedAt ? '–' : <Ago at={expiresAt} absent="Never" />),
          },
          { title: 'Issued', sort: 'createdAt', cell: ({ createdAt }) => <Ago at={createdAt} /> },
          {
            title: 'Actions',
            cell: (credential) => credential.state !== 'revoked' && <RowActions actions={rowActions(credential)} />,
          },
        ]}
        filters={[{ name: 'state', label: 'State', options: optionsOf(Object.keys(tones)) }]}
        actions={<PermittedActions actions={[issue]} />}
        empty={<EmptyList>No credentials yet. Issue one so that the app can make calls.</EmptyList>}
      />
      {shown && (
        <ShownOnce
          title={shown.by === 'revealed' ? 'Key' : 'New key'}
          notice="Anyone who has it can call as this app"
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
        <Text size="xs" c="dimmed">
          previous key until <Moment at={previousValidUntil} />
        </Text>
      )}
      {revokedAt && (
        <Text size="xs" c="dimmed">
          <Moment at={revokedAt} />
        </Text>
      )}
    </>
  );
}
