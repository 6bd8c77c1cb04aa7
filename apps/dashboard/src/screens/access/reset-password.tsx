import { Alert, Anchor, Text } from '@mantine/core';
import { EntrancePage } from '@millrace/interface/entrance-page';
import { tokenSearch } from '@millrace/interface/entrance-search';
import { useForm } from '@millrace/interface/form';
import { FormBody } from '@millrace/interface/form-dialog';
import { PasswordField } from '@millrace/interface/password-field';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../frame/api.ts';

/** Sets a new password with a link's token. */
export function ResetPassword() {
  const { token = '' } = tokenSearch(useSearch({ strict: false }));
  const [done, setDone] = useState(false);
  const form = useForm({ newPassword: '' }, async ({ newPassword }) => {
    await call('resetPassword', { body: { token, newPassword } });
    setDone(true);
  });
  return (
    <EntrancePage title="Choose a new password">
      {done ? (
        <Text role="status">Your password is set, and you were signed out everywhere.</Text>
      ) : (
        <FormBody passing form={form} submitLabel="Set the password">
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
        {done ? 'Sign in' : 'Back to the sign-in'}
      </Anchor>
    </EntrancePage>
  );
}
