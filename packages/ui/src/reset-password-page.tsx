import { Alert, Anchor, Text } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { EntrancePage } from './entrance-page.tsx';
import { tokenSearch } from './entrance-search.ts';
import { useForm } from './form.ts';
import { FormBody } from './form-dialog.tsx';
import { PasswordField } from './password-field.tsx';

/** Sets a new password with a link's token. */
export function ResetPasswordPage(props: {
  readonly send: (body: { readonly token: string; readonly newPassword: string }) => Promise<unknown>;
}) {
  const { token = '' } = tokenSearch(useSearch({ strict: false }));
  const [done, setDone] = useState(false);
  const form = useForm({ newPassword: '' }, async ({ newPassword }) => {
    await props.send({ token, newPassword });
    setDone(true);
  });
  return (
    <EntrancePage title="Choose a new password">
      {done ? (
        <Text role="status">Your password has been changed, and you are signed out everywhere.</Text>
      ) : (
        <FormBody passing form={form} submitLabel="Set password">
          {form.errorAt('token') && (
            <Alert color="red" role="alert">
              {form.errorAt('token')}
            </Alert>
          )}
          <PasswordField
            label="New password"
            description="At least 12 characters, without your name or e-mail address"
            autoComplete="new-password"
            autoFocus
            {...form.text('newPassword')}
          />
        </FormBody>
      )}
      <Anchor size="sm" mt="md" display="inline-block" renderRoot={(root) => <Link {...root} to="/sign-in" />}>
        {done ? 'Sign in' : 'Back to sign-in'}
      </Anchor>
    </EntrancePage>
  );
}
