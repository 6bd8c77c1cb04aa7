import { Stack } from '@mantine/core';
import { showDone } from '@millrace/ui/form';
import { Loaded, Section } from '@millrace/ui/page';
import {
  firstProviderFields,
  ProviderAddresses,
  providerFieldOptions,
  removeProviderAction,
  sentProvider,
} from '@millrace/ui/provider-settings';
import { SchemaForm } from '@millrace/ui/schema-form';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { PermittedActions } from '../../frame/actions.tsx';
import { bodyOf, type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { ProviderFacts } from '../../frame/provider-facts.tsx';
import { Writable } from '../settings/writable.tsx';

type Provider = NonNullable<DataOf<'getPortalIdentityProvider'>['provider']>;

const permission = 'identity-provider.write';

/** The identity provider by which a developer’s company signs in to the developer portal. */
export function DeveloperSignIn() {
  const { developerId } = useParams({ from: '/shell/developers/$developerId/sign-in' });
  const read = useRead('getPortalIdentityProvider', { params: { developerId } });
  return (
    <Loaded read={read}>
      {({ provider, ...addresses }) => (
        <Stack gap="xl">
          {provider !== null && <Actions developerId={developerId} provider={provider} />}
          <Section title="Addresses to register at the provider">
            <ProviderAddresses addresses={addresses} signInLabel="Sign-in page of the company" />
          </Section>
          <Section
            title="Identity provider"
            description="The company’s own: its people sign in to the portal as users of this developer"
          >
            <Writable permission={permission}>
              <ProviderForm key={provider?.version ?? 0} developerId={developerId} provider={provider} />
            </Writable>
          </Section>
        </Stack>
      )}
    </Loaded>
  );
}

function Actions({ developerId, provider }: { readonly developerId: string; readonly provider: Provider }) {
  const test = useWrite('testPortalIdentityProvider');
  const remove = useWrite('deletePortalIdentityProvider');
  const [facts, setFacts] = useState<DataOf<'testPortalIdentityProvider'> | null>(null);
  const params = { developerId };
  const { name, version } = provider;
  const removal = removeProviderAction({
    name,
    remove: () => remove.mutateAsync({ params, version }),
    text: 'Sessions that began there end. Users without a password set one by “Forgot password?”.',
  });
  return (
    <Stack gap="sm">
      <PermittedActions
        actions={[
          { label: 'Test connection', permission, run: async () => setFacts(await test.mutateAsync({ params })) },
          { ...removal, permission },
        ]}
      />
      {facts !== null && <ProviderFacts facts={facts} />}
    </Stack>
  );
}

function ProviderForm({ developerId, provider }: { readonly developerId: string; readonly provider: Provider | null }) {
  const set = useWrite('setPortalIdentityProvider');
  return (
    <SchemaForm
      schema={bodyOf('setPortalIdentityProvider')}
      initial={provider ?? undefined}
      order={[...firstProviderFields, 'emailDomains', 'createsUsers', 'role']}
      fields={{
        ...providerFieldOptions(provider, {
          emailDomainsHelp: 'One per line, of the company alone: by them, the portal’s sign-in finds the provider',
        }),
        role: { help: 'Of new users, and of those in none of the groups' },
        groupRoles: {
          label: 'Groups and their roles',
          itemNoun: 'group',
          help: 'The first that applies',
          fields: { group: { help: null }, role: { beside: true, help: null } },
        },
        enforced: { label: 'Refuse passwords', help: 'Sessions that began with one end' },
      }}
      submitLabel="Save"
      send={async (body) => {
        const version = provider === null ? {} : { version: provider.version };
        await set.mutateAsync({ params: { developerId }, body: sentProvider(body), ...version });
        showDone('Sign-in settings saved.');
      }}
    />
  );
}
