import { Anchor, Text, TextInput } from '@mantine/core';
import { EntrancePage } from '@millrace/ui/entrance-page';
import { signInSearch } from '@millrace/ui/entrance-search';
import { useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { PasswordField } from '@millrace/ui/password-field';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { call, chosenOrganization, ResponseError } from '../../frame/api.ts';

/** Sign-in: address and password, then the one-time code where the account asks for one. */
export function SignIn() {
  const { next } = signInSearch(useSearch({ strict: false }));
  const router = useRouter();
  const cache = useQueryClient();
  const [wantsCode, setWantsCode] = useState(false);
  const form = useForm({ email: '', password: '', oneTimeCode: '' }, async ({ email, password, oneTimeCode }) => {
    try {
      const code = wantsCode ? { oneTimeCode } : {};
      const session = await call('login', { body: { email, password, ...code } });
      cache.clear();
      // Whether they may look at another organization, which the address names, the server says.
      if (chosenOrganization() === null) cache.setQueryData(['getSession', {}, null], session);
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
          Open your authenticator app and type the 6 digits it shows for Millrace, or one of your recovery codes.
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
          Forgot your password?
        </Anchor>
      </FormBody>
    </EntrancePage>
  );
}
