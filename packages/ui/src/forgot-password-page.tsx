import { Anchor, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { EntrancePage } from './entrance-page.tsx';
import { useForm } from './form.ts';
import { FormBody } from './form-body.tsx';
import { texts } from './texts.ts';

/** Requests a link to reset the password. */
export function ForgotPasswordPage(props: { readonly send: (body: { readonly email: string }) => Promise<unknown> }) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({ email: '' }, async (body) => {
    await props.send(body);
    setSentTo(body.email);
  });
  return (
    <EntrancePage title={texts().resetPassword.title}>
      {sentTo === null ? (
        <FormBody passing form={form} submitLabel={texts().resetPassword.send}>
          <TextInput
            label={texts().signIn.email}
            type="email"
            autoComplete="username"
            autoFocus
            {...form.text('email')}
          />
        </FormBody>
      ) : (
        <Text role="status">{texts().resetPassword.sent(sentTo)}</Text>
      )}
      <Anchor size="sm" mt="md" display="inline-block" renderRoot={(root) => <Link {...root} to="/sign-in" />}>
        {texts().signIn.back}
      </Anchor>
    </EntrancePage>
  );
}
