import { Alert, Anchor, Loader, Text } from '@mantine/core';
import { ResponseError } from '@millrace/operations/client';
import { EntrancePage } from '@millrace/ui/entrance-page';
import { tokenSearch } from '@millrace/ui/entrance-search';
import { useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { Failure } from '@millrace/ui/page';
import { PasswordField } from '@millrace/ui/password-field';
import { texts as kit } from '@millrace/ui/texts';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../frame/api.ts';
import { openPage } from '../../frame/place.ts';
import { texts } from '../../frame/texts.ts';
import { takeChoice } from '../start/search.ts';

const words = texts.confirm;

/**
 * Confirms a registration by the token of its e-mail, and opens the first steps. The browser that registered needs
 * nothing else; any other has to give the password.
 */
export function Confirm() {
  const { token = '' } = tokenSearch(useSearch({ strict: false }));
  const [shown, setShown] = useState<'sending' | 'password' | 'waiting' | Error>('sending');
  const confirm = async (password?: string) => {
    const { outcome } = await call('confirmRegistration', { body: { token, ...(password && { password }) } });
    if (outcome === 'signed_in') openPage(`/account/start?${new URLSearchParams({ ...takeChoice() })}`);
    else setShown('waiting');
  };
  const sent = useRef(false);
  useEffect(() => {
    if (sent.current) return;
    sent.current = true;
    confirm().catch((error) => setShown(fieldsOf(error).password ? 'password' : error));
  });
  if (shown === 'waiting') {
    return (
      <EntrancePage title={words.waitingTitle}>
        <Text role="status">{words.waiting}</Text>
      </EntrancePage>
    );
  }
  if (shown === 'sending' || shown === 'password') {
    return (
      <EntrancePage title={words.title}>
        {shown === 'sending' ? (
          <Loader aria-label={kit().loading} role="status" />
        ) : (
          <PasswordQuestion send={confirm} />
        )}
      </EntrancePage>
    );
  }
  const fields = fieldsOf(shown);
  return (
    <EntrancePage title={words.failedTitle}>
      {fields.token ? (
        <Alert color="red" role="alert">
          {fields.token}
        </Alert>
      ) : (
        <Failure error={shown} />
      )}
      <Text size="sm" mt="lg">
        <Anchor inherit underline="always" renderRoot={(root) => <Link {...root} to="/register" />}>
          {words.again}
        </Anchor>
        {' · '}
        <Anchor inherit underline="always" renderRoot={(root) => <Link {...root} to="/sign-in" />}>
          {kit().signIn.title}
        </Anchor>
      </Text>
    </EntrancePage>
  );
}

function fieldsOf(error: unknown): Readonly<Record<string, string>> {
  return error instanceof ResponseError ? error.errors : {};
}

function PasswordQuestion({ send }: { readonly send: (password: string) => Promise<unknown> }) {
  const form = useForm({ password: '' }, ({ password }) => send(password));
  return (
    <FormBody passing form={form} submitLabel={kit().oneTimeCodes.confirm}>
      <Text size="sm">{words.otherBrowser}</Text>
      <PasswordField
        label={kit().signIn.password}
        autoComplete="current-password"
        autoFocus
        {...form.text('password')}
      />
    </FormBody>
  );
}
