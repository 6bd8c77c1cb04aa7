import { Alert, Anchor, Checkbox, Text, TextInput } from '@mantine/core';
import { EntrancePage } from '@millrace/ui/entrance-page';
import { useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { Loaded } from '@millrace/ui/page';
import { PasswordField } from '@millrace/ui/password-field';
import { ProviderChoice } from '@millrace/ui/provider-choice';
import { texts as kit } from '@millrace/ui/texts';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { call, type DataOf, useRead } from '../../frame/api.ts';
import { pageAt, place } from '../../frame/place.ts';
import { texts } from '../../frame/texts.ts';
import { keepChoice } from '../start/search.ts';
import { providers } from './providers.ts';

const words = texts.register;

/** Registers a developer account: the link of an e-mail confirms it. */
export function Register() {
  const portal = useRead('getPortal');
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <EntrancePage title={sentTo === null ? words.title : words.sentTitle}>
      {sentTo !== null ? (
        <Text role="status">{words.sent(sentTo)}</Text>
      ) : (
        <Loaded read={portal}>
          {(shown) =>
            shown.registration === 'closed' ? (
              <Text>{words.closed(shown.organizationName)}</Text>
            ) : (
              <RegistrationForm portal={shown} onSent={setSentTo} />
            )
          }
        </Loaded>
      )}
      <Text size="sm" mt="lg">
        {words.hasAccount}{' '}
        <Anchor inherit underline="always" renderRoot={(root) => <Link {...root} to="/sign-in" />}>
          {kit().signIn.title}
        </Anchor>
      </Text>
    </EntrancePage>
  );
}

function RegistrationForm(props: { readonly portal: DataOf<'getPortal'>; readonly onSent: (email: string) => void }) {
  const { portal, onSent } = props;
  const choice = useSearch({ from: '/register' });
  const initial = { name: '', company: '', email: '', password: '', acceptedTerms: false };
  const form = useForm(initial, async ({ acceptedTerms, ...values }) => {
    // An unchecked box is the server's to refuse, as any other field.
    const body = { ...values, locale: place.language, acceptedTerms: acceptedTerms as true };
    await call('registerDeveloper', { body });
    keepChoice(choice);
    onSent(values.email);
  });
  const { terms, privacy } = portal.legal;
  return (
    <>
      <FormBody passing form={form} submitLabel={words.action}>
        {portal.registration === 'approval' && <Alert color="blue">{words.approval(portal.organizationName)}</Alert>}
        <TextInput label={words.name} autoComplete="name" autoFocus {...form.text('name')} />
        <TextInput label={words.company} autoComplete="organization" {...form.text('company')} />
        <TextInput label={kit().signIn.email} type="email" autoComplete="username" {...form.text('email')} />
        <PasswordField
          label={kit().signIn.password}
          description={kit().password.rule}
          autoComplete="new-password"
          {...form.text('password')}
        />
        <Checkbox
          label={
            <>
              {words.accept.before}
              {terms === null ? words.accept.terms : <Legal href={terms}>{words.accept.terms}</Legal>}
              {privacy !== null && (
                <>
                  {words.accept.and}
                  <Legal href={privacy}>{words.accept.privacy}</Legal>
                </>
              )}
              {words.accept.after}
            </>
          }
          checked={form.values.acceptedTerms}
          onChange={(event) => form.set('acceptedTerms', event.currentTarget.checked)}
          error={form.errorAt('acceptedTerms')}
        />
      </FormBody>
      <ProviderChoice providers={providers} email={form.values.email} organization={undefined} next={pageAt('/')} />
    </>
  );
}

/** Opens beside the form, so that nothing typed is lost. */
function Legal(props: { readonly href: string; readonly children: string }) {
  return (
    <Anchor href={props.href} target="_blank" rel="noopener" inherit underline="always">
      {props.children}
    </Anchor>
  );
}
