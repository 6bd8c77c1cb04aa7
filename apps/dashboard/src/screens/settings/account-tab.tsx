import { Stack, Text } from '@mantine/core';
import { showDone } from '@millrace/ui/form';
import { OneTimeCodes } from '@millrace/ui/one-time-codes';
import { Loaded, Section } from '@millrace/ui/page';
import { PasswordForm } from '@millrace/ui/password-form';
import { SchemaForm } from '@millrace/ui/schema-form';
import { bodyOf, useRead, useWrite } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';
import { AdministratorFields } from './administrator-fields.tsx';

/** The account's name, and the user's own name, password and one-time codes. */
export function AccountTab() {
  const account = useRead('getAccount');
  const update = useWrite('updateAccount');
  const change = useWrite('changePassword');
  return (
    <Stack maw={640} gap="xl">
      <Section title="Account">
        <Loaded read={account}>
          {({ name }) => (
            <AdministratorFields>
              <SchemaForm
                schema={bodyOf('updateAccount').pick({ name: true }).required()}
                initial={{ name }}
                fields={{ name: { label: 'Account name' } }}
                submitLabel="Save"
                send={async (body) => {
                  await update.mutateAsync({ body });
                  showDone('Account saved.');
                }}
              />
            </AdministratorFields>
          )}
        </Loaded>
      </Section>
      <Section title="Profile">
        <ProfileForm />
      </Section>
      <Section title="Password">
        <PasswordForm change={(body) => change.mutateAsync({ body })} />
      </Section>
      <Section title="One-time codes">
        <OwnOneTimeCodes />
      </Section>
    </Stack>
  );
}

function ProfileForm() {
  const { user } = useSession();
  const update = useWrite('updateProfile');
  return (
    <SchemaForm
      schema={bodyOf('updateProfile').required()}
      initial={user}
      fields={{ name: { label: 'Your name' } }}
      submitLabel="Save"
      send={async (body) => {
        await update.mutateAsync({ body });
        showDone('Profile saved.');
      }}
    >
      <Text size="sm" c="dimmed">
        Signed in as {user.email}, {user.role === 'administrator' ? 'administrator' : 'member'}
      </Text>
    </SchemaForm>
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
