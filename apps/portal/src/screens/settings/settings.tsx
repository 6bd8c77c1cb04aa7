import { Stack, Text } from '@mantine/core';
import { showDone } from '@millrace/ui/form';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { SchemaForm } from '@millrace/ui/schema-form';
import { Properties } from '@millrace/ui/values';
import { bodyOf, type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { openPage, place } from '../../frame/place.ts';
import { useMay, useSession } from '../../frame/session.tsx';
import { texts } from '../../frame/texts.ts';

const words = texts.settings;

/** The user's own profile, and the developer account with its billing profile. */
export function Settings() {
  const account = useRead('getPortalAccount');
  return (
    <Page title={words.title}>
      <Stack maw={640} gap="xl">
        <Section title={words.profile}>
          <ProfileForm />
        </Section>
        <Loaded read={account}>{(shown) => <AccountForms account={shown} />}</Loaded>
      </Stack>
    </Page>
  );
}

function ProfileForm() {
  const { user } = useSession();
  const update = useWrite('updatePortalProfile');
  return (
    <SchemaForm
      schema={bodyOf('updatePortalProfile').required()}
      initial={user}
      fields={{
        name: { label: words.ownName },
        locale: {
          help: words.localeHelp,
          options: [
            { value: '', label: words.localeOfBrowser },
            { value: 'en', label: 'English' },
            { value: 'de', label: 'Deutsch' },
          ],
        },
      }}
      submitLabel={texts.save}
      send={async (body) => {
        await update.mutateAsync({ body, version: user.version });
        if (body.locale && body.locale !== place.language) openPage('/account/settings', body.locale);
        else showDone(words.profileSaved);
      }}
    >
      <Text size="sm" c="dimmed">
        {words.signedInAs(user.email)}
      </Text>
    </SchemaForm>
  );
}

type Account = DataOf<'getPortalAccount'>;

function AccountForms({ account }: { readonly account: Account }) {
  const may = useMay();
  const update = useWrite('updatePortalAccount');
  const { name, company, email, billing, version } = account;
  if (!may('updatePortalAccount')) {
    return (
      <Section title={words.account}>
        <Properties of={{ [words.accountName]: name, [words.company]: company || '–', [words.email]: email }} />
      </Section>
    );
  }
  const schema = bodyOf('updatePortalAccount');
  const send = async (body: Parameters<typeof update.mutateAsync>[0]['body']) => {
    await update.mutateAsync({ body, version });
    showDone(words.accountSaved);
  };
  return (
    <>
      <Section title={words.account}>
        <SchemaForm
          schema={schema.pick({ name: true, company: true }).required()}
          initial={account}
          fields={{ name: { label: words.accountName } }}
          submitLabel={texts.save}
          send={send}
        />
      </Section>
      <SchemaForm
        schema={schema.pick({ billing: true }).required()}
        initial={{ billing: billing ?? { name: company || name, language: place.language } }}
        fields={{
          billing: {
            label: words.billing,
            fields: {
              name: { label: words.billingName, help: null },
              email: { help: words.billingEmailHelp(email) },
              reference: { help: words.referenceHelp },
              language: {
                options: [
                  { value: 'en', label: 'English' },
                  { value: 'de', label: 'Deutsch' },
                ],
              },
              address: { fields: { lines: { kind: 'lines' }, countryCode: { placeholder: 'DE' } } },
            },
          },
        }}
        submitLabel={texts.save}
        send={send}
      />
    </>
  );
}
