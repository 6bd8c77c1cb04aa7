import { Confirm } from '@millrace/ui/confirm';
import { showDone, showFailure } from '@millrace/ui/form';
import { FormDialog } from '@millrace/ui/form-dialog';
import { Page } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { type PermittedSection, PermittedSections } from '../../frame/permitted-sections.tsx';
import { ActiveMark } from '../../frame/state-mark.tsx';
import { AppForm } from './app-form.tsx';

type App = DataOf<'getApp'>;

const sections = [
  { to: '/apps/$appId', label: 'Credentials', permission: 'credential.read' },
  { to: '/apps/$appId/subscriptions', label: 'Subscriptions', permission: 'subscription.read' },
] as const satisfies readonly PermittedSection[];

/** One app: the head and the sections. */
export function AppScreen() {
  const { appId } = useParams({ from: '/shell/apps/$appId' });
  const read = useRead('getApp', { params: { appId } });
  return (
    <EntityScreen read={read}>
      {(app) => (
        <Page
          title={app.displayName}
          mark={<ActiveMark state={app.state} />}
          description={<Summary app={app} />}
          crumbs={[{ label: 'Apps', to: '/apps' }]}
          actions={<Actions app={app} />}
        >
          <PermittedSections label="Sections of the app" sections={sections} params={{ appId }} />
          <Outlet />
        </Page>
      )}
    </EntityScreen>
  );
}

function Summary({ app }: { readonly app: App }) {
  return (
    <>
      App of{' '}
      <TextLink underline="always" to="/developers/$developerId" params={{ developerId: app.developerId }}>
        {app.developerName}
      </TextLink>
      {app.callbackUrl !== null && (
        <>
          , called back at <code>{app.callbackUrl}</code>
        </>
      )}
      {app.description !== '' && <>. {app.description}</>}
    </>
  );
}

function Actions({ app }: { readonly app: App }) {
  const { id, displayName, state, version } = app;
  const params = { appId: id };
  const navigate = useNavigate();
  const suspend = useWrite('suspendApp');
  const activate = useWrite('activateApp');
  const remove = useWrite('deleteApp');
  const [dialog, setDialog] = useState<'change' | 'suspend' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const activateNow = () =>
    activate
      .mutateAsync({ params })
      .then(() => showDone(`${displayName} is active again.`))
      .catch(showFailure);
  return (
    <>
      <PermittedButton variant="default" permission="app.write" onClick={() => setDialog('change')}>
        Change
      </PermittedButton>
      {state === 'active' ? (
        <PermittedButton variant="default" permission="app.write" onClick={() => setDialog('suspend')}>
          Suspend
        </PermittedButton>
      ) : (
        <PermittedButton permission="app.write" loading={activate.isPending} onClick={activateNow}>
          Activate
        </PermittedButton>
      )}
      <PermittedButton
        variant="default"
        c="var(--mantine-color-error)"
        permission="app.delete"
        onClick={() => setDialog('delete')}
      >
        Delete
      </PermittedButton>
      <FormDialog title={`Change ${displayName}`} opened={dialog === 'change'} onClose={close}>
        <AppForm app={app} onCancel={close} onSaved={close} />
      </FormDialog>
      {dialog === 'suspend' && (
        <Confirm
          title={`Suspend ${displayName}`}
          action="Suspend"
          done={`${displayName} is suspended.`}
          onConfirm={() => suspend.mutateAsync({ params })}
          onClose={close}
        >
          Within a second no gateway node lets it in, by whichever credential, until it is activated again.
        </Confirm>
      )}
      {dialog === 'delete' && (
        <Confirm
          title={`Delete ${displayName}`}
          action="Delete"
          typed={app.name}
          done={`${displayName} is deleted.`}
          onConfirm={() => remove.mutateAsync({ params, version })}
          onDone={() => navigate({ to: '/apps' })}
          onClose={close}
        >
          Its credentials and subscriptions go with it: within a second no gateway node lets it in. To stop it for a
          while, suspend it.
        </Confirm>
      )}
    </>
  );
}
