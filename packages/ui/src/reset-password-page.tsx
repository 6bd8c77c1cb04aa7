import { Alert, Anchor, Text } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { EntrancePage } from './entrance-page.tsx';
import { tokenSearch } from './entrance-search.ts';
import { useForm } from './form.ts';
import { FormBody } from './form-body.tsx';
import { PasswordField } from './password-field.tsx';
import { texts } from './texts.ts';

/** Sets a new password with a link's token. */
export function ResetPasswordPage(props: {
  readonly send: (body: { readonly token: string; readonly newPassword: string }) => Promise<unknown>;
}) {
  const words = texts().resetPassword;
  const { token = '' } = tokenSearch(useSearch({ strict: false }));
  const [done, setDone] = useState(false);
  const form = useForm({ newPassword: '' }, async ({ newPassword }) => {
    await props.send({ token, newPassword });
    setDone(true);
  });
  return (
    <EntrancePage title={words.chooseTitle}>
      {done ? (
        <Text role="status">{words.changed}</Text>
      ) : (
        <FormBody passing form={form} submitLabel={words.set}>
          {form.errorAt('token') && (
            <Alert color="red" role="alert">
              {form.errorAt('token')}
            </Alert>
          )}
          <PasswordField
            label={texts().password.new}
            description={texts().password.rule}
            autoComplete="new-password"
            autoFocus
            {...form.text('newPassword')}
          />
        </FormBody>
      )}
      <Anchor size="sm" mt="md" display="inline-block" renderRoot={(root) => <Link {...root} to="/sign-in" />}>
        {done ? texts().signIn.title : texts().signIn.back}
      </Anchor>
    </EntrancePage>
  );
}
