import { Alert, Anchor, Text, TextInput } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { EntrancePage } from './entrance-page.tsx';
import { tokenSearch } from './entrance-search.ts';
import { useForm } from './form.ts';
import { FormBody } from './form-dialog.tsx';
import { PasswordField } from './password-field.tsx';

/** Accepts an invitation by its token. */
export function AcceptInvitationPage(props: {
  readonly send: (body: {
    readonly token: string;
    readonly name: string;
    readonly password: string;
  }) => Promise<{ readonly email: string }>;
  /** What the invited person becomes, such as `member`. */
  readonly becomes: string;
}) {
  const { token = '' } = tokenSearch(useSearch({ strict: false }));
  const [email, setEmail] = useState<string | null>(null);
  const form = useForm({ name: '', password: '' }, async (values) => {
    const accepted = await props.send({ token, ...values });
    setEmail(accepted.email);
  });
  const tokenError = form.errorAt('token');
  return (
    <EntrancePage title="Accept invitation">
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
          <Text role="status">
            You’re now a {props.becomes}. Sign in as {email}.
          </Text>
          <Anchor mt="md" display="inline-block" renderRoot={(root) => <Link {...root} to="/sign-in" />}>
            Sign in
          </Anchor>
        </>
      )}
    </EntrancePage>
  );
}
