import { Paper, Stack, Title } from '@mantine/core';
import { showDone, showFailure } from '@millrace/ui/form';
import { Loaded } from '@millrace/ui/page';
import {
  EnforceForm,
  firstProviderFields,
  ProviderAddresses,
  ProviderState,
  providerActions,
  providerFieldOptions,
  sentProvider,
} from '@millrace/ui/provider-settings';
import { SchemaForm } from '@millrace/ui/schema-form';
import { useState } from 'react';
import { PermittedActions } from '../../frame/actions.tsx';
import { bodyOf, call, type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { ProviderFacts } from '../../frame/provider-facts.tsx';
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
          <Paper withBorder p="md">
            <Title order={2} size="h4" mb="sm">
              Addresses to register at the provider
            </Title>
            <ProviderAddresses addresses={settings} signInLabel="Sign-in page of your organization" />
          </Paper>
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
  const { linked } = settings;
  const actions = providerActions({
    name,
    enforced,
    linked,
    test: async () => setFacts(await test.mutateAsync({})),
    enforceForm: (close) => <Enforcement provider={provider} onClose={close} />,
    stopEnforcing: () => enforce.mutateAsync({ body: { enforced: false }, version }),
    remove: () => remove.mutateAsync({ version }),
  });
  return (
    <Stack gap="sm">
      <ProviderState enforced={enforced} linked={linked} />
      <PermittedActions
        actions={[
          { label: 'Link your account', hidden: linked, run: link },
          ...actions.map((action) => ({ ...action, permission })),
        ]}
      />
      {facts !== null && <ProviderFacts facts={facts} />}
    </Stack>
  );
}

function Enforcement({ provider, onClose }: { readonly provider: Provider; readonly onClose: () => void }) {
  const enforce = useWrite('enforceIdentityProvider');
  const users = useRead('listUsers', {
    query: { roleId: 'organization_administrator', state: 'active', pageSize: 100 },
  });
  const { name, version } = provider;
  return (
    <EnforceForm
      schema={bodyOf('enforceIdentityProvider')}
      name={name}
      administrators={(users.data?.users ?? []).map((user) => ({
        value: user.id,
        label: `${user.name} (${user.email})`,
      }))}
      enforce={(breakGlassUserId) => enforce.mutateAsync({ body: { enforced: true, breakGlassUserId }, version })}
      onClose={onClose}
    />
  );
}

function ProviderForm({ provider }: { readonly provider: Provider | null }) {
  const set = useWrite('setIdentityProvider');
  const roles = useRead('listRoles', { query: { pageSize: 100 } });
  return (
    <Loaded read={roles}>
      {(data) => {
        const options = data.roles
          .filter(({ id }) => id !== 'super_admin')
          .map(({ id, name }) => ({ value: id, label: name }));
        return (
          <SchemaForm
            schema={bodyOf('setIdentityProvider')}
            initial={provider ?? undefined}
            order={firstProviderFields}
            fields={{
              ...providerFieldOptions(provider, {
                emailDomainsHelp:
                  'One per line; empty accepts any. Verify them under Portal → Domains to find the provider by address',
              }),
              defaultRoleIds: { label: 'Roles of everybody', options, help: 'Beside those of their groups' },
              groupRoles: {
                label: 'Groups and their roles',
                itemNoun: 'group',
                fields: { group: { help: null }, roleIds: { label: 'Roles', options, beside: true, help: null } },
              },
            }}
            submitLabel="Save"
            send={async (body) => {
              const version = provider === null ? {} : { version: provider.version };
              await set.mutateAsync({ body: sentProvider(body), ...version });
              showDone('Sign-in settings saved.');
            }}
          />
        );
      }}
    </Loaded>
  );
}
