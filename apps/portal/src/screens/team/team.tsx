import { Stack, Text } from '@mantine/core';
import { showDone } from '@millrace/ui/form';
import { IconPlus } from '@millrace/ui/icons';
import { Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { SchemaForm } from '@millrace/ui/schema-form';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { bodyOf, call, type DataOf, useList, useWrite } from '../../frame/api.ts';
import { ListScreen, RowActions } from '../../frame/list-screen.tsx';
import { openPage } from '../../frame/place.ts';
import { useMay, useSession } from '../../frame/session.tsx';
import { StateMark } from '../../frame/state-mark.tsx';
import { texts } from '../../frame/texts.ts';

const words = texts.team;

type User = DataOf<'listPortalUsers'>['users'][number];
type Invitation = DataOf<'listPortalUsers'>['invitations'][number];

/** Who signs in for the developer account, and who is invited. */
export function Team() {
  const may = useMay();
  const { user } = useSession();
  const list = useList('listPortalUsers');
  const invitations = list.data?.invitations ?? [];
  return (
    <Stack gap="xl">
      <div>
        <ListScreen
          title={words.title}
          noun={words.noun}
          description={words.description}
          searchable
          list={{ ...list, rows: list.data?.users }}
          actions={[
            {
              label: words.invite,
              icon: IconPlus,
              primary: true,
              hidden: !may('invitePortalUser'),
              form: { title: words.invite, body: (close) => <InviteForm onClose={close} /> },
            },
            {
              label: words.leave,
              danger: true,
              run: () => call('leavePortalAccount'),
              onDone: () => openPage('/'),
              confirm: { title: words.leaveTitle, text: words.leaveText },
            },
          ]}
          columns={[
            {
              title: words.user,
              sort: 'name',
              cell: ({ id, name, email }) => (
                <>
                  {name}
                  {id === user.id && ` ${words.you}`}
                  <Text size="xs" c="dimmed">
                    {email}
                  </Text>
                </>
              ),
            },
            { title: words.role, cell: ({ role }) => wordsOf(role) },
            { title: words.state, cell: ({ state }) => <StateMark state={state} /> },
            { title: words.mfa, cell: ({ mfa }) => (mfa ? words.on : words.off) },
            { title: words.lastSignIn, cell: ({ lastSignInAt }) => <Ago at={lastSignInAt} absent={words.never} /> },
            ...(may('updatePortalUser')
              ? [{ title: texts.actions, cell: (row: User) => <UserActions user={row} isSelf={row.id === user.id} /> }]
              : []),
          ]}
        />
      </div>
      {invitations.length > 0 && <Invitations invitations={invitations} />}
    </Stack>
  );
}

function UserActions({ user, isSelf }: { readonly user: User; readonly isSelf: boolean }) {
  const remove = useWrite('removePortalUser');
  const { id, name } = user;
  return (
    <RowActions
      actions={[
        {
          label: words.changeRole,
          name: words.changeRoleOf(name),
          form: { title: words.changeRoleOf(name), body: (close) => <RoleForm user={user} onClose={close} /> },
        },
        {
          label: words.remove,
          name: words.removeName(name),
          danger: true,
          hidden: isSelf,
          run: () => remove.mutateAsync({ params: { portalUserId: id } }),
          done: words.removed(name),
          confirm: { title: words.removeTitle(name), text: words.removeText },
        },
      ]}
    />
  );
}

function Invitations({ invitations }: { readonly invitations: readonly Invitation[] }) {
  const may = useMay();
  const withdraw = useWrite('withdrawPortalInvitation');
  const invite = useWrite('invitePortalUser');
  return (
    <Section title={words.invitations}>
      <RecordTable
        label={words.invitations}
        rows={invitations}
        columns={[
          { title: words.email, cell: ({ email }) => email },
          { title: words.role, cell: ({ role }) => wordsOf(role) },
          { title: words.invitedBy, cell: ({ invitedByName }) => invitedByName },
          { title: words.expires, cell: ({ expiresAt }) => <Ago at={expiresAt} /> },
          ...(may('withdrawPortalInvitation')
            ? [
                {
                  title: texts.actions,
                  cell: ({ id, email, role }: Invitation) => (
                    <RowActions
                      actions={[
                        {
                          label: words.resend,
                          name: words.resendName(email),
                          run: () => invite.mutateAsync({ body: { email, role } }),
                          done: words.invited(email),
                        },
                        {
                          label: words.withdraw,
                          name: words.withdrawName(email),
                          danger: true,
                          run: () => withdraw.mutateAsync({ params: { invitationId: id } }),
                          done: words.withdrawn,
                          confirm: { title: words.withdrawTitle, text: words.withdrawText(email) },
                        },
                      ]}
                    />
                  ),
                },
              ]
            : []),
        ]}
      />
    </Section>
  );
}

const roleField = { help: words.roleHelp };

function InviteForm({ onClose }: { readonly onClose: () => void }) {
  const invite = useWrite('invitePortalUser');
  return (
    <SchemaForm
      schema={bodyOf('invitePortalUser')}
      preset={{ role: 'developer' }}
      fields={{ email: { help: words.emailHelp }, role: roleField }}
      submitLabel={words.invite}
      onCancel={onClose}
      send={async (body) => {
        await invite.mutateAsync({ body });
        showDone(words.invited(body.email));
        onClose();
      }}
    />
  );
}

function RoleForm({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const update = useWrite('updatePortalUser');
  return (
    <SchemaForm
      schema={bodyOf('updatePortalUser')}
      initial={user}
      fields={{ role: roleField }}
      submitLabel={texts.save}
      onCancel={onClose}
      send={async (body) => {
        await update.mutateAsync({ params: { portalUserId: user.id }, body });
        showDone(words.roleSaved);
        onClose();
      }}
    />
  );
}
