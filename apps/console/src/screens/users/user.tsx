import { SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { showDone, showFailure, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { Loaded, Page } from '@millrace/ui/page';
import { SessionTable } from '@millrace/ui/session-table';
import { Fact, Lines, Moment } from '@millrace/ui/values';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { useSession } from '../../frame/session.tsx';
import { UserState } from './list.tsx';
import { RolesField } from './roles-field.tsx';

type User = DataOf<'getUser'>;

/** One user: name, roles, sessions. */
export function UserScreen() {
  const { userId } = useParams({ from: '/shell/users/$userId' });
  const read = useRead('getUser', { params: { userId } });
  return <EntityScreen read={read}>{(data) => <Shown user={data} />}</EntityScreen>;
}

function Shown({ user }: { readonly user: User }) {
  const { id, name, state, version } = user;
  const params = { userId: id };
  const session = useSession();
  const navigate = useNavigate();
  const suspend = useWrite('suspendUser');
  const activate = useWrite('activateUser');
  const remove = useWrite('deleteUser');
  const [dialog, setDialog] = useState<'change' | 'roles' | 'suspend' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const self = session.user?.id === id;
  const notYourself = self && 'This is you: another administrator has to do it.';
  const activateNow = () =>
    activate
      .mutateAsync({ params })
      .then(() => showDone(`${name} can sign in again.`))
      .catch(showFailure);
  return (
    <Page
      title={name}
      mark={<UserState state={state} />}
      description={user.email}
      crumbs={[{ label: 'Users', to: '/users' }]}
      actions={
        <>
          <PermittedButton variant="default" permission="user.write" onClick={() => setDialog('change')}>
            Change
          </PermittedButton>
          <PermittedButton
            variant="default"
            permission="user.write"
            blocked={notYourself}
            onClick={() => setDialog('roles')}
          >
            Set roles
          </PermittedButton>
          {state === 'active' ? (
            <PermittedButton
              variant="default"
              permission="user.write"
              blocked={notYourself}
              onClick={() => setDialog('suspend')}
            >
              Suspend
            </PermittedButton>
          ) : (
            <PermittedButton permission="user.write" loading={activate.isPending} onClick={activateNow}>
              Activate
            </PermittedButton>
          )}
          <PermittedButton
            variant="default"
            c="var(--mantine-color-error)"
            permission="user.delete"
            blocked={notYourself}
            onClick={() => setDialog('delete')}
          >
            Delete
          </PermittedButton>
        </>
      }
    >
      <Stack gap="xl">
        <SimpleGrid cols={{ base: 1, sm: 2, md: 4 }}>
          <Fact label="Roles">
            <Lines texts={user.roles.map((role) => role.name)} />
          </Fact>
          <Fact label="One-time codes">{user.mfaEnabled ? 'Asked for at sign-in' : 'Not used'}</Fact>
          <Fact label="Last sign-in">
            <Moment at={user.lastSignInAt} absent="Never" />
          </Fact>
          <Fact label="Created">
            <Moment at={user.createdAt} />
          </Fact>
        </SimpleGrid>
        <Sessions userId={id} name={name} />
      </Stack>
      <FormDialog title={`Change ${name}`} opened={dialog === 'change'} onClose={close}>
        <ChangeUser user={user} onClose={close} />
      </FormDialog>
      <FormDialog title={`Roles of ${name}`} opened={dialog === 'roles'} onClose={close}>
        <SetRoles user={user} onClose={close} />
      </FormDialog>
      {dialog === 'suspend' && (
        <Confirm
          title={`Suspend ${name}`}
          action="Suspend"
          done={`${name} is suspended.`}
          onConfirm={() => suspend.mutateAsync({ params, version })}
          onClose={close}
        >
          Their sessions end at once, and none begins until they are activated again.
        </Confirm>
      )}
      {dialog === 'delete' && (
        <Confirm
          title={`Delete ${name}`}
          action="Delete"
          typed={user.email}
          done={`${name} is deleted.`}
          onConfirm={() => remove.mutateAsync({ params, version })}
          onDone={() => navigate({ to: '/users' })}
          onClose={close}
        >
          Their sessions end at once. The audit trail of what they did stays.
        </Confirm>
      )}
    </Page>
  );
}

function ChangeUser({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const update = useWrite('updateUser');
  const { name, email, timeZone, locale } = user;
  const form = useForm({ name, email, timeZone, locale }, async (body) => {
    await update.mutateAsync({ params: { userId: user.id }, body, version: user.version });
    showDone(`${body.name} is changed.`);
    onClose();
  });
  return (
    <FormBody form={form} submitLabel="Save" onCancel={onClose}>
      <TextInput label="Name" required data-autofocus autoComplete="off" {...form.text('name')} />
      <TextInput label="E-mail address" type="email" required autoComplete="off" {...form.text('email')} />
      <TextInput label="Time zone" description="Such as Europe/Berlin" {...form.text('timeZone')} />
      <TextInput label="Language" description="Such as en or de-AT" {...form.text('locale')} />
    </FormBody>
  );
}

function SetRoles({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const setRoles = useWrite('setUserRoles');
  const form = useForm({ roleIds: user.roles.map(({ id }) => id) }, async (body) => {
    await setRoles.mutateAsync({ params: { userId: user.id }, body, version: user.version });
    showDone(`The roles of ${user.name} are set.`);
    onClose();
  });
  return (
    <FormBody form={form} submitLabel="Set the roles" onCancel={onClose}>
      <Text size="sm">They hold from the next call on.</Text>
      <RolesField
        value={form.values.roleIds}
        onChange={(roleIds) => form.set('roleIds', roleIds)}
        error={form.errorAt('roleIds')}
      />
    </FormBody>
  );
}

function Sessions({ userId, name }: { readonly userId: string; readonly name: string }) {
  const params = { userId };
  const sessions = useRead('listUserSessions', { params, query: { pageSize: 50 } });
  const end = useWrite('endUserSessions');
  const [asking, setAsking] = useState(false);
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        Sessions
      </Title>
      <Loaded read={sessions}>
        {(data) =>
          data.sessions.length === 0 ? (
            <Text c="dimmed">{name} is not signed in anywhere.</Text>
          ) : (
            <>
              <SessionTable sessions={data.sessions} />
              <PermittedButton variant="default" permission="user.write" onClick={() => setAsking(true)}>
                End all sessions
              </PermittedButton>
            </>
          )
        }
      </Loaded>
      {asking && (
        <Confirm
          title={`End all sessions of ${name}`}
          action="End them"
          done={`${name} is signed out everywhere.`}
          onConfirm={() => end.mutateAsync({ params })}
          onClose={() => setAsking(false)}
        >
          They have to sign in again in every browser.
        </Confirm>
      )}
    </section>
  );
}
