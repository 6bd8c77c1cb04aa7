import { Confirm } from '@millrace/ui/confirm';
import { showDone, showFailure } from '@millrace/ui/form';
import { FormDialog } from '@millrace/ui/form-dialog';
import { Page } from '@millrace/ui/page';
import { Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { type PermittedSection, PermittedSections } from '../../frame/permitted-sections.tsx';
import { ActiveMark } from '../../frame/state-mark.tsx';
import { DeveloperForm } from './developer-form.tsx';

const sections = [
  { to: '/developers/$developerId', label: 'Apps', permission: 'app.read' },
  { to: '/developers/$developerId/usage', label: 'Usage', permission: 'analytics.read' },
  { to: '/developers/$developerId/balance', label: 'Balance', permission: 'billing.read' },
] as const satisfies readonly PermittedSection[];

/** One developer: the head and the sections. */
export function DeveloperScreen() {
  const { developerId } = useParams({ from: '/shell/developers/$developerId' });
  const read = useRead('getDeveloper', { params: { developerId } });
  return (
    <EntityScreen read={read}>
      {(developer) => (
        <Page
          title={developer.name}
          mark={<ActiveMark state={developer.state} />}
          description={[developer.email, developer.company].filter((text) => text !== '').join(', ')}
          crumbs={[{ label: 'Developers', to: '/developers' }]}
          actions={<Actions developer={developer} />}
        >
          <PermittedSections label="Sections of the developer" sections={sections} params={{ developerId }} />
          <Outlet />
        </Page>
      )}
    </EntityScreen>
  );
}

function Actions({ developer }: { readonly developer: DataOf<'getDeveloper'> }) {
  const { id, name, state, apps, version } = developer;
  const params = { developerId: id };
  const navigate = useNavigate();
  const suspend = useWrite('suspendDeveloper');
  const activate = useWrite('activateDeveloper');
  const remove = useWrite('deleteDeveloper');
  const [dialog, setDialog] = useState<'change' | 'suspend' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const activateNow = () =>
    activate
      .mutateAsync({ params })
      .then(() => showDone(`${name} is active again.`))
      .catch(showFailure);
  return (
    <>
      <PermittedButton variant="default" permission="developer.write" onClick={() => setDialog('change')}>
        Change
      </PermittedButton>
      {state === 'active' ? (
        <PermittedButton variant="default" permission="developer.write" onClick={() => setDialog('suspend')}>
          Suspend
        </PermittedButton>
      ) : (
        <PermittedButton permission="developer.write" loading={activate.isPending} onClick={activateNow}>
          Activate
        </PermittedButton>
      )}
      <PermittedButton
        variant="default"
        c="var(--mantine-color-error)"
        permission="developer.delete"
        blocked={apps > 0 && 'Delete the apps first.'}
        onClick={() => setDialog('delete')}
      >
        Delete
      </PermittedButton>
      <FormDialog title={`Change ${name}`} opened={dialog === 'change'} onClose={close}>
        <DeveloperForm developer={developer} onCancel={close} onSaved={close} />
      </FormDialog>
      {dialog === 'suspend' && (
        <Confirm
          title={`Suspend ${name}`}
          action="Suspend"
          done={`${name} is suspended.`}
          onConfirm={() => suspend.mutateAsync({ params })}
          onClose={close}
        >
          Within a second no gateway node lets any of the {apps} apps in, until {name} is activated again.
        </Confirm>
      )}
      {dialog === 'delete' && (
        <Confirm
          title={`Delete ${name}`}
          action="Delete"
          typed={developer.email}
          done={`${name} is deleted.`}
          onConfirm={() => remove.mutateAsync({ params, version })}
          onDone={() => navigate({ to: '/developers' })}
          onClose={close}
        >
          A developer with apps, or with prepaid money, cannot be deleted.
        </Confirm>
      )}
    </>
  );
}
