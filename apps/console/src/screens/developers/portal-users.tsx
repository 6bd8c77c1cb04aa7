import { Stack } from '@mantine/core';
import { showDone } from '@millrace/ui/form';
import { IconPlus } from '@millrace/ui/icons';
import { EmptyList, optionsOf } from '@millrace/ui/list';
import { Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { SchemaForm } from '@millrace/ui/schema-form';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useParams, useSearch } from '@tanstack/react-router';
import { type PermittedAction, PermittedActions, RowActions, suspendAction } from '../../frame/actions.tsx';
import { bodyOf, type DataOf, listQueryOf, useRead, useWrite } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { ActiveMark } from '../../frame/state-mark.tsx';

type PortalUser = DataOf<'listDeveloperPortalUsers'>['users'][number];

const permission = 'developer.write';
const languages = [
  { value: 'en', label: 'English' },
  { value: 'de', label: 'German' },
];

/** Who signs in to the developer portal for a developer, and who is invited to. */
export function DeveloperPortalUsers() {
  const { developerId } = useParams({ from: '/shell/developers/$developerId/portal-users' });
  const search = useSearch({ from: '/shell/developers/$developerId/portal-users' });
  const query = listQueryOf(search);
  const { data, isFetching, error } = useRead('listDeveloperPortalUsers', { params: { developerId }, query });
  const suspend = useWrite('suspendDeveloperPortalUser');
  const activate = useWrite('activateDeveloperPortalUser');
  const invite: PermittedAction = {
    label: 'Invite portal user',
    icon: IconPlus,
    primary: true,
    permission,
    form: {
      title: 'Invite portal user',
      body: (close) => <InviteForm developerId={developerId} onClose={close} />,
    },
  };
  const actionOf = ({ id, name, state }: PortalUser): PermittedAction => {
    const params = { developerId, portalUserId: id };
    const action = suspendAction({
      name,
      state,
      permission,
      text: `${name} is signed out of the portal immediately. The developer’s apps keep working.`,
      suspend: () => suspend.mutateAsync({ params }),
      activate: () => activate.mutateAsync({ params }),
    });
    return { ...action, name: `${action.label} ${name}` };
  };
  return (
    <Stack gap="lg">
      <ResourceList
        noun="portal users"
        rows={data?.users}
        total={data?.total}
        loading={isFetching}
        error={error}
        actions={<PermittedActions actions={[invite]} />}
        columns={[
          { title: 'Name', sort: 'name', cell: ({ name }) => name },
          { title: 'Email', sort: 'email', cell: ({ email }) => email },
          { title: 'Role', cell: ({ role }) => wordsOf(role) },
          { title: 'State', cell: ({ state }) => <ActiveMark state={state} /> },
          {
            title: 'Last sign-in',
            sort: 'lastSignInAt',
            cell: ({ lastSignInAt }) => <Ago at={lastSignInAt} absent="Never" />,
          },
          { title: 'Actions', cell: (user) => <RowActions actions={[actionOf(user)]} /> },
        ]}
        filters={[{ name: 'state', label: 'State', options: optionsOf(['active', 'suspended']) }]}
        empty={<EmptyList>Nobody signs in to the portal for this developer yet. Invite somebody.</EmptyList>}
      />
      {data && data.invitations.length > 0 && <Invitations developerId={developerId} invitations={data.invitations} />}
    </Stack>
  );
}

function Invitations(props: {
  readonly developerId: string;
  readonly invitations: DataOf<'listDeveloperPortalUsers'>['invitations'];
}) {
  const { developerId, invitations } = props;
  const withdraw = useWrite('withdrawDeveloperPortalInvitation');
  return (
    <Section title="Invitations" description="Each sent a link that works once, within 7 days">
      <RecordTable
        label="Table of invitations"
        rows={invitations}
        columns={[
          { title: 'Email', cell: ({ email }) => email },
          { title: 'Role', cell: ({ role }) => wordsOf(role) },
          { title: 'Invited by', cell: ({ invitedByName }) => invitedByName },
          { title: 'Expires', cell: ({ expiresAt }) => <Ago at={expiresAt} /> },
          {
            title: 'Actions',
            cell: ({ id, email }) => (
              <RowActions
                actions={[
                  {
                    label: 'Withdraw',
                    name: `Withdraw the invitation of ${email}`,
                    danger: true,
                    permission,
                    run: () => withdraw.mutateAsync({ params: { developerId, invitationId: id } }),
                    done: 'Invitation withdrawn.',
                    confirm: { title: 'Withdraw invitation?', text: `The link sent to ${email} stops working.` },
                  },
                ]}
              />
            ),
          },
        ]}
      />
    </Section>
  );
}

function InviteForm({ developerId, onClose }: { readonly developerId: string; readonly onClose: () => void }) {
  const invite = useWrite('inviteDeveloperPortalUser');
  return (
    <SchemaForm
      schema={bodyOf('inviteDeveloperPortalUser')}
      order={['email', 'role', 'locale']}
      preset={{ role: 'owner' }}
      fields={{
        email: { help: null },
        role: { help: 'The owner manages the others and, as billing does, the invoices' },
        locale: { label: 'Language', options: languages },
      }}
      submitLabel="Invite"
      onCancel={onClose}
      send={async (body) => {
        await invite.mutateAsync({ params: { developerId }, body });
        showDone(`Invitation sent to ${body.email}.`);
        onClose();
      }}
    />
  );
}
