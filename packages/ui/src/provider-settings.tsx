import { Group, Select, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type * as z from 'zod';
import type { Action } from './action.ts';
import { CopiedValue } from './copied-value.tsx';
import { showDone } from './form.ts';
import { Mark } from './mark.tsx';
import { type FieldOptions, SchemaForm } from './schema-form.tsx';

/** Whether people have to use the provider, and whether the reader’s own account is linked to it. */
export function ProviderState({ enforced, linked }: { readonly enforced: boolean; readonly linked: boolean }) {
  return (
    <Group>
      <Mark tone={enforced ? 'good' : 'neutral'}>{enforced ? 'Enforced' : 'Optional'}</Mark>
      <Text size="sm">{linked ? 'Your account is linked.' : 'Your account is not linked yet.'}</Text>
    </Group>
  );
}

/** What can be done with a provider whose members sign in by it; all but linking needs whoever configures it. */
export function providerActions(options: {
  readonly name: string;
  readonly enforced: boolean;
  readonly linked: boolean;
  readonly test: () => Promise<unknown>;
  readonly enforceForm: (close: () => void) => ReactNode;
  readonly stopEnforcing: () => Promise<unknown>;
  readonly remove: () => Promise<unknown>;
}): readonly Action[] {
  const { name, enforced, linked } = options;
  return [
    { label: 'Test connection', run: options.test },
    {
      label: 'Enforce',
      hidden: enforced,
      blocked: linked ? null : `Link your account first: sign in with ${name} once`,
      form: { title: `Enforce ${name}?`, body: options.enforceForm },
    },
    {
      label: 'Stop enforcing',
      hidden: !enforced,
      run: options.stopEnforcing,
      done: 'Members can sign in with passwords again.',
    },
    removeProviderAction({
      name,
      remove: options.remove,
      text: 'Sessions that began there end, and members sign in with passwords again.',
    }),
  ];
}

/** Removes a provider after a question. */
export function removeProviderAction(options: {
  readonly name: string;
  readonly remove: () => Promise<unknown>;
  /** What follows from it. */
  readonly text: string;
}): Action {
  const { name, remove, text } = options;
  return {
    label: 'Remove',
    danger: true,
    run: remove,
    done: `${name} removed.`,
    confirm: { title: `Remove ${name}?`, text },
  };
}

/** Chooses the administrator who may still sign in with a password, and enforces the provider. */
export function EnforceForm(props: {
  /** Of the operation that enforces it. */
  readonly schema: z.ZodObject;
  /** The provider’s name. */
  readonly name: string;
  readonly administrators: readonly { readonly value: string; readonly label: string }[];
  readonly enforce: (breakGlassUserId: string | null) => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const { name, onClose } = props;
  return (
    <SchemaForm
      schema={props.schema}
      omit={['enforced']}
      fields={{
        breakGlassUserId: {
          label: 'Break-glass administrator',
          render: ({ label, value, onChange, error }) => (
            <Select
              label={label}
              description="May still sign in with a password and a one-time code, if the provider fails"
              data={props.administrators}
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
      send={async ({ breakGlassUserId }) => {
        await props.enforce(typeof breakGlassUserId === 'string' ? breakGlassUserId : null);
        showDone(`Members sign in with ${name} only.`);
        onClose();
      }}
    >
      <Text size="sm">Members can no longer sign in with a password. Sessions that began with one end.</Text>
    </SchemaForm>
  );
}

/** What is registered at the provider. */
export function ProviderAddresses(props: {
  readonly addresses: {
    readonly redirectUri: string;
    readonly signOutReturnUri: string;
    readonly backChannelLogoutUri: string;
    readonly signInUrl: string;
  };
  /** Of the address that opens the sign-in, such as `Sign-in page of your account`. */
  readonly signInLabel: string;
}) {
  const { redirectUri, signOutReturnUri, backChannelLogoutUri, signInUrl } = props.addresses;
  return (
    <Stack gap="sm">
      <CopiedValue label="Redirect address" value={redirectUri} />
      <CopiedValue label="Address after signing out" value={signOutReturnUri} />
      <CopiedValue label="Back-channel logout address" value={backChannelLogoutUri} />
      <CopiedValue label={props.signInLabel} value={signInUrl} />
    </Stack>
  );
}

/** The fields of a provider’s form that come first. */
export const firstProviderFields = ['name', 'issuer', 'clientId', 'clientSecret', 'scopes'] as const;

/** How the form of a provider shows the fields that every provider has. */
export function providerFieldOptions(
  provider: { readonly hasClientSecret: boolean } | null,
  { emailDomainsHelp }: { readonly emailDomainsHelp: string },
) {
  return {
    name: { help: 'As the button names it: Sign in with …', placeholder: 'Example ID' },
    issuer: { placeholder: 'https://id.example.com', help: 'Exactly as the provider names itself' },
    clientId: { label: 'Client ID', help: null },
    clientSecret: {
      kind: 'secret',
      help: provider?.hasClientSecret ? 'Leave empty to keep the stored one' : 'Empty for a public client',
    },
    scopes: { kind: 'lines', help: 'One per line; offline_access ends sessions of disabled users within a minute' },
    emailDomains: { label: 'E-mail domains', kind: 'lines', help: emailDomainsHelp },
    createsUsers: { label: 'Create users at their first sign-in', help: null },
    groupsClaim: { label: 'Claim of groups', placeholder: 'groups', help: 'Empty: roles don’t follow from groups' },
    recheckSeconds: { label: 'Ask about users every … seconds', widthPx: 160 },
  } as const satisfies Readonly<Record<string, FieldOptions>>;
}

/** What a provider’s form sends: without a secret that wasn’t typed, the stored one stays. */
export function sentProvider<Body extends { readonly clientSecret?: string | null | undefined }>({
  clientSecret,
  ...body
}: Body) {
  return { ...body, ...(clientSecret ? { clientSecret } : {}) };
}
