import { Text } from '@mantine/core';
import { FormDialog } from '@millrace/ui/form-dialog';
import { IconPencil } from '@millrace/ui/icons';
import { Page } from '@millrace/ui/page';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { deleteAction, PermittedActions } from '../../frame/actions.tsx';
import { call, useRead } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { type PermittedSection, PermittedSections } from '../../frame/permitted-sections.tsx';
import { saveAnswer } from '../../frame/save-answer.ts';
import { StageBadge } from '../../frame/stage-badge.tsx';
import { LifecycleNotice, useMoves } from './lifecycle/lifecycle.tsx';
import { useOpened, useProxyId } from './opened.ts';
import { ProxyContext, useProxy } from './proxy-context.tsx';
import { CloneForm, ProxyForm } from './proxy-form.tsx';

/** One proxy: its header, its sections, and the section that the address names. */
export function ProxyPage() {
  const proxyId = useProxyId();
  const read = useRead('getProxyOverview', { params: { proxyId } });
  return (
    <EntityScreen read={read}>
      {(overview) => (
        <ProxyContext value={overview}>
          <Page
            title={overview.proxy.displayName}
            mark={
              <>
                <StageBadge stage={overview.proxy.stage} />
                <Text size="sm" c="dimmed" ff="monospace">
                  {overview.proxy.basePath}
                </Text>
              </>
            }
            crumbs={[{ label: 'API proxies', to: '/proxies' }]}
            actions={<Actions />}
            tabs={<PermittedSections label="Sections of the API proxy" sections={sections} params={{ proxyId }} />}
          >
            <LifecycleNotice />
            <Outlet />
          </Page>
        </ProxyContext>
      )}
    </EntityScreen>
  );
}

const sections = [
  { to: '/proxies/$proxyId', label: 'Overview', permission: 'proxy.read' },
  { to: '/proxies/$proxyId/routes', label: 'Routes', permission: 'proxy.read' },
  { to: '/proxies/$proxyId/policies', label: 'Policies', permission: 'policy.read' },
  { to: '/proxies/$proxyId/targets', label: 'Targets', permission: 'target-server.read' },
  { to: '/proxies/$proxyId/trace', label: 'Trace', permission: 'proxy.trace' },
  { to: '/proxies/$proxyId/specification', label: 'Specification', permission: 'specification.read' },
  { to: '/proxies/$proxyId/governance', label: 'Governance', permission: 'governance.read' },
  { to: '/proxies/$proxyId/revisions', label: 'Revisions', permission: 'revision.read' },
  { to: '/proxies/$proxyId/deployments', label: 'Deployments', permission: 'deployment.read' },
  { to: '/proxies/$proxyId/history', label: 'History', permission: 'proxy.read' },
] as const satisfies readonly PermittedSection[];

/** What can be done with the proxy as a whole. */
function Actions() {
  const { proxy } = useProxy();
  const { id, name, displayName } = proxy;
  const params = { proxyId: id };
  const navigate = useNavigate();
  const moves = useMoves();
  // Links to a finding's fix open the form, too.
  const [open, setOpen] = useOpened('dialog');
  const close = () => setOpen(null);
  const exportAs = (format: 'yaml' | 'json') => ({
    label: `Export as ${format.toUpperCase()}`,
    inMenu: true,
    // An export contains the policies.
    permission: 'policy.read',
    run: () => saveAnswer('exportProxy', { params, query: { format } }, `${name}.${format}`),
  });
  return (
    <>
      <PermittedActions
        actions={[
          ...moves,
          { label: 'Edit', icon: IconPencil, permission: 'proxy.write', run: () => setOpen('edit') },
          {
            label: 'Clone',
            inMenu: true,
            permission: 'proxy.write',
            form: {
              title: `Clone ${displayName}`,
              body: (closeForm) => (
                <CloneForm
                  proxy={proxy}
                  onCancel={closeForm}
                  onCloned={(made) => {
                    closeForm();
                    navigate({ to: '/proxies/$proxyId', params: { proxyId: made.id } });
                  }}
                />
              ),
            },
          },
          exportAs('yaml'),
          exportAs('json'),
          {
            ...deleteAction({
              name: displayName,
              permission: 'proxy.delete',
              typed: name,
              text: 'This also deletes its working copy, routes, policies and specification. Live deployments have to be undeployed first.',
              run: () => call('deleteProxy', { params }),
              onDone: () => navigate({ to: '/proxies' }),
            }),
            inMenu: true,
          },
        ]}
      />
      <FormDialog title={`Edit ${displayName}`} opened={open === 'edit'} onClose={close} large>
        <ProxyForm proxy={proxy} onCancel={close} onSaved={close} />
      </FormDialog>
    </>
  );
}
