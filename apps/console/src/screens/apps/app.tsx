import { Stack } from '@mantine/core';
import { Page } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { deleteAction, editAction, PermittedActions, suspendAction } from '../../frame/actions.tsx';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { type PermittedSection, PermittedSections } from '../../frame/permitted-sections.tsx';
import { ActiveMark } from '../../frame/state-mark.tsx';
import { TrafficStrip } from '../traffic/strip.tsx';
import { AppForm } from './app-form.tsx';

type App = DataOf<'getApp'>;

const sections = [
  { to: '/apps/$appId', label: 'Credentials', permission: 'credential.read' },
  { to: '/apps/$appId/subscriptions', label: 'Subscriptions', permission: 'subscription.read' },
] as const satisfies readonly PermittedSection[];

/** One app: the header and the sections. */
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
          tabs={<PermittedSections label="Sections of the app" sections={sections} params={{ appId }} />}
        >
          <Stack gap="lg">
            <TrafficStrip of={{ appId }} />
            <div>
              <Outlet />
            </div>
          </Stack>
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
          , callback <code>{app.callbackUrl}</code>
        </>
      )}
      {app.description !== '' && <>. {app.description}</>}
    </>
  );
}

function Actions({ app }: { readonly app: App }) {
  const { id, name, displayName, state, version } = app;
  const params = { appId: id };
  const navigate = useNavigate();
  const suspend = useWrite('suspendApp');
  const activate = useWrite('activateApp');
  const remove = useWrite('deleteApp');
  return (
    <PermittedActions
      actions={[
        editAction({
          noun: 'app',
          permission: 'app.write',
          body: (close) => <AppForm app={app} onCancel={close} onSaved={close} />,
        }),
        suspendAction({
          name: displayName,
          state,
          permission: 'app.write',
          text: 'All its credentials stop working within a second, until it is activated again.',
          suspend: () => suspend.mutateAsync({ params }),
          activate: () => activate.mutateAsync({ params }),
        }),
        deleteAction({
          name: displayName,
          permission: 'app.delete',
          typed: name,
          text: 'Its credentials stop working within a second, and its subscriptions end. To stop it for a while, suspend it.',
          run: () => remove.mutateAsync({ params, version }),
          onDone: () => navigate({ to: '/apps' }),
        }),
      ]}
    />
  );
}
