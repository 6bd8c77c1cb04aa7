import { Alert, Anchor, Text, TextInput } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { EntrancePage } from './entrance-page.tsx';
import { tokenSearch } from './entrance-search.ts';
import { useForm } from './form.ts';
import { FormBody } from './form-body.tsx';
import { PasswordField } from './password-field.tsx';
import { texts } from './texts.ts';

/** Accepts an invitation by its token. */
export function AcceptInvitationPage(props: {
  readonly send: (body: {
    readonly token: string;
    readonly name: string;
    readonly password: string;
  }) => Promise<{ readonly email: string }>;
  /** What the invited person becomes, such as `member`. */
  readonly becomes: string;
  /** Where accepting signs in: opens the first page, in place of the way to the sign-in. */
  readonly open?: () => void;
}) {
  const words = texts().invitation;
  const { token = '' } = tokenSearch(useSearch({ strict: false }));
  const [email, setEmail] = useState<string | null>(null);
  const form = useForm({ name: '', password: '' }, async (values) => {
    const accepted = await props.send({ token, ...values });
    if (props.open) props.open();
    else setEmail(accepted.email);
  });
  const tokenError = form.errorAt('token');
  return (
    <EntrancePage title={words.title}>
      {email === null ? (
        <FormBody passing form={form} submitLabel={words.accept}>
          {tokenError && (
            <Alert color="red" role="alert">
              {tokenError}
            </Alert>
          )}
          <TextInput label={words.name} autoComplete="name" autoFocus {...form.text('name')} />
          <PasswordField
            label={texts().signIn.password}
            description={texts().password.rule}
            autoComplete="new-password"
            {...form.text('password')}
          />
        </FormBody>
      ) : (
        <>
          <Text role="status">{words.accepted(props.becomes, email)}</Text>
          <Anchor mt="md" display="inline-block" renderRoot={(root) => <Link {...root} to="/sign-in" />}>
            {texts().signIn.title}
          </Anchor>
        </>
      )}
    </EntrancePage>
  );
}
