import { Paper, Stack, Text, Title } from '@mantine/core';
import { CopiedValue } from '@millrace/ui/copied-value';
import { IconPlus } from '@millrace/ui/icons';
import { Loaded } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { SchemaForm } from '@millrace/ui/schema-form';
import { ShownOnce } from '@millrace/ui/shown-once';
import { Ago, Moment } from '@millrace/ui/values';
import { useState } from 'react';
import { type PermittedAction, PermittedActions, RowActions } from '../../frame/actions.tsx';
import { bodyOf, useRead, useWrite } from '../../frame/api.ts';

const permission = 'identity-provider.write';

/** The tokens by which an identity provider provisions users and groups. */
export function Provisioning({ scimUrl }: { readonly scimUrl: string }) {
  const read = useRead('listScimTokens', { query: { pageSize: 100 } });
  const remove = useWrite('deleteScimToken');
  const [token, setToken] = useState<string | null>(null);
  const create: PermittedAction = {
    label: 'Create provisioning token',
    icon: IconPlus,
    permission,
    form: {
      title: 'Create provisioning token',
      body: (close) => (
        <TokenForm
          onCancel={close}
          onCreated={(created) => {
            close();
            setToken(created);
          }}
        />
      ),
    },
  };
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4" mb="xs">
        Provisioning
      </Title>
      <Text size="sm" mb="sm">
        The provider creates, deactivates and deletes users by SCIM 2.0, and gives them roles by their groups.
      </Text>
      <Stack gap="sm">
        <CopiedValue label="SCIM address" value={scimUrl} />
        <PermittedActions actions={[create]} />
        <Loaded read={read}>
          {({ tokens }) =>
            tokens.length === 0 ? (
              <Text size="sm" c="dimmed">
                No provisioning tokens yet.
              </Text>
            ) : (
              <RecordTable
                label="Provisioning tokens"
                rows={tokens}
                columns={[
                  { title: 'Name', cell: ({ name }) => name },
                  { title: 'Token', cell: ({ prefix }) => <code>{prefix}…</code> },
                  { title: 'Last used', cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} absent="Never" /> },
                  {
                    title: 'Expires',
                    cell: ({ expiresAt }) => (expiresAt === null ? 'Never' : <Moment at={expiresAt} />),
                  },
                  {
                    title: 'Actions',
                    cell: ({ id, name }) => (
                      <RowActions
                        actions={[
                          {
                            label: 'Delete',
                            name: `Delete ${name}`,
                            danger: true,
                            permission,
                            run: () => remove.mutateAsync({ params: { scimTokenId: id } }),
                            done: `${name} deleted.`,
                            confirm: {
                              title: `Delete ${name}?`,
                              text: 'The provider can’t provision with it. Users and groups stay.',
                            },
                          },
                        ]}
                      />
                    ),
                  },
                ]}
              />
            )
          }
        </Loaded>
      </Stack>
      {token !== null && (
        <ShownOnce
          title="Provisioning token"
          explanation="Enter it at the identity provider now. It can’t be shown again."
          secret={token}
          onClose={() => setToken(null)}
        />
      )}
    </Paper>
  );
}

function TokenForm(props: { readonly onCancel: () => void; readonly onCreated: (token: string) => void }) {
  const create = useWrite('createScimToken');
  return (
    <SchemaForm
      schema={bodyOf('createScimToken')}
      fields={{
        name: { placeholder: 'Example ID', help: null },
        lifetimeDays: { label: 'Valid for … days', help: 'Empty: until it is deleted', widthPx: 160 },
      }}
      submitLabel="Create"
      onCancel={props.onCancel}
      send={async (body) => props.onCreated((await create.mutateAsync({ body })).token)}
    />
  );
}
