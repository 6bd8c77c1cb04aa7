import { Button, Divider, Stack, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { showFailure, useForm } from './form.ts';
import { FormBody } from './form-body.tsx';
import { InvalidInput } from './invalid-input.ts';
import { texts } from './texts.ts';

/** An identity provider that people of an organization sign in by. */
interface FoundProvider {
  readonly organization: string;
  readonly name: string;
}

/** How an app finds identity providers and begins signing in by one. */
export interface SignInProviders {
  /** By an e-mail address or an organization’s name, or, where it is single, without; null if there is none. */
  find(by: { readonly email?: string; readonly organization?: string }): Promise<FoundProvider | null>;
  /** The address at the provider to open. */
  start(request: { readonly organization: string; readonly next: string; readonly email?: string }): Promise<string>;
  /** Whether the page or the address says the organization, so that nobody names theirs. */
  readonly single?: boolean;
  /** Whether nothing but an e-mail address or the page’s address leads to one, so that nobody names theirs. */
  readonly unnamed?: boolean;
}

/** Waits until somebody has stopped typing. */
const pauseMs = 400;

/** The button of the identity provider that the typed address, the page’s address or the named organization leads to. */
export function ProviderChoice(props: {
  readonly providers: SignInProviders;
  readonly email: string;
  readonly organization: string | undefined;
  /** Path to open afterwards. */
  readonly next: string;
}) {
  const { providers, email, organization, next } = props;
  const words = texts().signIn;
  const [found, setFound] = useState<FoundProvider | null>(null);
  const [asking, setAsking] = useState(false);
  const isAddress = /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email);
  const { single = false, unnamed = false } = providers;
  // As a text, which is equal where it says the same.
  const by = JSON.stringify(organization !== undefined ? { organization } : isAddress ? { email } : single ? {} : null);
  useEffect(() => {
    const wanted = JSON.parse(by) as { readonly email?: string; readonly organization?: string } | null;
    if (wanted === null) return;
    let current = true;
    const find = () =>
      providers.find(wanted).then(
        (provider) => {
          if (current) setFound(provider);
        },
        // Without an answer, the password remains.
        () => undefined,
      );
    const timer = setTimeout(find, wanted.email === undefined ? 0 : pauseMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [providers, by]);
  const open = async (provider: FoundProvider) => {
    try {
      const hint = isAddress ? { email } : {};
      window.location.assign(await providers.start({ organization: provider.organization, next, ...hint }));
    } catch (error) {
      showFailure(error);
    }
  };
  if (found === null && (single || unnamed)) return null;
  return (
    <Stack mt="md" gap="sm">
      <Divider />
      {found !== null ? (
        <Button variant="default" onClick={() => open(found)}>
          {words.byProvider(found.name)}
        </Button>
      ) : asking ? (
        <OrganizationForm providers={providers} onFound={open} onCancel={() => setAsking(false)} />
      ) : (
        <Button variant="subtle" onClick={() => setAsking(true)}>
          {words.findProvider}
        </Button>
      )}
    </Stack>
  );
}

function OrganizationForm(props: {
  readonly providers: SignInProviders;
  readonly onFound: (provider: FoundProvider) => Promise<void>;
  readonly onCancel: () => void;
}) {
  const words = texts().signIn;
  const form = useForm({ organization: '' }, async ({ organization }) => {
    const provider = await props.providers.find({ organization: organization.trim().toLowerCase() });
    if (provider === null) throw new InvalidInput({ organization: words.noProvider });
    await props.onFound(provider);
  });
  return (
    <FormBody passing form={form} submitLabel={words.continue} onCancel={props.onCancel}>
      <TextInput
        label={words.organization}
        description={words.organizationHelp}
        autoFocus
        {...form.text('organization')}
      />
    </FormBody>
  );
}
