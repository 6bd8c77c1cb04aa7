import { Group, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { showDone, showFailure, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import type { ListSearch } from '@millrace/ui/list-search';
import { Mark, type Tone } from '@millrace/ui/mark';
import { Moment } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { AdministratorButton } from '../../frame/administrator-button.tsx';
import { type AnswerOf, useRead, useWrite } from '../../frame/api.ts';
import { CursorList } from '../../frame/cursor-list.tsx';
import { useSession } from '../../frame/session.tsx';

type Member = AnswerOf<'listMembers'>['items'][number];
type Asked = { readonly act: 'invite' } | { readonly act: 'edit' | 'remove'; readonly member: Member };

const stateTones: Readonly<Record<Member['state'], Tone>> = {
  active: 'good',
  disabled: 'bad',
  invited: 'active',
  invitation_expired: 'warning',
};

const roleOptions = [
  { value: 'member', label: 'Member' },
  { value: 'administrator', label: 'Administrator' },
] as const;

const isInvitation = ({ state }: Member) => state === 'invited' || state === 'invitation_expired';

/** Who may sign in to the account, and who is invited to. */
export function MembersTab() {
  const { cursor } = useSearch({ strict: false }) as ListSearch;
  const members = useRead('listMembers', { query: { cursor } });
  const invite = useWrite('inviteMember');
  const remove = useWrite('removeMember');
  const { user } = useSession();
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const inviteAgain = ({ email, role }: Member) =>
    invite
      .mutateAsync({ body: { email, role } })
      .then(() => showDone(`A new link is on its way to ${email}.`))
      .catch(showFailure);
  return (
    <>
      <Text mb="md" maw={720}>
        Members upload, read and review documents, and see keys and webhooks. Administrators change everything.
      </Text>
      <CursorList
        noun="members"
        read={members}
        actions={<AdministratorButton onClick={() => setAsked({ act: 'invite' })}>Invite somebody</AdministratorButton>}
        columns={[
          {
            title: 'Who',
            cell: ({ id, name, email }) => (
              <>
                {name === '' ? email : name}
                {id === user.id && ' (you)'}
                {name !== '' && (
                  <Text size="sm" c="dimmed">
                    {email}
                  </Text>
                )}
              </>
            ),
          },
          { title: 'Role', cell: ({ role }) => wordsOf(role) },
          { title: 'State', cell: ({ state }) => <Mark tone={stateTones[state]}>{wordsOf(state)}</Mark> },
          {
            title: 'Last sign-in',
            cell: (member) =>
              isInvitation(member) ? (
                <>
                  Invited until <Moment at={member.invitedUntil} />
                </>
              ) : (
                <Moment at={member.lastSignInAt} absent="Never" />
              ),
          },
          {
            title: 'Actions',
            cell: (member) => (
              <Group gap="xs">
                {isInvitation(member) && (
                  <RowButton label="Invite again" of={member} onClick={() => inviteAgain(member)} />
                )}
                <RowButton label="Edit" of={member} onClick={() => setAsked({ act: 'edit', member })} />
                <RowButton
                  label={isInvitation(member) ? 'Withdraw' : 'Remove'}
                  of={member}
                  onClick={() => setAsked({ act: 'remove', member })}
                />
              </Group>
            ),
          },
        ]}
      />
      <FormDialog title="Invite somebody" opened={asked?.act === 'invite'} onClose={close}>
        <InvitationForm onClose={close} />
      </FormDialog>
      <FormDialog title="Edit the member" opened={asked?.act === 'edit'} onClose={close}>
        {asked?.act === 'edit' && <MemberForm member={asked.member} onClose={close} />}
      </FormDialog>
      {asked?.act === 'remove' && (
        <Confirm
          title={isInvitation(asked.member) ? 'Withdraw the invitation?' : `Remove ${asked.member.email}?`}
          action={isInvitation(asked.member) ? 'Withdraw' : 'Remove'}
          done={isInvitation(asked.member) ? 'The invitation is withdrawn.' : `${asked.member.email} is removed.`}
          onConfirm={() => remove.mutateAsync({ params: { id: asked.member.id } })}
          onClose={close}
        >
          {isInvitation(asked.member)
            ? `The link that was sent to ${asked.member.email} works no more.`
            : 'They are signed out everywhere. What they did stays.'}
        </Confirm>
      )}
    </>
  );
}

function RowButton(props: { readonly label: string; readonly of: Member; readonly onClick: () => void }) {
  return (
    <AdministratorButton
      size="compact-sm"
      variant="default"
      aria-label={`${props.label}: ${props.of.email}`}
      onClick={props.onClick}
    >
      {props.label}
    </AdministratorButton>
  );
}

function InvitationForm({ onClose }: { readonly onClose: () => void }) {
  const invite = useWrite('inviteMember');
  const form = useForm({ email: '', role: 'member' as Member['role'] }, async (body) => {
    await invite.mutateAsync({ body });
    showDone(`An invitation is on its way to ${body.email}.`);
    onClose();
  });
  return (
    <FormBody form={form} submitLabel="Invite" onCancel={onClose}>
      <TextInput
        label="E-mail address"
        description="A link that is good for 7 days is mailed there."
        type="email"
        required
        data-autofocus
        {...form.text('email')}
      />
      <RoleField value={form.values.role} onChange={(role) => form.set('role', role)} error={form.errorAt('role')} />
    </FormBody>
  );
}

function MemberForm(props: { readonly member: Member; readonly onClose: () => void }) {
  const { member, onClose } = props;
  const update = useWrite('updateMember');
  const form = useForm({ role: member.role, disabled: member.state === 'disabled' }, async ({ role, disabled }) => {
    const body = isInvitation(member) ? { role } : { role, disabled };
    await update.mutateAsync({ params: { id: member.id }, body });
    showDone(`${member.email} is changed.`);
    onClose();
  });
  return (
    <FormBody form={form} submitLabel="Save" onCancel={onClose}>
      <Stack gap="md">
        <Text size="sm">{member.email}</Text>
        <RoleField value={form.values.role} onChange={(role) => form.set('role', role)} error={form.errorAt('role')} />
        {!isInvitation(member) && (
          <Switch
            label="Disabled"
            description="A disabled member is signed out everywhere and cannot sign in."
            checked={form.values.disabled}
            onChange={(event) => form.set('disabled', event.currentTarget.checked)}
            error={form.errorAt('disabled')}
          />
        )}
      </Stack>
    </FormBody>
  );
}

function RoleField(props: {
  readonly value: Member['role'];
  readonly onChange: (role: Member['role']) => void;
  readonly error: string | undefined;
}) {
  return (
    <Select
      label="Role"
      data={roleOptions}
      allowDeselect={false}
      value={props.value}
      onChange={(role) => props.onChange(role === 'administrator' ? 'administrator' : 'member')}
      error={props.error}
    />
  );
}
