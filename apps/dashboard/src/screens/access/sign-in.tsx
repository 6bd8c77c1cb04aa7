import { Anchor, TextInput } from '@mantine/core';
import { EntrancePage } from '@millrace/ui/entrance-page';
import { signInSearch } from '@millrace/ui/entrance-search';
import { useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { PasswordField } from '@millrace/ui/password-field';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { call, readOf } from '../../frame/api.ts';

/** Sign-in with address and password; leads to where somebody wanted to go. */
export function SignIn() {
  const { next } = signInSearch(useSearch({ strict: false }));
  const router = useRouter();
  const cache = useQueryClient();
  const form = useForm({ email: '', password: '' }, async (body) => {
    const session = await call('signIn', { body });
    cache.clear();
    cache.setQueryData(readOf('getSession').queryKey, session);
    router.history.push(next ?? '/');
  });
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
