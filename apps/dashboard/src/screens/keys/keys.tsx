import { Code, Group, Stack, Text } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { CopyButton } from '@millrace/ui/copy-button';
import { FormDialog } from '@millrace/ui/form-dialog';
import type { ListSearch } from '@millrace/ui/list-search';
import { Mark } from '@millrace/ui/mark';
import { useNumbers } from '@millrace/ui/numbers';
import { Page } from '@millrace/ui/page';
import { ShownOnce } from '@millrace/ui/shown-once';
import { Moment } from '@millrace/ui/values';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { AdministratorButton } from '../../frame/administrator-button.tsx';
import { type AnswerOf, useRead, useWrite } from '../../frame/api.ts';
import { CursorList } from '../../frame/cursor-list.tsx';
import { KeyForm } from './key-form.tsx';

type ApiKey = AnswerOf<'listKeys'>['items'][number];

type Asked = { readonly act: 'create' } | { readonly act: 'edit' | 'revoke'; readonly key: ApiKey };

const statusMarks: Readonly<Record<ApiKey['status'], ReactNode>> = {
  active: <Mark tone="good">Active</Mark>,
  expired: <Mark tone="warning">Expired</Mark>,
  revoked: <Mark tone="neutral">Revoked</Mark>,
};

/** The API keys of the account: created, named, limited, revoked. */
export function KeysScreen() {
  const { cursor } = useSearch({ strict: false }) as ListSearch;
  const keys = useRead('listKeys', { query: { cursor } });
  const account = useRead('getAccount');
  const revoke = useWrite('revokeKey');
  const numbers = useNumbers();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [created, setCreated] = useState<AnswerOf<'createKey'> | null>(null);
  const close = () => setAsked(null);
  const usual = account.data?.defaultRateLimitPerMinute;
  return (
    <Page
      title="API keys"
      description="A program sends its key with every call. Give each program one of its own, so that it can be revoked alone."
      actions={<AdministratorButton onClick={() => setAsked({ act: 'create' })}>Create a key</AdministratorButton>}
    >
      <CursorList
        noun="keys"
        read={keys}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Key', cell: ({ prefix }) => <Code>{prefix}…</Code> },
          {
            title: 'State',
            cell: ({ status, revokedAt }) => (
              <>
                {statusMarks[status]} {revokedAt !== null && <Moment at={revokedAt} />}
              </>
            ),
          },
          { title: 'Scopes', cell: ({ scopes }) => <Code>{scopes.join(', ')}</Code> },
          { title: 'Expires', cell: ({ expiresAt }) => <Moment at={expiresAt} absent="Never" /> },
          {
            title: 'Calls a minute',
            cell: ({ rateLimitPerMinute }) =>
              rateLimitPerMinute === null ? (
                <>Usual{usual !== undefined && ` (${numbers.count(usual)})`}</>
              ) : (
                numbers.count(rateLimitPerMinute)
              ),
          },
          { title: 'Last used', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} absent="Never" /> },
          { title: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          {
            title: 'Actions',
            cell: (key) =>
              key.revokedAt !== null ? (
                '–'
              ) : (
                <Group gap="xs">
                  <AdministratorButton
                    size="compact-sm"
                    variant="default"
                    aria-label={`Edit ${key.name}`}
                    onClick={() => setAsked({ act: 'edit', key })}
                  >
                    Edit
                  </AdministratorButton>
                  <AdministratorButton
                    size="compact-sm"
                    variant="default"
                    aria-label={`Revoke ${key.name}`}
                    onClick={() => setAsked({ act: 'revoke', key })}
                  >
                    Revoke
                  </AdministratorButton>
                </Group>
              ),
          },
        ]}
      />
      <FormDialog title="Create an API key" opened={asked?.act === 'create'} onClose={close}>
        <KeyForm
          usualLimit={usual}
          onClose={close}
          onCreated={(answer) => {
            close();
            setCreated(answer);
          }}
        />
      </FormDialog>
      <FormDialog title="Edit the API key" opened={asked?.act === 'edit'} onClose={close}>
        {asked?.act === 'edit' && <KeyForm apiKey={asked.key} usualLimit={usual} onClose={close} />}
      </FormDialog>
      {asked?.act === 'revoke' && (
        <Confirm
          title={`Revoke ${asked.key.name}?`}
          action="Revoke"
          done={`${asked.key.name} is revoked.`}
          onConfirm={() => revoke.mutateAsync({ params: { id: asked.key.id } })}
          onClose={close}
        >
          From the next call on, whoever uses this key is refused. It cannot be brought back.
        </Confirm>
      )}
      {created && (
        <ShownOnce
          title={`The key of ${created.key.name}`}
          explanation="Keep it where your program finds it, as in a secret store. It cannot be shown again."
          secret={created.rawKey}
          onClose={() => setCreated(null)}
        >
          <Snippet rawKey={created.rawKey} />
        </ShownOnce>
      )}
    </Page>
  );
}

/** A first call with the key. */
function Snippet({ rawKey }: { readonly rawKey: string }) {
  const snippet = [
    `curl ${window.location.origin}/api/external/v1/extract \\`,
    `  -H 'X-API-Key: ${rawKey}' \\`,
    `  -F document=@invoice.pdf -F doc_type=invoice`,
  ].join('\n');
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          A first call
        </Text>
        <CopyButton value={snippet} label="Copy the call" />
      </Group>
      <Code block tabIndex={0} aria-label="A first call">
        {snippet}
      </Code>
    </Stack>
  );
}
