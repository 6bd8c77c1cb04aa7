import { Code, Group, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { CopyButton } from '@millrace/ui/copy-button';
import { showDone, showFailure } from '@millrace/ui/form';
import { Mark } from '@millrace/ui/mark';
import { Loaded } from '@millrace/ui/page';
import { SchemaForm } from '@millrace/ui/schema-form';
import { useState } from 'react';
import { type PermittedAction, PermittedActions } from '../../frame/actions.tsx';
import { bodyOf, call, type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';
import { Provisioning } from './provisioning.tsx';
import { Writable } from './writable.tsx';

type Settings = DataOf<'getIdentityProvider'>;
type Provider = NonNullable<Settings['provider']>;

const permission = 'identity-provider.write';

/** How members sign in by the organization’s own identity provider, and whether they have to. */
export function SignInSettings() {
  const read = useRead('getIdentityProvider');
  return (
    <Loaded read={read}>
      {(settings) => (
        <Stack gap="xl">
          {settings.provider !== null && <State settings={settings} provider={settings.provider} />}
          <Addresses settings={settings} />
          <Writable permission={permission}>
            <ProviderForm key={settings.provider?.version ?? 0} provider={settings.provider} />
          </Writable>
          <Provisioning scimUrl={settings.scimUrl} />
        </Stack>
      )}
    </Loaded>
  );
}

/** Whether the provider can be used and has to be, and what can be done with it. */
function State({ settings, provider }: { readonly settings: Settings; readonly provider: Provider }) {
  const { organization } = useSession();
  const test = useWrite('testIdentityProvider');
  const enforce = useWrite('enforceIdentityProvider');
  const remove = useWrite('deleteIdentityProvider');
  const [facts, setFacts] = useState<DataOf<'testIdentityProvider'> | null>(null);
  const link = async () => {
    try {
      const body = { organization: organization.name, next: '/settings/sign-in', link: true };
      window.location.assign((await call('startProviderSignIn', { body })).url);
    } catch (error) {
      showFailure(error);
    }
  };
  const { name, version, enforced } = provider;
  const actions: readonly PermittedAction[] = [
    {
      label: 'Test connection',
      permission,
      run: async () => setFacts(await test.mutateAsync({})),
    },
    { label: 'Link your account', hidden: settings.linked, run: link },
    {
      label: 'Enforce',
      permission,
      hidden: enforced,
      blocked: settings.linked ? null : `Link your account first: sign in with ${name} once`,
      form: { title: `Enforce ${name}?`, body: (close) => <EnforceForm provider={provider} onClose={close} /> },
    },
    {
      label: 'Stop enforcing',
      permission,
      hidden: !enforced,
      run: () => enforce.mutateAsync({ body: { enforced: false }, version }),
      done: 'Members can sign in with passwords again.',
    },
    {
      label: 'Remove',
      danger: true,
      permission,
      run: () => remove.mutateAsync({ version }),
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
      <PermittedActions actions={actions} />
      {facts !== null && <Facts facts={facts} />}
    </Stack>
  );
}

function Facts({ facts }: { readonly facts: DataOf<'testIdentityProvider'> }) {
  if (facts.problem !== null) {
    return (
      <Text role="alert" c="red.8" size="sm">
        {facts.problem}
      </Text>
    );
  }
  const lines = [
    `Connected: ${facts.keys} signing ${facts.keys === 1 ? 'key' : 'keys'}.`,
    facts.refreshTokens
      ? 'Issues refresh tokens: disabled users lose their sessions within a minute.'
      : 'Doesn’t announce refresh tokens: set up SCIM or back-channel logout to end sessions of disabled users.',
    facts.backChannelLogout ? 'Reports logouts.' : 'Doesn’t report logouts.',
  ];
  return (
    <div role="status">
      {lines.map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
    </div>
  );
}

function EnforceForm({ provider, onClose }: { readonly provider: Provider; readonly onClose: () => void }) {
  const enforce = useWrite('enforceIdentityProvider');
  const users = useRead('listUsers', {
    query: { roleId: 'organization_administrator', state: 'active', pageSize: 100 },
  });
  const administrators = (users.data?.users ?? []).map(({ id, name, email }) => ({
    value: id,
    label: `${name} (${email})`,
  }));
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
        await enforce.mutateAsync({ body: { ...body, enforced: true }, version: provider.version });
        showDone(`Members sign in with ${provider.name} only.`);
        onClose();
      }}
    >
      <Text size="sm">Members can no longer sign in with a password. Sessions that began with one end.</Text>
    </SchemaForm>
  );
}

/** What is registered at the provider. */
function Addresses({ settings }: { readonly settings: Settings }) {
  const addresses = [
    ['Redirect address', settings.redirectUri],
    ['Address after signing out', settings.signOutReturnUri],
    ['Back-channel logout address', settings.backChannelLogoutUri],
    ['Sign-in page of your organization', settings.signInUrl],
  ] as const;
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4" mb="sm">
        Addresses to register at the provider
      </Title>
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
    </Paper>
  );
}

function ProviderForm({ provider }: { readonly provider: Provider | null }) {
  const set = useWrite('setIdentityProvider');
  const roles = useRead('listRoles', { query: { pageSize: 100 } });
  const options = (roles.data?.roles ?? [])
    .filter(({ id }) => id !== 'super_admin')
    .map(({ id, name }) => ({ value: id, label: name }));
  return (
    <SchemaForm
      key={options.length}
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
          help: 'One per line; empty accepts any. Verify them under Portal → Domains to find the provider by address',
        },
        createsUsers: { label: 'Create users at their first sign-in', help: null },
        defaultRoleIds: { label: 'Roles of everybody', options, help: 'Beside those of their groups' },
        groupsClaim: { label: 'Claim of groups', placeholder: 'groups', help: 'Empty: roles don’t follow from groups' },
        groupRoles: {
          label: 'Groups and their roles',
          itemNoun: 'group',
          fields: { group: { help: null }, roleIds: { label: 'Roles', options, beside: true, help: null } },
        },
        recheckSeconds: { label: 'Ask about users every … seconds', widthPx: 160 },
      }}
      submitLabel="Save"
      send={async ({ clientSecret, ...body }) => {
        const secret = clientSecret ? { clientSecret } : {};
        const version = provider === null ? {} : { version: provider.version };
        await set.mutateAsync({ body: { ...body, ...secret }, ...version });
        showDone('Sign-in settings saved.');
      }}
    />
  );
}
