import { Page } from '@millrace/ui/page';
import { Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { deleteAction, editAction, PermittedActions, suspendAction } from '../../frame/actions.tsx';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { type PermittedSection, PermittedSections } from '../../frame/permitted-sections.tsx';
import { ActiveMark } from '../../frame/state-mark.tsx';
import { DeveloperForm } from './developer-form.tsx';

const sections = [
  { to: '/developers/$developerId', label: 'Apps', permission: 'app.read' },
  { to: '/developers/$developerId/usage', label: 'Usage', permission: 'analytics.read' },
  { to: '/developers/$developerId/billing', label: 'Billing', permission: 'developer.read' },
  { to: '/developers/$developerId/invoices', label: 'Invoices', permission: 'billing.read' },
  { to: '/developers/$developerId/balance', label: 'Balance', permission: 'billing.read' },
  { to: '/developers/$developerId/portal-users', label: 'Portal users', permission: 'developer.read' },
  { to: '/developers/$developerId/sign-in', label: 'Sign-in', permission: 'identity-provider.read' },
] as const satisfies readonly PermittedSection[];

/** One developer: the header and the sections. */
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
          tabs={<PermittedSections label="Sections of the developer" sections={sections} params={{ developerId }} />}
        >
          <Outlet />
        </Page>
      )}
    </EntityScreen>
  );
}

function Actions({ developer }: { readonly developer: DataOf<'getDeveloper'> }) {
  const { id, name, email, state, apps, version } = developer;
  const params = { developerId: id };
  const navigate = useNavigate();
  const suspend = useWrite('suspendDeveloper');
  const activate = useWrite('activateDeveloper');
  const remove = useWrite('deleteDeveloper');
  return (
    <PermittedActions
      actions={[
        editAction({
          noun: 'developer',
          permission: 'developer.write',
          body: (close) => <DeveloperForm developer={developer} onCancel={close} onSaved={close} />,
        }),
        suspendAction({
          name,
          state,
          permission: 'developer.write',
          text: `All ${apps} apps lose access within a second, until ${name} is activated again.`,
          suspend: () => suspend.mutateAsync({ params }),
          activate: () => activate.mutateAsync({ params }),
        }),
        deleteAction({
          name,
          permission: 'developer.delete',
          blocked: apps > 0 && 'Delete the apps first.',
          typed: email,
          text: 'Possible only without apps and unassigned prepaid money.',
          run: () => remove.mutateAsync({ params, version }),
          onDone: () => navigate({ to: '/developers' }),
        }),
      ]}
    />
  );
}
