import { Code } from '@mantine/core';
import { IconPlus } from '@millrace/ui/icons';
import type { ListSearch } from '@millrace/ui/list-search';
import { Mark, type Tone } from '@millrace/ui/mark';
import { useNumbers } from '@millrace/ui/numbers';
import { Page } from '@millrace/ui/page';
import { ShownOnce } from '@millrace/ui/shown-once';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { AdministratorActions } from '../../frame/administrator-actions.tsx';
import { type AnswerOf, useRead, useWrite } from '../../frame/api.ts';
import { CursorList } from '../../frame/cursor-list.tsx';
import { FirstCall } from './first-call.tsx';
import { KeyForm } from './key-form.tsx';

type ApiKey = AnswerOf<'listKeys'>['items'][number];

const statusTones: Readonly<Record<ApiKey['status'], Tone>> = {
  active: 'good',
  expired: 'warning',
  revoked: 'neutral',
};

/** The account's API keys. */
export function KeysScreen() {
  const { cursor } = useSearch({ strict: false }) as ListSearch;
  const keys = useRead('listKeys', { query: { cursor } });
  const defaultLimit = useRead('getAccount').data?.defaultRateLimitPerMinute;
  const numbers = useNumbers();
  const [created, setCreated] = useState<AnswerOf<'createKey'> | null>(null);
  return (
    <Page
      title="API keys"
      description="Programs send a key with every call. Give each program its own, so that you can revoke one without the others."
      actions={
        <AdministratorActions
          actions={[
            {
              label: 'Create key',
              icon: IconPlus,
              primary: true,
              form: {
                title: 'Create API key',
                body: (close) => <KeyForm defaultLimit={defaultLimit} onClose={close} onCreated={setCreated} />,
              },
            },
          ]}
        />
      }
    >
      <CursorList
        noun="keys"
        read={keys}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Key', cell: ({ prefix }) => <Code>{prefix}…</Code> },
          {
            title: 'Status',
            cell: ({ status, revokedAt }) => (
              <>
                <Mark tone={statusTones[status]}>{wordsOf(status)}</Mark> {revokedAt !== null && <Ago at={revokedAt} />}
              </>
            ),
          },
          { title: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
          { title: 'Expires', cell: ({ expiresAt }) => <Ago at={expiresAt} absent="Never" /> },
          {
            title: 'Calls per minute',
            align: 'end',
            cell: ({ rateLimitPerMinute }) => {
              const limit = rateLimitPerMinute ?? defaultLimit;
              return limit === undefined ? '' : numbers.count(limit);
            },
          },
          { title: 'Last used', cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} absent="Never" /> },
          { title: 'Created', cell: ({ createdAt }) => <Ago at={createdAt} /> },
          {
            title: 'Actions',
            cell: (key) => (key.revokedAt === null ? <KeyActions apiKey={key} defaultLimit={defaultLimit} /> : '–'),
          },
        ]}
      />
      {created && (
        <ShownOnce
          title={`Key for ${created.key.name}`}
          explanation="Store it where your program finds it, such as a secret manager. It won’t be shown again."
          secret={created.rawKey}
          onClose={() => setCreated(null)}
        >
          <FirstCall rawKey={created.rawKey} />
        </ShownOnce>
      )}
    </Page>
  );
}

function KeyActions(props: { readonly apiKey: ApiKey; readonly defaultLimit: number | undefined }) {
  const { apiKey, defaultLimit } = props;
  const revoke = useWrite('revokeKey');
  return (
    <AdministratorActions
      size="compact-xs"
      actions={[
        {
          label: 'Edit',
          name: `Edit ${apiKey.name}`,
          form: {
            title: 'Edit API key',
            body: (close) => <KeyForm apiKey={apiKey} defaultLimit={defaultLimit} onClose={close} />,
          },
        },
        {
          label: 'Revoke',
          name: `Revoke ${apiKey.name}`,
          danger: true,
          done: `${apiKey.name} revoked.`,
          run: () => revoke.mutateAsync({ params: { id: apiKey.id } }),
          confirm: {
            title: `Revoke ${apiKey.name}?`,
            text: 'Calls with this key are rejected immediately. A revoked key can’t be restored.',
          },
        },
      ]}
    />
  );
}
