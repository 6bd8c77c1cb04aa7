import { Autocomplete, Card, SimpleGrid, Stack, TextInput, Title } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { OneTimeCodes } from '@millrace/ui/one-time-codes';
import { Page } from '@millrace/ui/page';
import { PasswordForm } from '@millrace/ui/password-form';
import type { ReactNode } from 'react';
import { type DataOf, useWrite } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';
import { OwnSessions } from './own-sessions.tsx';

/** One's own account: profile, password, one-time codes, sessions. */
export function Account() {
  const { user } = useSession();
  const changePassword = useWrite('changePassword');
  if (user === null) return null;
  return (
    <Page title="Your account" description={user.email}>
      <SimpleGrid cols={{ base: 1, md: 2 }} mb="xl">
        <Section title="Profile">
          <ProfileForm key={user.version} user={user} />
        </Section>
        <Stack>
          <Section title="Password">
            <PasswordForm change={(body) => changePassword.mutateAsync({ body })} />
          </Section>
          <Section title="One-time codes">
            <OwnOneTimeCodes used={user.mfa} />
          </Section>
        </Stack>
      </SimpleGrid>
      <Title order={2} size="h4" mb="sm">
        Where you are signed in
      </Title>
      <OwnSessions />
    </Page>
  );
}

function Section(props: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Card withBorder component="section">
      <Title order={2} size="h4" mb="sm">
        {props.title}
      </Title>
      {props.children}
    </Card>
  );
}

type User = NonNullable<DataOf<'getSession'>['user']>;

function ProfileForm({ user }: { readonly user: User }) {
  const update = useWrite('updateProfile');
  const { name, timeZone, locale } = user;
  const form = useForm({ name, timeZone, locale }, async (body) => {
    await update.mutateAsync({ body, version: user.version });
    showDone('Your profile is saved.');
  });
  return (
    <FormBody form={form} submitLabel="Save">
      <TextInput label="Name" required autoComplete="name" {...form.text('name')} />
      <Autocomplete
        label="Time zone"
        description="In which moments are shown to you"
        data={Intl.supportedValuesOf('timeZone')}
        limit={20}
        value={form.values.timeZone}
        onChange={(zone) => form.set('timeZone', zone)}
        error={form.errorAt('timeZone')}
      />
      <TextInput label="Language" description="For dates and numbers, such as en or de-AT" {...form.text('locale')} />
    </FormBody>
  );
}

function OwnOneTimeCodes({ used }: { readonly used: boolean }) {
  const start = useWrite('startMfa');
  const confirm = useWrite('confirmMfa');
  const remove = useWrite('removeMfa');
  return (
    <OneTimeCodes
      used={used}
      start={(body) => start.mutateAsync({ body })}
      confirm={(body) => confirm.mutateAsync({ body })}
      remove={(body) => remove.mutateAsync({ body })}
    />
  );
}
