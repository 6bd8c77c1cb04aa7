import { Button, Group, Menu } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { showFailure } from '@millrace/ui/form';
import { Page } from '@millrace/ui/page';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { call, useRead } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { type PermittedSection, PermittedSections } from '../../frame/permitted-sections.tsx';
import { saveAnswer } from '../../frame/save-answer.ts';
import { useSession } from '../../frame/session.tsx';
import { StageBadge } from '../../frame/stage-badge.tsx';
import { LifecycleBar } from './lifecycle/lifecycle-bar.tsx';
import { useOpened, useProxyId } from './opened.ts';
import { ProxyContext, useProxy } from './proxy-context.tsx';
import { CloneDialog, EditDialog } from './proxy-dialogs.tsx';

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
            mark={<StageBadge stage={overview.proxy.stage} />}
            crumbs={[{ label: 'API proxies', to: '/proxies' }]}
            actions={<Actions />}
            tabs={
              <>
                <LifecycleBar />
                <PermittedSections label="Sections of the API proxy" sections={sections} params={{ proxyId }} />
              </>
            }
          >
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
  const { can } = useSession();
  const navigate = useNavigate();
  const [open, setOpen] = useOpened('dialog');
  const close = () => setOpen(null);
  const save = async (format: 'yaml' | 'json') => {
    try {
      await saveAnswer('exportProxy', { params: { proxyId: proxy.id }, query: { format } }, `${proxy.name}.${format}`);
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <Group gap="xs">
      {can('proxy.write') && (
        <Button variant="default" onClick={() => setOpen('edit')}>
          Edit
        </Button>
      )}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default">More</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {can('proxy.write') && <Menu.Item onClick={() => setOpen('clone')}>Clone under another base path</Menu.Item>}
          {/* An export holds the policies. */}
          <Menu.Item disabled={!can('policy.read')} onClick={() => save('yaml')}>
            Export as YAML
          </Menu.Item>
          <Menu.Item disabled={!can('policy.read')} onClick={() => save('json')}>
            Export as JSON
          </Menu.Item>
          {can('proxy.delete') && (
            <>
              <Menu.Divider />
              <Menu.Item c="var(--mantine-color-error)" onClick={() => setOpen('delete')}>
                Delete
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {open === 'edit' && <EditDialog proxy={proxy} onClose={close} />}
      {open === 'clone' && <CloneDialog proxy={proxy} onClose={close} />}
      {open === 'delete' && (
        <Confirm
          title={`Delete ${proxy.displayName}?`}
          action="Delete"
          typed={proxy.name}
          done={`${proxy.displayName} is deleted.`}
          onConfirm={() => call('deleteProxy', { params: { proxyId: proxy.id } })}
          onClose={close}
          onDone={() => navigate({ to: '/proxies' })}
        >
          Its working copy, routes, policies and specification go with it. A proxy that serves somewhere has to be
          undeployed first.
        </Confirm>
      )}
    </Group>
  );
}
