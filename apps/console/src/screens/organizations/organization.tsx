import { showDone } from '@millrace/ui/form';
import { Page } from '@millrace/ui/page';
import { SchemaForm } from '@millrace/ui/schema-form';
import { Ago, Properties } from '@millrace/ui/values';
import { useNavigate, useParams } from '@tanstack/react-router';
import { deleteAction, editAction, PermittedActions, suspendAction } from '../../frame/actions.tsx';
import { addressOf, bodyOf, type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { useSession } from '../../frame/session.tsx';
import { ActiveMark } from '../../frame/state-mark.tsx';

type Organization = DataOf<'getOrganization'>;

/** One organization, as a Super Admin runs it. */
export function OrganizationScreen() {
  const { organizationId } = useParams({ from: '/shell/organizations/$organizationId' });
  const read = useRead('getOrganization', { params: { organizationId } });
  return <EntityScreen read={read}>{(data) => <Shown organization={data} />}</EntityScreen>;
}

function Shown({ organization }: { readonly organization: Organization }) {
  const { id, name, displayName, state, createdAt, updatedAt, version, platform } = organization;
  const params = { organizationId: id };
  const navigate = useNavigate();
  const session = useSession();
  const suspend = useWrite('suspendOrganization');
  const activate = useWrite('activateOrganization');
  const remove = useWrite('deleteOrganization');
  const permission = 'organization.write';
  const blocked = platform && 'The organization of the Super Admins can’t be suspended or deleted.';
  return (
    <Page
      title={displayName}
      mark={<ActiveMark state={state} />}
      crumbs={[{ label: 'Organizations', to: '/organizations' }]}
      actions={
        <PermittedActions
          actions={[
            {
              label: 'Open organization',
              primary: true,
              blocked: session.organizationId === id && 'It is open already.',
              run: async () => window.location.assign(addressOf(id, session.organization.id)),
            },
            editAction({
              noun: 'organization',
              permission,
              body: (close) => <OrganizationForm organization={organization} onClose={close} />,
            }),
            suspendAction({
              name: displayName,
              state,
              permission,
              blocked,
              typed: name,
              text: 'None of its users can sign in or call the API until it is activated again. Its data is kept.',
              suspend: () => suspend.mutateAsync({ params, version }),
              activate: () => activate.mutateAsync({ params }),
            }),
            deleteAction({
              name: displayName,
              permission: 'organization.delete',
              blocked,
              typed: name,
              text: 'Possible only while it is empty. Its audit trail is kept.',
              run: () => remove.mutateAsync({ params, version }),
              onDone: () => navigate({ to: '/organizations' }),
            }),
          ]}
        />
      }
    >
      <Properties
        of={{ Code: <code>{name}</code>, Created: <Ago at={createdAt} />, Updated: <Ago at={updatedAt} /> }}
      />
    </Page>
  );
}

function OrganizationForm(props: { readonly organization: Organization; readonly onClose: () => void }) {
  const { organization, onClose } = props;
  const { id, version } = organization;
  const update = useWrite('updateOrganization');
  return (
    <SchemaForm
      schema={bodyOf('updateOrganization')}
      initial={organization}
      fields={{ displayName: { label: 'Name' } }}
      submitLabel="Save"
      onCancel={onClose}
      send={async (body) => {
        await update.mutateAsync({ params: { organizationId: id }, body, version });
        showDone('Organization saved.');
        onClose();
      }}
    />
  );
}
