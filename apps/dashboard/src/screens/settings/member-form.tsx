import { Text } from '@mantine/core';
import { showDone } from '@millrace/ui/form';
import { SchemaForm } from '@millrace/ui/schema-form';
import { type AnswerOf, bodyOf, useWrite } from '../../frame/api.ts';

type Member = AnswerOf<'listMembers'>['items'][number];

/** Whether somebody hasn't accepted the invitation yet. */
export const isInvitation = ({ state }: Member) => state === 'invited' || state === 'invitation_expired';

/** Invites somebody by e-mail. */
export function InvitationForm({ onClose }: { readonly onClose: () => void }) {
  const invite = useWrite('inviteMember');
  return (
    <SchemaForm
      schema={bodyOf('inviteMember')}
      preset={{ role: 'member' }}
      fields={{
        email: { label: 'E-mail address', help: 'Gets a link that is valid for 7 days' },
        role: { help: null },
      }}
      submitLabel="Invite"
      onCancel={onClose}
      send={async (body) => {
        await invite.mutateAsync({ body });
        showDone(`Invitation sent to ${body.email}.`);
        onClose();
      }}
    />
  );
}

/** Changes a member's role, or disables them. */
export function MemberForm({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) {
  const update = useWrite('updateMember');
  return (
    <SchemaForm
      schema={bodyOf('updateMember')}
      initial={{ role: member.role, disabled: member.state === 'disabled' }}
      fields={{ role: { help: null }, disabled: { help: 'Signs them out everywhere and blocks signing in' } }}
      omit={isInvitation(member) ? ['disabled'] : []}
      submitLabel="Save"
      onCancel={onClose}
      send={async (body) => {
        await update.mutateAsync({ params: { id: member.id }, body });
        showDone(`${member.email} saved.`);
        onClose();
      }}
    >
      <Text size="sm">{member.email}</Text>
    </SchemaForm>
  );
}
