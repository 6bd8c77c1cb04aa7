import { SimpleGrid, TextInput } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { showDone, showFailure, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { Page } from '@millrace/ui/page';
import { Fact, Moment } from '@millrace/ui/values';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { addressOf, type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { useSession } from '../../frame/session.tsx';
import { OrganizationState } from './list.tsx';

type Organization = DataOf<'getOrganization'>;

/** One organization, as a Super Admin runs it. */
export function OrganizationScreen() {
  const { organizationId } = useParams({ from: '/shell/organizations/$organizationId' });
  const read = useRead('getOrganization', { params: { organizationId } });
  return <EntityScreen read={read}>{(data) => <Shown organization={data} />}</EntityScreen>;
}

function Shown({ organization }: { readonly organization: Organization }) {
  const { id, name, displayName, state, version, platform } = organization;
  const params = { organizationId: id };
  const navigate = useNavigate();
  const session = useSession();
  const suspend = useWrite('suspendOrganization');
  const activate = useWrite('activateOrganization');
  const remove = useWrite('deleteOrganization');
  const [dialog, setDialog] = useState<'change' | 'suspend' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const ofPlatform = platform && 'The organization of the Super Admins always stays.';
  const lookAt = () => window.location.assign(addressOf(id, session.organization.id));
  const activateNow = () =>
    activate
      .mutateAsync({ params })
      .then(() => showDone(`${displayName} is active again.`))
      .catch(showFailure);
  return (
    <Page
      title={displayName}
      mark={<OrganizationState state={state} />}
      crumbs={[{ label: 'Organizations', to: '/organizations' }]}
      actions={
        <>
          <PermittedButton blocked={session.organizationId === id && 'You look at it already.'} onClick={lookAt}>
            Look at it
          </PermittedButton>
          <PermittedButton variant="default" permission="organization.write" onClick={() => setDialog('change')}>
            Change
          </PermittedButton>
          {state === 'active' ? (
            <PermittedButton
              variant="default"
              permission="organization.write"
              blocked={ofPlatform}
              onClick={() => setDialog('suspend')}
            >
              Suspend
            </PermittedButton>
          ) : (
            <PermittedButton permission="organization.write" loading={activate.isPending} onClick={activateNow}>
              Activate
            </PermittedButton>
          )}
          <PermittedButton
            variant="default"
            c="var(--mantine-color-error)"
            permission="organization.delete"
            blocked={ofPlatform}
            onClick={() => setDialog('delete')}
          >
            Delete
          </PermittedButton>
        </>
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Fact label="Code">
          <code>{name}</code>
        </Fact>
        <Fact label="Created">
          <Moment at={organization.createdAt} />
        </Fact>
        <Fact label="Changed">
          <Moment at={organization.updatedAt} />
        </Fact>
      </SimpleGrid>
      <FormDialog title="Change the organization" opened={dialog === 'change'} onClose={close}>
        <OrganizationForm organization={organization} onClose={close} />
      </FormDialog>
      {dialog === 'suspend' && (
        <Confirm
          title={`Suspend ${displayName}`}
          action="Suspend"
          typed={name}
          done={`${displayName} is suspended.`}
          onConfirm={() => suspend.mutateAsync({ params, version })}
          onClose={close}
        >
          Nobody of it can sign in or call until it is activated again. Its data stays.
        </Confirm>
      )}
      {dialog === 'delete' && (
        <Confirm
          title={`Delete ${displayName}`}
          action="Delete"
          typed={name}
          done={`${displayName} is deleted.`}
          onConfirm={() => remove.mutateAsync({ params, version })}
          onDone={() => navigate({ to: '/organizations' })}
          onClose={close}
        >
          Only an empty organization can be deleted. Its audit trail stays.
        </Confirm>
      )}
    </Page>
  );
}

function OrganizationForm(props: { readonly organization: Organization; readonly onClose: () => void }) {
  const { organization, onClose } = props;
  const update = useWrite('updateOrganization');
  const form = useForm({ displayName: organization.displayName }, async (body) => {
    await update.mutateAsync({
      params: { organizationId: organization.id },
      body,
      version: organization.version,
    });
    showDone('The organization is changed.');
    onClose();
  });
  return (
    <FormBody form={form} submitLabel="Save" onCancel={onClose}>
      <TextInput label="Name" required data-autofocus {...form.text('displayName')} />
    </FormBody>
  );
}
