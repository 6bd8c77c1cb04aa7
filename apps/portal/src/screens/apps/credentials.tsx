import { Text } from '@mantine/core';
import type { Action } from '@millrace/ui/action';
import { ActionBar } from '@millrace/ui/action-bar';
import { IconPlus } from '@millrace/ui/icons';
import { EmptyList } from '@millrace/ui/list';
import { Loaded, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { ShownOnce } from '@millrace/ui/shown-once';
import { Ago, Moment } from '@millrace/ui/values';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { RowActions } from '../../frame/list-screen.tsx';
import { useMay } from '../../frame/session.tsx';
import { StateMark } from '../../frame/state-mark.tsx';
import { texts } from '../../frame/texts.ts';
import { IssueForm, RotateForm } from './credential-forms.tsx';

type Credential = DataOf<'listPortalCredentials'>['credentials'][number];

const words = texts.credentials;

/** The keys that an app calls with. */
export function Credentials({ appId }: { readonly appId: string }) {
  const may = useMay();
  const read = useRead('listPortalCredentials', { params: { appId }, query: { pageSize: '100' } });
  const revoke = useWrite('revokePortalCredential');
  const [shown, setShown] = useState<{ readonly key: string; readonly explanation: string } | null>(null);
  const show = (explanation: string, close: () => void) => (key: string) => {
    close();
    setShown({ key, explanation });
  };
  const actionsOf = (credential: Credential): readonly Action[] => {
    const { id, name, state } = credential;
    return [
      {
        label: words.rotate,
        name: words.rotateName(name),
        hidden: state === 'expired' || state === 'revoked' || !may('rotatePortalCredential'),
        form: {
          title: words.rotateName(name),
          body: (close) => (
            <RotateForm credential={credential} onCancel={close} onRotated={show(words.rotatedText, close)} />
          ),
        },
      },
      {
        label: words.revoke,
        name: words.revokeName(name),
        danger: true,
        hidden: state === 'revoked' || !may('revokePortalCredential'),
        run: () => revoke.mutateAsync({ params: { appId, credentialId: id } }),
        done: words.revoked,
        confirm: { title: words.revokeTitle(name), text: words.revokeText },
      },
    ];
  };
  return (
    <Section
      title={words.title}
      actions={
        <ActionBar
          actions={[
            {
              label: words.issue,
              icon: IconPlus,
              primary: true,
              hidden: !may('issuePortalCredential'),
              form: {
                title: words.issue,
                body: (close) => <IssueForm appId={appId} onCancel={close} onIssued={show(words.issuedText, close)} />,
              },
            },
          ]}
        />
      }
    >
      <Loaded read={read}>
        {({ credentials }) =>
          credentials.length === 0 ? (
            <EmptyList>{words.empty}</EmptyList>
          ) : (
            <RecordTable
              label={words.title}
              rows={credentials}
              columns={[
                { title: words.name, cell: ({ name }) => name },
                { title: words.key, cell: ({ prefix }) => <code>{prefix}…</code> },
                {
                  title: words.state,
                  cell: ({ state, previousValidUntil }) => (
                    <>
                      <StateMark state={state} />
                      {state === 'rotating' && (
                        <Text size="xs" c="dimmed">
                          {words.previousUntil} <Moment at={previousValidUntil} />
                        </Text>
                      )}
                    </>
                  ),
                },
                { title: words.expires, cell: ({ expiresAt }) => <Ago at={expiresAt} absent={words.never} /> },
                { title: words.created, cell: ({ createdAt }) => <Ago at={createdAt} /> },
                ...(may('rotatePortalCredential')
                  ? [
                      {
                        title: texts.actions,
                        cell: (credential: Credential) => <RowActions actions={actionsOf(credential)} />,
                      },
                    ]
                  : []),
              ]}
            />
          )
        }
      </Loaded>
      {shown && (
        <ShownOnce
          title={words.newKey}
          explanation={shown.explanation}
          secret={shown.key}
          onClose={() => setShown(null)}
        />
      )}
    </Section>
  );
}
