import { Group, Text } from '@mantine/core';
import { IconPlus } from '@millrace/ui/icons';
import type { ListSearch } from '@millrace/ui/list-search';
import { Mark, type Tone } from '@millrace/ui/mark';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useSearch } from '@tanstack/react-router';
import { AdministratorActions } from '../../frame/administrator-actions.tsx';
import { type AnswerOf, useRead, useWrite } from '../../frame/api.ts';
import { CursorList } from '../../frame/cursor-list.tsx';
import { useSession } from '../../frame/session.tsx';
import { InvitationForm, isInvitation, MemberForm } from './member-form.tsx';

type Member = AnswerOf<'listMembers'>['items'][number];

const stateTones: Readonly<Record<Member['state'], Tone>> = {
  active: 'good',
  disabled: 'bad',
  invited: 'active',
  invitation_expired: 'warning',
};

/** Who can sign in to the account, and who is invited. */
export function MembersTab() {
  const { cursor } = useSearch({ strict: false }) as ListSearch;
  const members = useRead('listMembers', { query: { cursor } });
  const { user } = useSession();
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Text size="sm" c="dimmed">
          Members work with documents and can view API keys and webhooks. Administrators can change everything.
        </Text>
        <AdministratorActions
          actions={[
            {
              label: 'Invite member',
              icon: IconPlus,
              primary: true,
              form: { title: 'Invite member', body: (close) => <InvitationForm onClose={close} /> },
            },
          ]}
        />
      </Group>
      <CursorList
        noun="members"
        read={members}
        columns={[
          {
            title: 'Member',
            cell: ({ id, name, email }) => (
              <>
                {name === '' ? email : name}
                {id === user.id && ' (you)'}
                {name !== '' && (
                  <Text size="xs" c="dimmed">
                    {email}
                  </Text>
                )}
              </>
            ),
          },
          { title: 'Role', cell: ({ role }) => wordsOf(role) },
          {
            title: 'Status',
            cell: (member) => (
              <>
                <Mark tone={stateTones[member.state]}>{wordsOf(member.state)}</Mark>
                {isInvitation(member) && (
                  <Text size="xs" c="dimmed">
                    Expires <Ago at={member.invitedUntil} />
                  </Text>
                )}
              </>
            ),
          },
          { title: 'One-time codes', cell: (member) => (isInvitation(member) ? '–' : member.mfa ? 'On' : 'Off') },
          {
            title: 'Last sign-in',
            cell: (member) => (isInvitation(member) ? '–' : <Ago at={member.lastSignInAt} absent="Never" />),
          },
          { title: 'Actions', cell: (member) => <MemberActions member={member} /> },
        ]}
      />
    </>
  );
}

function MemberActions({ member }: { readonly member: Member }) {
  const invite = useWrite('inviteMember');
  const remove = useWrite('removeMember');
  const { id, email, role } = member;
  const isInvited = isInvitation(member);
  return (
    <AdministratorActions
      size="compact-xs"
      actions={[
        {
          label: 'Resend',
          name: `Resend invitation: ${email}`,
          hidden: !isInvited,
          run: () => invite.mutateAsync({ body: { email, role } }),
          done: `New invitation sent to ${email}.`,
        },
        {
          label: 'Edit',
          name: `Edit: ${email}`,
          form: { title: 'Edit member', body: (close) => <MemberForm member={member} onClose={close} /> },
        },
        {
          label: isInvited ? 'Withdraw' : 'Remove',
          name: `${isInvited ? 'Withdraw' : 'Remove'}: ${email}`,
          danger: true,
          run: () => remove.mutateAsync({ params: { id } }),
          done: isInvited ? 'Invitation withdrawn.' : `${email} removed.`,
          confirm: {
            title: isInvited ? 'Withdraw invitation?' : `Remove ${email}?`,
            text: isInvited
              ? `The link sent to ${email} stops working.`
              : 'They are signed out everywhere. Their reviews and corrections remain.',
          },
        },
      ]}
    />
  );
}
