import { Button, Group, TextInput } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { showDone, showFailure, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { optionsOf } from '@millrace/ui/list';
import { Mark, type Tone } from '@millrace/ui/mark';
import { Page } from '@millrace/ui/page';
import { PageLinks } from '@millrace/ui/page-links';
import { Ago, Lines } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, listQueryOf, useRead, useWrite } from '../../frame/api.ts';
import { Can, PermittedButton } from '../../frame/can.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';
import { peopleLinks } from './list.tsx';
import { RolesField } from './roles-field.tsx';

type Invitation = DataOf<'listInvitations'>['invitations'][number];

const tones: Readonly<Record<Invitation['state'], Tone>> = {
  pending: 'active',
  expired: 'warning',
  accepted: 'good',
  withdrawn: 'neutral',
};

/** The invitations of the organization. */
export function InvitationList() {
  const search = useSearch({ from: '/shell/users/invitations' });
  const list = useRead('listInvitations', { query: listQueryOf(search) });
  const resend = useWrite('resendInvitation');
  const withdraw = useWrite('withdrawInvitation');
  const [inviting, setInviting] = useState(false);
  const [withdrawing, setWithdrawing] = useState<Invitation | null>(null);
  const sendAgain = ({ id, email }: Invitation) =>
    resend
      .mutateAsync({ params: { invitationId: id } })
      .then(() => showDone(`Another link is on its way to ${email}.`))
      .catch(showFailure);
  return (
    <Page
      title="Invitations"
      description="Who was sent a link to become a user of this organization. A link is good for 7 days and one use."
      actions={
        <PermittedButton permission="user.write" onClick={() => setInviting(true)}>
          Invite somebody
        </PermittedButton>
      }
    >
      <PageLinks label="Users and invitations" links={peopleLinks} />
      <ResourceList
        noun="invitations"
        rows={list.data?.invitations}
        total={list.data?.total}
        loading={list.isFetching}
        error={list.error}
        columns={[
          { title: 'Name', sort: 'name', cell: ({ name }) => name },
          { title: 'E-mail address', sort: 'email', cell: ({ email }) => email },
          { title: 'Roles', cell: ({ roles }) => <Lines texts={roles.map(({ name }) => name)} /> },
          { title: 'State', cell: ({ state }) => <Mark tone={tones[state]}>{wordsOf(state)}</Mark> },
          { title: 'Expires', sort: 'expiresAt', cell: ({ expiresAt }) => <Ago at={expiresAt} /> },
          {
            title: 'Actions',
            cell: (invitation) =>
              invitation.state === 'pending' || invitation.state === 'expired' ? (
                <Can anyOf={['user.write']}>
                  <Group gap="xs" wrap="nowrap">
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`Send again to ${invitation.email}`}
                      onClick={() => sendAgain(invitation)}
                    >
                      Send again
                    </Button>
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`Withdraw the invitation of ${invitation.email}`}
                      onClick={() => setWithdrawing(invitation)}
                    >
                      Withdraw
                    </Button>
                  </Group>
                </Can>
              ) : null,
          },
        ]}
        filters={[
          { name: 'state', label: 'State', options: optionsOf(['pending', 'expired', 'accepted', 'withdrawn']) },
        ]}
      />
      <FormDialog title="Invite somebody" opened={inviting} onClose={() => setInviting(false)}>
        <Invite onClose={() => setInviting(false)} />
      </FormDialog>
      {withdrawing && (
        <Confirm
          title="Withdraw the invitation"
          action="Withdraw"
          done="The invitation is withdrawn."
          onConfirm={() => withdraw.mutateAsync({ params: { invitationId: withdrawing.id } })}
          onClose={() => setWithdrawing(null)}
        >
          The link that was sent to {withdrawing.email} is worth nothing from then on.
        </Confirm>
      )}
    </Page>
  );
}

function Invite({ onClose }: { readonly onClose: () => void }) {
  const invite = useWrite('createInvitation');
  const form = useForm({ name: '', email: '', roleIds: [] as string[] }, async (body) => {
    await invite.mutateAsync({ body });
    showDone(`A link is on its way to ${body.email}.`);
    onClose();
  });
  return (
    <FormBody form={form} submitLabel="Invite" onCancel={onClose}>
      <TextInput label="Name" required data-autofocus autoComplete="off" {...form.text('name')} />
      <TextInput label="E-mail address" type="email" required autoComplete="off" {...form.text('email')} />
      <RolesField
        value={form.values.roleIds}
        onChange={(roleIds) => form.set('roleIds', roleIds)}
        error={form.errorAt('roleIds')}
      />
    </FormBody>
  );
}
