import { Stack, Text } from '@mantine/core';
import type { Action } from '@millrace/ui/action';
import { CopiedValue } from '@millrace/ui/copied-value';
import { showDone } from '@millrace/ui/form';
import { IconPlus } from '@millrace/ui/icons';
import { Mark } from '@millrace/ui/mark';
import { Loaded } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { SchemaForm } from '@millrace/ui/schema-form';
import { AdministratorActions } from '../../frame/administrator-actions.tsx';
import { type AnswerOf, bodyOf, useRead, useWrite } from '../../frame/api.ts';

type Domain = AnswerOf<'listEmailDomains'>['domains'][number];

/** The domains by whose addresses sign-in finds the provider, and members are linked to it. */
export function EmailDomains() {
  const read = useRead('listEmailDomains');
  const add = useWrite('addEmailDomain');
  const creation: Action = {
    label: 'Add domain',
    icon: IconPlus,
    form: {
      title: 'Add domain',
      body: (close) => (
        <SchemaForm
          schema={bodyOf('addEmailDomain')}
          fields={{ domain: { placeholder: 'example.com', help: 'Name it in the provider’s e-mail domains as well' } }}
          submitLabel="Add"
          onCancel={close}
          send={async (body) => {
            await add.mutateAsync({ body });
            showDone(`${body.domain} added.`);
            close();
          }}
        />
      ),
    },
  };
  return (
    <Loaded read={read}>
      {({ domains }) => (
        <Stack gap="sm">
          <Text size="sm">
            By the addresses of a verified domain, sign-in finds the provider, and members are linked to it.
          </Text>
          <AdministratorActions actions={[creation]} />
          {domains.length > 0 && (
            <RecordTable
              label="E-mail domains"
              rows={domains}
              columns={[
                { title: 'Domain', cell: ({ domain }) => domain },
                { title: 'State', cell: (domain) => <State domain={domain} /> },
                { title: 'Actions', cell: (domain) => <DomainActions domain={domain} /> },
              ]}
            />
          )}
        </Stack>
      )}
    </Loaded>
  );
}

function State({ domain: { state, problem } }: { readonly domain: Domain }) {
  if (state === 'verified') return <Mark tone="good">Verified</Mark>;
  return (
    <>
      <Mark tone="neutral">Pending</Mark>
      {problem !== null && (
        <Text size="xs" mt={4}>
          {problem}
        </Text>
      )}
    </>
  );
}

function DomainActions({ domain }: { readonly domain: Domain }) {
  const verify = useWrite('verifyEmailDomain');
  const remove = useWrite('removeEmailDomain');
  const { id, domain: name, state, recordName, recordValue } = domain;
  const isVerified = state === 'verified';
  const params = { id };
  return (
    <AdministratorActions
      size="compact-xs"
      actions={[
        {
          label: 'Show record',
          name: `Show the record of ${name}`,
          hidden: isVerified,
          form: {
            title: `DNS record of ${name}`,
            body: () => (
              <Stack>
                <Text size="sm">Add this TXT record to the DNS of the domain, then verify it.</Text>
                <CopiedValue label="Name" value={recordName} />
                <CopiedValue label="Value" value={recordValue} />
              </Stack>
            ),
          },
        },
        {
          label: 'Verify',
          name: `Verify ${name}`,
          hidden: isVerified,
          run: () => verify.mutateAsync({ params }),
        },
        {
          label: 'Remove',
          name: `Remove ${name}`,
          danger: true,
          run: () => remove.mutateAsync({ params }),
          done: `${name} removed.`,
          confirm: { title: `Remove ${name}?`, text: 'Sign-in no longer finds the provider by its addresses.' },
        },
      ]}
    />
  );
}
