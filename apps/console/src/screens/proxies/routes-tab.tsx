import { Anchor } from '@mantine/core';
import { routeMethods } from '@millrace/revision/content';
import { IconPlus } from '@millrace/ui/icons';
import { EmptyList } from '@millrace/ui/list';
import { deleteAction, PermittedActions, PermittedMenu } from '../../frame/actions.tsx';
import { type DataOf, useList, useWrite } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { useOpened } from './opened.ts';
import { useProxy } from './proxy-context.tsx';
import { RouteDrawer } from './route-drawer.tsx';
import { MethodBadge, PathText } from './route-text.tsx';

type Route = DataOf<'getRoute'>;

const permission = 'proxy.write';

/** Which calls the proxy answers, and where it forwards them. */
export function RoutesTab() {
  const { proxy } = useProxy();
  const list = useList('listRoutes', { proxyId: proxy.id });
  const [opened, open] = useOpened('route');
  const targets = [...new Set((list.rows ?? []).map(({ targetServer }) => targetServer))];
  return (
    <>
      <ResourceList<Route>
        noun="routes"
        {...list}
        filters={[
          { name: 'method', label: 'Method', options: routeMethods.map((value) => ({ value, label: value })) },
          { name: 'targetServer', label: 'Target server', options: targets.map((value) => ({ value, label: value })) },
        ]}
        columns={[
          { title: 'Method', sort: 'method', cell: ({ method }) => <MethodBadge method={method} /> },
          {
            title: 'Path',
            sort: 'pathPattern',
            cell: (route) => (
              <Anchor component="button" underline="hover" ta="start" onClick={() => open(route.id)}>
                <PathText path={route.pathPattern} />
              </Anchor>
            ),
          },
          { title: 'Target server', sort: 'targetServer', cell: ({ targetServer }) => targetServer },
          {
            title: 'Path at the target',
            cell: ({ targetPath }) => (targetPath === null ? 'As called' : <PathText path={targetPath} />),
          },
          {
            title: 'Timeout',
            align: 'end',
            cell: ({ timeoutMs }) => (timeoutMs === null ? 'Default' : durationText(timeoutMs)),
          },
          { title: 'Summary', cell: ({ summary }) => summary || '–' },
          {
            title: 'Actions',
            align: 'end',
            cell: (route) => <RouteMenu route={route} onEdit={() => open(route.id)} />,
          },
        ]}
        hiddenColumns={['Path at the target']}
        actions={
          <PermittedActions
            actions={[{ label: 'Add route', icon: IconPlus, primary: true, permission, run: () => open('new') }]}
          />
        }
        empty={<EmptyList>No routes yet. Add one, such as GET /{'{orderId}'}, and choose its target server.</EmptyList>}
      />
      {opened !== null && <RouteDrawer routeId={opened} onClose={() => open(null)} />}
    </>
  );
}

function RouteMenu({ route, onEdit }: { readonly route: Route; readonly onEdit: () => void }) {
  const { id, proxyId, method, pathPattern, version } = route;
  const remove = useWrite('deleteRoute');
  const name = `${method} ${pathPattern}`;
  return (
    <PermittedMenu
      label={`Actions for ${name}`}
      actions={[
        { label: 'Edit', run: onEdit },
        deleteAction({
          name,
          permission,
          text: 'Removes it from the working copy. Live deployments don’t change until the next deployment.',
          run: () => remove.mutateAsync({ params: { proxyId, routeId: id }, version }),
        }),
      ]}
    />
  );
}

/** `5000` becomes `5 s`. */
function durationText(ms: number): string {
  return ms % 1_000 === 0 ? `${ms / 1_000} s` : `${ms} ms`;
}
