import { Code, Group, Select, Stack, Text } from '@mantine/core';
import type { Action } from '@millrace/ui/action';
import { CopyButton } from '@millrace/ui/copy-button';
import { showDone } from '@millrace/ui/form';
import { Mark } from '@millrace/ui/mark';
import { Loaded, Section } from '@millrace/ui/page';
import { SchemaForm } from '@millrace/ui/schema-form';
import { useState } from 'react';
import { AdministratorActions } from '../../frame/administrator-actions.tsx';
import { type AnswerOf, bodyOf, useRead, useWrite } from '../../frame/api.ts';
import { AdministratorFields } from './administrator-fields.tsx';

type Settings = AnswerOf<'getIdentityProvider'>;
type Provider = NonNullable<Settings['provider']>;

/** How members sign in by the account’s own identity provider, and whether they have to. */
export function SignInTab() {
  const settings = useRead('getIdentityProvider');
  return (
    <Loaded read={settings}>
      {(data) => (
        <Stack gap="xl" maw={640}>
          {data.provider !== null && <State settings={data} provider={data.provider} />}
          <Section title="Addresses to register at the identity provider">
            <Addresses settings={data} />
          </Section>
          <Section title="Identity provider">
            <AdministratorFields>
              <ProviderForm key={JSON.stringify(data.provider)} provider={data.provider} />
            </AdministratorFields>
          </Section>
        </Stack>
      )}
    </Loaded>
  );
}

/** Whether the provider has to be used, and what can be done with it. */
function State({ settings, provider }: { readonly settings: Settings; readonly provider: Provider }) {
  const test = useWrite('testIdentityProvider');
  const enforce = useWrite('enforceIdentityProvider');
  const remove = useWrite('removeIdentityProvider');
  const link = useWrite('linkIdentityProvider');
  const [result, setResult] = useState<AnswerOf<'testIdentityProvider'> | null>(null);
  const { name, enforced } = provider;
  const actions: readonly Action[] = [
    { label: 'Test connection', run: async () => setResult(await test.mutateAsync({})) },
    {
      label: 'Link your account',
      hidden: settings.linked,
      run: async () => window.location.assign((await link.mutateAsync({})).url),
    },
    {
      label: 'Enforce',
      hidden: enforced,
      blocked: settings.linked ? null : `Link your account first: sign in with ${name} once.`,
      form: { title: `Enforce ${name}?`, body: (close) => <EnforceForm provider={provider} onClose={close} /> },
    },
    {
      label: 'Stop enforcing',
      hidden: !enforced,
      run: () => enforce.mutateAsync({ body: { enforced: false } }),
      done: 'Members can sign in with passwords again.',
    },
    {
      label: 'Remove',
      danger: true,
      run: () => remove.mutateAsync({}),
      done: `${name} removed.`,
      confirm: {
        title: `Remove ${name}?`,
        text: 'Sessions that began there end, and members sign in with passwords again.',
      },
    },
  ];
  return (
    <Stack gap="sm">
      <Group>
        <Mark tone={enforced ? 'good' : 'neutral'}>{enforced ? 'Enforced' : 'Optional'}</Mark>
        <Text size="sm">{settings.linked ? 'Your account is linked.' : 'Your account is not linked yet.'}</Text>
      </Group>
      <AdministratorActions actions={actions} />
      {result !== null && (
        <Text size="sm" role={result.ok ? 'status' : 'alert'}>
          {result.message}
        </Text>
      )}
    </Stack>
  );
}

function EnforceForm({ provider, onClose }: { readonly provider: Provider; readonly onClose: () => void }) {
  const enforce = useWrite('enforceIdentityProvider');
  const members = useRead('listMembers', { query: { limit: 200 } });
  const administrators = (members.data?.items ?? [])
    .filter(({ role, state }) => role === 'administrator' && state === 'active')
    .map(({ id, email }) => ({ value: id, label: email }));
  return (
    <SchemaForm
      schema={bodyOf('enforceIdentityProvider')}
      omit={['enforced']}
      fields={{
        breakGlassUserId: {
          label: 'Break-glass administrator',
          render: ({ label, value, onChange, error }) => (
            <Select
              label={label}
              description="May still sign in with a password and a one-time code, if the provider fails"
              data={administrators}
              value={typeof value === 'string' ? value : null}
              onChange={onChange}
              error={error}
            />
          ),
        },
      }}
      submitLabel="Enforce"
      danger
      onCancel={onClose}
      send={async (body) => {
        await enforce.mutateAsync({ body: { ...body, enforced: true } });
        showDone(`Members sign in with ${provider.name} only.`);
        onClose();
      }}
    >
      <Text size="sm">Members can no longer sign in with a password. Sessions that began with one end.</Text>
    </SchemaForm>
  );
}

function Addresses({ settings }: { readonly settings: Settings }) {
  const addresses = [
    ['Redirect address', settings.redirectUri],
    ['Address after signing out', settings.signOutReturnUri],
    ['Back-channel logout address', settings.backChannelLogoutUri],
    ['Sign-in page of your account', settings.signInUrl],
  ] as const;
  return (
    <Stack gap="sm">
      {addresses.map(([label, value]) => (
        <div key={label}>
          <Text size="xs" c="dimmed" mb={2}>
            {label}
          </Text>
          <Group gap="xs" align="start">
            <Code style={{ wordBreak: 'break-all' }}>{value}</Code>
            <CopyButton value={value} label={`Copy ${label.toLowerCase()}`} />
          </Group>
        </div>
      ))}
    </Stack>
  );
}

function ProviderForm({ provider }: { readonly provider: Provider | null }) {
  const set = useWrite('setIdentityProvider');
  return (
    <SchemaForm
      schema={bodyOf('setIdentityProvider')}
      initial={provider ?? undefined}
      order={['name', 'issuer', 'clientId', 'clientSecret']}
      fields={{
        name: { help: 'As the button names it: Sign in with …', placeholder: 'Example ID' },
        issuer: { placeholder: 'https://id.example.com', help: 'Exactly as the provider names itself' },
        clientId: { label: 'Client ID', help: null },
        clientSecret: {
          kind: 'secret',
          help: provider?.hasClientSecret ? 'Leave empty to keep the stored one' : 'Empty for a public client',
        },
        scopes: { kind: 'lines', help: 'One per line; offline_access ends sessions of disabled users within a minute' },
        emailDomains: {
          label: 'E-mail domains',
          kind: 'lines',
          help: 'One per line; empty accepts any verified address',
        },
        createsUsers: { label: 'Create users at their first sign-in', help: null },
        groupsClaim: { label: 'Claim of groups', placeholder: 'groups', help: 'Empty: roles don’t follow from groups' },
        administratorGroups: { label: 'Groups of administrators', kind: 'lines', help: 'One per line' },
        memberGroups: { label: 'Groups of members', kind: 'lines', help: 'One per line; empty: everybody' },
        recheckSeconds: { label: 'Ask about users every … seconds', widthPx: 160 },
      }}
      submitLabel="Save"
      send={async ({ clientSecret, ...body }) => {
        await set.mutateAsync({ body: { ...body, ...(clientSecret ? { clientSecret } : {}) } });
        showDone('Sign-in settings saved.');
      }}
    />
  );
}
