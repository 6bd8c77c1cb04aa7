import { Alert, Anchor, Text, TextInput } from '@mantine/core';
import { EntrancePage } from '@millrace/interface/entrance-page';
import { tokenSearch } from '@millrace/interface/entrance-search';
import { useForm } from '@millrace/interface/form';
import { FormBody } from '@millrace/interface/form-dialog';
import { PasswordField } from '@millrace/interface/password-field';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../frame/api.ts';

/** Becomes a user with an invitation's token. The browser's time zone and language become theirs. */
export function AcceptInvitation() {
  const { token = '' } = tokenSearch(useSearch({ strict: false }));
  const [email, setEmail] = useState<string | null>(null);
  const form = useForm({ name: '', password: '' }, async (values) => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const user = await call('acceptInvitation', { body: { token, ...values, timeZone, locale: navigator.language } });
    setEmail(user.email);
  });
  const tokenError = form.errorAt('token');
  return (
    <EntrancePage title="Accept the invitation">
      {email === null ? (
        <FormBody passing form={form} submitLabel="Accept">
          {tokenError && (
            <Alert color="red" role="alert">
              {tokenError}
            </Alert>
          )}
          <TextInput label="Your name" autoComplete="name" autoFocus {...form.text('name')} />
          <PasswordField
            label="Password"
            description="At least 12 characters, without your name or e-mail address"
            autoComplete="new-password"
            {...form.text('password')}
          />
        </FormBody>
      ) : (
        <>
          <Text role="status">You are a user now. Sign in as {email}.</Text>
          <Anchor mt="md" display="inline-block" renderRoot={(root) => <Link {...root} to="/sign-in" />}>
            Sign in
          </Anchor>
        </>
      )}
    </EntrancePage>
  );
}
