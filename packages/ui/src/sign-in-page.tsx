import { Anchor, Text, TextInput } from '@mantine/core';
import { ResponseError } from '@millrace/operations/client';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { EntrancePage } from './entrance-page.tsx';
import { signInSearch } from './entrance-search.ts';
import { useForm } from './form.ts';
import { FormBody } from './form-body.tsx';
import { PasswordField } from './password-field.tsx';
import { ProviderChoice, type SignInProviders } from './provider-choice.tsx';
import { texts } from './texts.ts';

/**
 * Sign-in: e-mail address and password, then the one-time code if the user has one. Afterwards it opens the page that was
 * asked for.
 */
export function SignInPage(props: {
  /** Signs in. An error of the field `oneTimeCode` asks for the code. */
  readonly send: (body: {
    readonly email: string;
    readonly password: string;
    readonly oneTimeCode?: string;
  }) => Promise<unknown>;
  /** Opens the page after signing in, in place of doing so within the app. */
  readonly open?: (path: string) => void;
  /** Where people sign in by the identity provider of their organization as well. */
  readonly providers?: SignInProviders;
  /** Below the form, such as the way to an account. */
  readonly children?: ReactNode;
}) {
  const words = texts().signIn;
  const { next, organization } = signInSearch(useSearch({ strict: false }));
  const router = useRouter();
  const [wantsCode, setWantsCode] = useState(false);
  const form = useForm({ email: '', password: '', oneTimeCode: '' }, async ({ email, password, oneTimeCode }) => {
    try {
      await props.send({ email, password, ...(wantsCode ? { oneTimeCode } : {}) });
      if (props.open) props.open(next ?? '/');
      else router.history.push(`${router.basepath.replace(/\/$/, '')}${next ?? '/'}`);
    } catch (error) {
      const first = !wantsCode && error instanceof ResponseError && 'oneTimeCode' in error.errors;
      if (!first) throw error;
      setWantsCode(true);
    }
  });
  if (wantsCode) {
    return (
      <EntrancePage title={words.codeTitle}>
        <Text size="sm" mb="md">
          {words.codeText}
        </Text>
        <FormBody passing form={form} submitLabel={words.title} onCancel={() => setWantsCode(false)}>
          <TextInput label={words.code} autoComplete="one-time-code" autoFocus {...form.text('oneTimeCode')} />
        </FormBody>
      </EntrancePage>
    );
  }
  return (
    <EntrancePage title={words.title}>
      <FormBody passing form={form} submitLabel={words.title}>
        <TextInput label={words.email} type="email" autoComplete="username" autoFocus {...form.text('email')} />
        <PasswordField label={words.password} autoComplete="current-password" {...form.text('password')} />
        <Anchor size="sm" renderRoot={(root) => <Link {...root} to="/forgot-password" />}>
          {words.forgot}
        </Anchor>
      </FormBody>
      {props.providers && (
        <ProviderChoice
          providers={props.providers}
          email={form.values.email}
          organization={organization}
          next={`${router.basepath.replace(/\/$/, '')}${next ?? '/'}`}
        />
      )}
      {props.children}
    </EntrancePage>
  );
}
