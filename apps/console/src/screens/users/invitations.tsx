import { showDone } from '@millrace/ui/form';
import { IconPlus } from '@millrace/ui/icons';
import { optionsOf } from '@millrace/ui/list';
import { Mark, type Tone } from '@millrace/ui/mark';
import { SchemaForm } from '@millrace/ui/schema-form';
import { Ago, Lines } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { type PermittedAction, RowActions } from '../../frame/actions.tsx';
import { bodyOf, type DataOf, useList, useWrite } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { UserTabs } from './list.tsx';
import { useRolesField } from './roles.ts';

type Invitation = DataOf<'listInvitations'>['invitations'][number];

const tones: Readonly<Record<Invitation['state'], Tone>> = {
  pending: 'active',
  expired: 'warning',
  accepted: 'good',
  withdrawn: 'neutral',
};

/** The invitations of the organization. */
export function InvitationList() {
  const resend = useWrite('resendInvitation');
  const withdraw = useWrite('withdrawInvitation');
  const permission = 'user.write';
  const rowActions = ({ id, email }: Invitation): readonly PermittedAction[] => {
    const params = { invitationId: id };
    return [
      {
        label: 'Resend',
        name: `Resend to ${email}`,
        permission,
        run: () => resend.mutateAsync({ params }),
        done: `Invitation sent to ${email} again.`,
      },
      {
        label: 'Withdraw',
        name: `Withdraw the invitation of ${email}`,
        danger: true,
        permission,
        run: () => withdraw.mutateAsync({ params }),
        done: 'Invitation withdrawn.',
        confirm: { title: 'Withdraw invitation?', text: `The link sent to ${email} stops working.` },
      },
    ];
  };
  return (
    <ListScreen
      title="Invitations"
      description="Each sends a link that works once, within 7 days."
      noun="invitations"
      list={useList('listInvitations')}
      actions={[
        {
          label: 'Invite user',
          icon: IconPlus,
          primary: true,
          permission,
          form: { title: 'Invite user', body: (close) => <InviteForm onClose={close} /> },
        },
      ]}
      tabs={<UserTabs />}
      columns={[
        { title: 'Name', sort: 'name', cell: ({ name }) => name },
        { title: 'Email', sort: 'email', cell: ({ email }) => email },
        { title: 'Roles', cell: ({ roles }) => <Lines texts={roles.map(({ name }) => name)} /> },
        { title: 'State', cell: ({ state }) => <Mark tone={tones[state]}>{wordsOf(state)}</Mark> },
        { title: 'Expires', sort: 'expiresAt', cell: ({ expiresAt }) => <Ago at={expiresAt} /> },
        {
          title: 'Actions',
          cell: (invitation) =>
            (invitation.state === 'pending' || invitation.state === 'expired') && (
              <RowActions actions={rowActions(invitation)} />
            ),
        },
      ]}
      filters={[{ name: 'state', label: 'State', options: optionsOf(Object.keys(tones)) }]}
    />
  );
}

function InviteForm({ onClose }: { readonly onClose: () => void }) {
  const invite = useWrite('createInvitation');
  return (
    <SchemaForm
      schema={bodyOf('createInvitation')}
      order={['name', 'email', 'roleIds']}
      fields={{ roleIds: useRolesField() }}
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
