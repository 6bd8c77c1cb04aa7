import { Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { ActionButton } from '../../frame/can.tsx';
import { Confirm } from '../../frame/confirm.tsx';
import { showDone, showFailure } from '../../frame/form.ts';
import { FormDialog } from '../../frame/form-dialog.tsx';
import { Loaded, Page } from '../../frame/page.tsx';
import { type SectionLink, SectionLinks } from '../../frame/section-links.tsx';
import { ActiveMark } from '../../frame/state-mark.tsx';
import { DeveloperForm } from './developer-form.tsx';

const sections = [
  { to: '/developers/$developerId', label: 'Apps', permission: 'app.read' },
  { to: '/developers/$developerId/usage', label: 'Usage', permission: 'analytics.read' },
  { to: '/developers/$developerId/balance', label: 'Balance', permission: 'billing.read' },
] as const satisfies readonly SectionLink[];

/** One developer: the head and the sections. */
export function DeveloperScreen() {
  const { developerId } = useParams({ from: '/shell/developers/$developerId' });
  const read = useRead('getDeveloper', { params: { developerId } });
  return (
    <Loaded read={read}>
      {(developer) => (
        <Page
          title={developer.name}
          mark={<ActiveMark state={developer.state} />}
          description={[developer.email, developer.company].filter((text) => text !== '').join(', ')}
          crumbs={[{ label: 'Developers', to: '/developers' }]}
          actions={<Actions developer={developer} />}
        >
          <SectionLinks label="Sections of the developer" sections={sections} params={{ developerId }} />
          <Outlet />
        </Page>
      )}
    </Loaded>
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
      <ActionButton variant="default" permission="developer.write" onClick={() => setDialog('change')}>
        Change
      </ActionButton>
      {state === 'active' ? (
        <ActionButton variant="default" permission="developer.write" onClick={() => setDialog('suspend')}>
          Suspend
        </ActionButton>
      ) : (
        <ActionButton permission="developer.write" loading={activate.isPending} onClick={activateNow}>
          Activate
        </ActionButton>
      )}
      <ActionButton
        variant="default"
        c="var(--mantine-color-error)"
        permission="developer.delete"
        blocked={apps > 0 && 'Delete the apps first.'}
        onClick={() => setDialog('delete')}
      >
        Delete
      </ActionButton>
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
