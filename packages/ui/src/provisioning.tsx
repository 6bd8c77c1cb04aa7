import { Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type * as z from 'zod';
import type { Action } from './action.ts';
import { CopiedValue } from './copied-value.tsx';
import { IconPlus } from './icons.ts';
import { RecordTable } from './record-table.tsx';
import { SchemaForm } from './schema-form.tsx';
import { ShownOnce } from './shown-once.tsx';
import { Ago, Moment } from './values.tsx';

/** A token by which an identity provider provisions users and groups. */
interface ProvisioningToken {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
}

/** What a new token is created with. */
type NewTokenSchema = z.ZodObject<{
  name: z.ZodType<string, string>;
  lifetimeDays: z.ZodType<number | null, number | null | undefined>;
}>;

/** The address of SCIM, and the tokens for it. */
export function ProvisioningTokens(props: {
  readonly scimUrl: string;
  readonly tokens: readonly ProvisioningToken[];
  /** Of the operation that creates a token. */
  readonly schema: NewTokenSchema;
  /** Resolves to the token itself. */
  readonly create: (body: z.input<NewTokenSchema>) => Promise<string>;
  readonly remove: (tokenId: string) => Promise<unknown>;
  /** The app’s own way to show actions, for whoever may use them. */
  readonly renderActions: (actions: readonly Action[], within: 'page' | 'row') => ReactNode;
}) {
  const { scimUrl, tokens, renderActions } = props;
  const [token, setToken] = useState<string | null>(null);
  const create: Action = {
    label: 'Create provisioning token',
    icon: IconPlus,
    form: {
      title: 'Create provisioning token',
      body: (close) => (
        <SchemaForm
          schema={props.schema}
          fields={{
            name: { placeholder: 'Example ID', help: null },
            lifetimeDays: { label: 'Valid for … days', help: 'Empty: until it is deleted', widthPx: 160 },
          }}
          submitLabel="Create"
          onCancel={close}
          send={async (body) => {
            const created = await props.create(body);
            close();
            setToken(created);
          }}
        />
      ),
    },
  };
  const removalOf = ({ id, name }: ProvisioningToken): Action => ({
    label: 'Delete',
    name: `Delete ${name}`,
    danger: true,
    run: () => props.remove(id),
    done: `${name} deleted.`,
    confirm: { title: `Delete ${name}?`, text: 'The provider can’t provision with it. Users and groups stay.' },
  });
  return (
    <Stack gap="sm">
      <Text size="sm">
        The provider creates, deactivates and deletes users by SCIM 2.0, and gives them roles by their groups.
      </Text>
      <CopiedValue label="SCIM address" value={scimUrl} />
      {renderActions([create], 'page')}
      {tokens.length === 0 ? (
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
            { title: 'Expires', cell: ({ expiresAt }) => (expiresAt === null ? 'Never' : <Moment at={expiresAt} />) },
            { title: 'Actions', cell: (row) => renderActions([removalOf(row)], 'row') },
          ]}
        />
      )}
      {token !== null && (
        <ShownOnce
          title="Provisioning token"
          explanation="Enter it at the identity provider now. It can’t be shown again."
          secret={token}
          onClose={() => setToken(null)}
        />
      )}
    </Stack>
  );
}
