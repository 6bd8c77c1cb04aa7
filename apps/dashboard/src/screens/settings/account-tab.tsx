import { Card, Stack, Text, TextInput, Title } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { OneTimeCodes } from '@millrace/ui/one-time-codes';
import { Loaded } from '@millrace/ui/page';
import { PasswordField } from '@millrace/ui/password-field';
import type { ReactNode } from 'react';
import { useRead, useWrite } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';
import { AdministratorFields } from './administrator-fields.tsx';

/** The account's name, and what is one's own: name, password and one-time codes. */
export function AccountTab() {
  const account = useRead('getAccount');
  return (
    <Stack maw={640}>
      <Part title="The account">
        <Loaded read={account}>
          {({ name }) => (
            <AdministratorFields>
              <AccountForm name={name} />
            </AdministratorFields>
          )}
        </Loaded>
      </Part>
      <Part title="You">
        <ProfileForm />
      </Part>
      <Part title="Your password">
        <PasswordForm />
      </Part>
      <Part title="One-time codes">
        <OwnOneTimeCodes />
      </Part>
    </Stack>
  );
}

function Part(props: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Card withBorder component="section">
      <Title order={2} size="h4" mb="sm">
        {props.title}
      </Title>
      {props.children}
    </Card>
  );
}

function AccountForm({ name }: { readonly name: string }) {
  const update = useWrite('updateAccount');
  const form = useForm({ name }, async (body) => {
    await update.mutateAsync({ body });
    showDone('The account is saved.');
  });
  return (
    <FormBody form={form} submitLabel="Save" disabled={!form.changed}>
      <TextInput label="Name of the account" autoComplete="organization" required {...form.text('name')} />
    </FormBody>
  );
}

function ProfileForm() {
  const { user } = useSession();
  const update = useWrite('updateProfile');
  const form = useForm({ name: user.name }, async (body) => {
    await update.mutateAsync({ body });
    showDone('Your name is saved.');
  });
  return (
    <FormBody form={form} submitLabel="Save" disabled={!form.changed}>
      <Text size="sm">
        You sign in as {user.email}, {user.role === 'administrator' ? 'an administrator' : 'a member'} of the account.
      </Text>
      <TextInput label="Your name" autoComplete="name" required {...form.text('name')} />
    </FormBody>
  );
}

function OwnOneTimeCodes() {
  const { user } = useSession();
  const start = useWrite('startMfa');
  const confirm = useWrite('confirmMfa');
  const remove = useWrite('removeMfa');
  return (
    <OneTimeCodes
      used={user.mfa}
      start={(body) => start.mutateAsync({ body })}
      confirm={(body) => confirm.mutateAsync({ body })}
      remove={(body) => remove.mutateAsync({ body })}
    />
  );
}

function PasswordForm() {
  const change = useWrite('changePassword');
  const form = useForm({ currentPassword: '', newPassword: '' }, async (body) => {
    const { endedSessions } = await change.mutateAsync({ body });
    showDone(`Your password is changed. Other sessions that ended: ${endedSessions}.`);
    form.reset({ currentPassword: '', newPassword: '' });
  });
  return (
    <FormBody form={form} submitLabel="Change the password" disabled={!form.changed}>
      <PasswordField label="Present password" autoComplete="current-password" {...form.text('currentPassword')} />
      <PasswordField
        label="New password"
        description="At least 12 characters, without your name or e-mail address. Your other sessions end."
        autoComplete="new-password"
        {...form.text('newPassword')}
      />
    </FormBody>
  );
}
