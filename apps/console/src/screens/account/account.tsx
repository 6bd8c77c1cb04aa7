import { Card, SimpleGrid, Stack, Title } from '@mantine/core';
import { showDone } from '@millrace/ui/form';
import { OneTimeCodes } from '@millrace/ui/one-time-codes';
import { Page } from '@millrace/ui/page';
import { PasswordForm } from '@millrace/ui/password-form';
import { SchemaForm } from '@millrace/ui/schema-form';
import type { ReactNode } from 'react';
import { bodyOf, type DataOf, useWrite } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';
import { OwnSessions } from './own-sessions.tsx';

/** The signed-in user's own account: profile, password, one-time codes, sessions. */
export function Account() {
  const { user } = useSession();
  const changePassword = useWrite('changePassword');
  if (user === null) return null;
  return (
    <Page title="Your account" description={user.email}>
      <SimpleGrid cols={{ base: 1, md: 2 }} mb="xl">
        <Panel title="Profile">
          <ProfileForm key={user.version} user={user} />
        </Panel>
        <Stack>
          <Panel title="Password">
            <PasswordForm change={(body) => changePassword.mutateAsync({ body })} />
          </Panel>
          <Panel title="One-time codes">
            <OwnOneTimeCodes used={user.mfa} />
          </Panel>
        </Stack>
      </SimpleGrid>
      <OwnSessions />
    </Page>
  );
}

function Panel(props: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Card withBorder component="section">
      <Title order={2} size="h4" mb="sm">
        {props.title}
      </Title>
      {props.children}
    </Card>
  );
}

function ProfileForm({ user }: { readonly user: NonNullable<DataOf<'getSession'>['user']> }) {
  const update = useWrite('updateProfile');
  return (
    <SchemaForm
      schema={bodyOf('updateProfile')}
      initial={user}
      fields={{
        timeZone: { help: 'For the times that you see', suggestions: Intl.supportedValuesOf('timeZone') },
        locale: { label: 'Language', help: 'For dates and numbers, such as en or de-AT' },
      }}
      submitLabel="Save"
      send={async (body) => {
        await update.mutateAsync({ body, version: user.version });
        showDone('Profile saved.');
      }}
    />
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
