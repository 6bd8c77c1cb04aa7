import { Stack, Text } from '@mantine/core';
import { showDone } from '@millrace/ui/form';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { SchemaForm } from '@millrace/ui/schema-form';
import { SessionTable } from '@millrace/ui/session-table';
import { Ago, Lines, Properties } from '@millrace/ui/values';
import { useNavigate, useParams } from '@tanstack/react-router';
import { deleteAction, editAction, PermittedActions, suspendAction } from '../../frame/actions.tsx';
import { bodyOf, type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { useSession } from '../../frame/session.tsx';
import { ActiveMark } from '../../frame/state-mark.tsx';
import { OneTimeCodesMark } from './list.tsx';
import { useRolesField } from './roles.ts';

type User = DataOf<'getUser'>;

/** One user: name, roles, sessions. */
export function UserScreen() {
  const { userId } = useParams({ from: '/shell/users/$userId' });
  const read = useRead('getUser', { params: { userId } });
  return <EntityScreen read={read}>{(data) => <Shown user={data} />}</EntityScreen>;
}

function Shown({ user }: { readonly user: User }) {
  const { id, name, email, state, roles, mfaEnabled, lastSignInAt, createdAt, version } = user;
  const params = { userId: id };
  const { callerId } = useSession();
  const navigate = useNavigate();
  const suspend = useWrite('suspendUser');
  const activate = useWrite('activateUser');
  const remove = useWrite('deleteUser');
  const permission = 'user.write';
  const blocked = callerId === id && 'This is you: another administrator has to do it.';
  return (
    <Page
      title={name}
      mark={<ActiveMark state={state} />}
      description={email}
      crumbs={[{ label: 'Users', to: '/users' }]}
      actions={
        <PermittedActions
          actions={[
            editAction({ noun: 'user', permission, body: (close) => <EditUser user={user} onClose={close} /> }),
            {
              label: 'Set roles',
              permission,
              blocked,
              form: { title: `Roles of ${name}`, body: (close) => <SetRoles user={user} onClose={close} /> },
            },
            suspendAction({
              name,
              state,
              permission,
              blocked,
              text: 'Their sessions end at once, and they can’t sign in until they are activated again.',
              suspend: () => suspend.mutateAsync({ params, version }),
              activate: () => activate.mutateAsync({ params }),
            }),
            deleteAction({
              name,
              permission: 'user.delete',
              blocked,
              typed: email,
              text: 'Their sessions end at once. The audit trail of what they did is kept.',
              run: () => remove.mutateAsync({ params, version }),
              onDone: () => navigate({ to: '/users' }),
            }),
          ]}
        />
      }
    >
      <Stack gap="lg">
        <Properties
          of={{
            Roles: <Lines texts={roles.map((role) => role.name)} />,
            'One-time codes': <OneTimeCodesMark enabled={mfaEnabled} />,
            'Last sign-in': <Ago at={lastSignInAt} absent="Never" />,
            Created: <Ago at={createdAt} />,
          }}
        />
        <Sessions userId={id} name={name} />
      </Stack>
    </Page>
  );
}

function EditUser({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const update = useWrite('updateUser');
  return (
    <SchemaForm
      schema={bodyOf('updateUser')}
      initial={user}
      order={['name']}
      fields={{
        timeZone: { help: 'Such as Europe/Berlin', suggestions: Intl.supportedValuesOf('timeZone') },
        locale: { label: 'Language', help: 'Such as en or de-AT' },
      }}
      submitLabel="Save"
      onCancel={onClose}
      send={async (body) => {
        await update.mutateAsync({ params: { userId: user.id }, body, version: user.version });
        showDone('User saved.');
        onClose();
      }}
    />
  );
}

function SetRoles({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const setRoles = useWrite('setUserRoles');
  return (
    <SchemaForm
      schema={bodyOf('setUserRoles')}
      initial={{ roleIds: user.roles.map(({ id }) => id) }}
      fields={{ roleIds: useRolesField() }}
      submitLabel="Set roles"
      onCancel={onClose}
      send={async (body) => {
        await setRoles.mutateAsync({ params: { userId: user.id }, body, version: user.version });
        showDone(`Roles of ${user.name} saved.`);
        onClose();
      }}
    >
      <Text size="sm">They apply from the next call.</Text>
    </SchemaForm>
  );
}

function Sessions({ userId, name }: { readonly userId: string; readonly name: string }) {
  const params = { userId };
  const sessions = useRead('listUserSessions', { params, query: { pageSize: 50 } });
  const end = useWrite('endUserSessions');
  const endAll = {
    label: 'End all sessions',
    permission: 'user.write',
    hidden: sessions.data === undefined || sessions.data.sessions.length === 0,
    run: () => end.mutateAsync({ params }),
    done: `${name} is signed out everywhere.`,
    confirm: { title: `End all sessions of ${name}?`, text: 'They have to sign in again in every browser.' },
  };
  return (
    <Section title="Sessions" actions={<PermittedActions actions={[endAll]} />}>
      <Loaded read={sessions}>
        {(data) =>
          data.sessions.length === 0 ? (
            <Text size="sm" c="dimmed">
              {name} is not signed in anywhere.
            </Text>
          ) : (
            <SessionTable sessions={data.sessions} />
          )
        }
      </Loaded>
    </Section>
  );
}
