import { Anchor, Text, TextInput } from '@mantine/core';
import { ResponseError } from '@millrace/operations/client';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { EntrancePage } from './entrance-page.tsx';
import { signInSearch } from './entrance-search.ts';
import { useForm } from './form.ts';
import { FormBody } from './form-dialog.tsx';
import { PasswordField } from './password-field.tsx';

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
}) {
  const { next } = signInSearch(useSearch({ strict: false }));
  const router = useRouter();
  const [wantsCode, setWantsCode] = useState(false);
  const form = useForm({ email: '', password: '', oneTimeCode: '' }, async ({ email, password, oneTimeCode }) => {
    try {
      await props.send({ email, password, ...(wantsCode ? { oneTimeCode } : {}) });
      router.history.push(`${router.basepath.replace(/\/$/, '')}${next ?? '/'}`);
    } catch (error) {
      const first = !wantsCode && error instanceof ResponseError && 'oneTimeCode' in error.errors;
      if (!first) throw error;
      setWantsCode(true);
    }
  });
  if (wantsCode) {
    return (
      <EntrancePage title="One-time code">
        <Text size="sm" mb="md">
          Enter the 6 digits from your authenticator app, or a recovery code.
        </Text>
        <FormBody passing form={form} submitLabel="Sign in" onCancel={() => setWantsCode(false)}>
          <TextInput label="Code" autoComplete="one-time-code" autoFocus {...form.text('oneTimeCode')} />
        </FormBody>
      </EntrancePage>
    );
  }
  return (
    <EntrancePage title="Sign in">
      <FormBody passing form={form} submitLabel="Sign in">
        <TextInput label="E-mail address" type="email" autoComplete="username" autoFocus {...form.text('email')} />
        <PasswordField label="Password" autoComplete="current-password" {...form.text('password')} />
        <Anchor size="sm" renderRoot={(root) => <Link {...root} to="/forgot-password" />}>
          Forgot password?
        </Anchor>
      </FormBody>
    </EntrancePage>
  );
}
