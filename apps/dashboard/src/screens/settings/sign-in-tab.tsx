import { Stack, Text } from '@mantine/core';
import type { Action } from '@millrace/ui/action';
import { showDone } from '@millrace/ui/form';
import { Loaded, Section } from '@millrace/ui/page';
import {
  EnforceForm,
  firstProviderFields,
  ProviderAddresses,
  ProviderState,
  providerActions,
  providerFieldOptions,
  sentProvider,
} from '@millrace/ui/provider-settings';
import { ProvisioningTokens } from '@millrace/ui/provisioning';
import { SchemaForm } from '@millrace/ui/schema-form';
import { useState } from 'react';
import { AdministratorActions } from '../../frame/administrator-actions.tsx';
import { type AnswerOf, bodyOf, useRead, useWrite } from '../../frame/api.ts';
import { useIsAdministrator } from '../../frame/session.tsx';
import { AdministratorFields } from './administrator-fields.tsx';
import { EmailDomains } from './email-domains.tsx';

type Settings = AnswerOf<'getIdentityProvider'>;
type Provider = NonNullable<Settings['provider']>;

/** How members sign in by the account’s own identity provider, and whether they have to. */
export function SignInTab() {
  const settings = useRead('getIdentityProvider');
  const isAdministrator = useIsAdministrator();
  return (
    <Loaded read={settings}>
      {(data) => (
        <Stack gap="xl" maw={640}>
          {data.provider !== null && <State settings={data} provider={data.provider} />}
          <Section title="Addresses to register at the identity provider">
            <ProviderAddresses addresses={data} signInLabel="Sign-in page of your account" />
          </Section>
          <Section title="Identity provider">
            <AdministratorFields>
              <ProviderForm key={JSON.stringify(data.provider)} provider={data.provider} />
            </AdministratorFields>
          </Section>
          {isAdministrator && (
            <>
              <Section title="E-mail domains">
                <EmailDomains />
              </Section>
              <Section title="Provisioning">
                <Provisioning />
              </Section>
            </>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

/** The tokens by which the identity provider provisions members. */
function Provisioning() {
  const read = useRead('listScimTokens');
  const create = useWrite('createScimToken');
  const remove = useWrite('deleteScimToken');
  return (
    <Loaded read={read}>
      {({ tokens, scimUrl }) => (
        <ProvisioningTokens
          scimUrl={scimUrl}
          tokens={tokens}
          schema={bodyOf('createScimToken')}
          create={async (body) => (await create.mutateAsync({ body })).token}
          remove={(id) => remove.mutateAsync({ params: { id } })}
          renderActions={(actions, within) => (
            <AdministratorActions actions={actions} {...(within === 'row' ? { size: 'compact-xs' } : {})} />
          )}
        />
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
  const { linked } = settings;
  const actions: readonly Action[] = [
    {
      label: 'Link your account',
      hidden: linked,
      run: async () => window.location.assign((await link.mutateAsync({})).url),
    },
    ...providerActions({
      name,
      enforced,
      linked,
      test: async () => setResult(await test.mutateAsync({})),
      enforceForm: (close) => <Enforcement name={name} onClose={close} />,
      stopEnforcing: () => enforce.mutateAsync({ body: { enforced: false } }),
      remove: () => remove.mutateAsync({}),
    }),
  ];
  return (
    <Stack gap="sm">
      <ProviderState enforced={enforced} linked={linked} />
      <AdministratorActions actions={actions} />
      {result !== null && (
        <Text size="sm" role={result.ok ? 'status' : 'alert'}>
          {result.message}
        </Text>
      )}
    </Stack>
  );
}

function Enforcement({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const enforce = useWrite('enforceIdentityProvider');
  const members = useRead('listMembers', { query: { limit: 200 } });
  return (
    <EnforceForm
      schema={bodyOf('enforceIdentityProvider')}
      name={name}
      administrators={(members.data?.items ?? [])
        .filter(({ role, state }) => role === 'administrator' && state === 'active')
        .map(({ id, email }) => ({ value: id, label: email }))}
      enforce={(breakGlassUserId) => enforce.mutateAsync({ body: { enforced: true, breakGlassUserId } })}
      onClose={onClose}
    />
  );
}

function ProviderForm({ provider }: { readonly provider: Provider | null }) {
  const set = useWrite('setIdentityProvider');
  return (
    <SchemaForm
      schema={bodyOf('setIdentityProvider')}
      initial={provider ?? undefined}
      order={firstProviderFields}
      fields={{
        ...providerFieldOptions(provider, {
          emailDomainsHelp:
            'One per line; empty accepts any verified address. Verify them below to find the provider by address',
        }),
        administratorGroups: { label: 'Groups of administrators', kind: 'lines', help: 'One per line' },
        memberGroups: { label: 'Groups of members', kind: 'lines', help: 'One per line; empty: everybody' },
      }}
      submitLabel="Save"
      send={async (body) => {
        await set.mutateAsync({ body: sentProvider(body) });
        showDone('Sign-in settings saved.');
      }}
    />
  );
}
