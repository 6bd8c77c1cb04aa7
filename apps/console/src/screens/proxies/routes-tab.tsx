import { ActionIcon, Anchor, Group, Menu, Text } from '@mantine/core';
import { routeMethods } from '@millrace/revision/content';
import { Confirm } from '@millrace/ui/confirm';
import type { ListSearch } from '@millrace/ui/list-search';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, listQueryOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';
import { useSession } from '../../frame/session.tsx';
import { listPart, useOpened } from './opened.ts';
import { useProxy } from './proxy-context.tsx';
import { RouteDrawer } from './route-drawer.tsx';
import { MethodBadge, PathText } from './route-text.tsx';

type Route = DataOf<'getRoute'>;

/** Which calls the proxy answers, and where they lead. */
export function RoutesTab() {
  const { proxy } = useProxy();
  const { can } = useSession();
  const search = listPart(useSearch({ strict: false }) as ListSearch, 'route');
  const params = { proxyId: proxy.id };
  const read = useRead('listRoutes', { params, query: listQueryOf(search) });
  const [opened, open] = useOpened('route');
  const [removing, setRemoving] = useState<Route | null>(null);
  const remove = useWrite('deleteRoute');
  const routes = read.data?.routes;
  const targets = [...new Set((routes ?? []).map(({ targetServer }) => targetServer))];
  return (
    <>
      <ResourceList<Route>
        noun="routes"
        rows={routes}
        total={read.data?.total}
        loading={read.isFetching}
        error={read.error}
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
          { title: 'Target server', sort: 'targetServer', cell: (route) => <Target route={route} /> },
          { title: 'Time-out', cell: ({ timeoutMs }) => (timeoutMs === null ? 'default' : milliseconds(timeoutMs)) },
          {
            title: 'Summary',
            cell: ({ summary }) =>
              summary || (
                <Text size="sm" c="dimmed">
                  None
                </Text>
              ),
          },
          {
            title: 'Actions',
            cell: (route) =>
              can('proxy.write') && (
                <Menu position="bottom-end">
                  <Menu.Target>
                    <ActionIcon variant="subtle" aria-label={`Actions for ${route.method} ${route.pathPattern}`}>
                      ⋯
                    </ActionIcon>
                  </Menu.Target>
                  <Menu.Dropdown>
                    <Menu.Item onClick={() => open(route.id)}>Edit</Menu.Item>
                    <Menu.Item c="var(--mantine-color-error)" onClick={() => setRemoving(route)}>
                      Delete
                    </Menu.Item>
                  </Menu.Dropdown>
                </Menu>
              ),
          },
        ]}
        actions={
          <PermittedButton permission="proxy.write" onClick={() => open('new')}>
            Add a route
          </PermittedButton>
        }
        empty={
          <Text c="dimmed" my="lg">
            No call is answered yet. Add a route, such as GET /{'{orderId}'}, and say to which target server it leads.
          </Text>
        }
      />
      {opened !== null && <RouteDrawer routeId={opened} onClose={() => open(null)} />}
      {removing && (
        <Confirm
          title={`Delete ${removing.method} ${removing.pathPattern}?`}
          action="Delete"
          done="The route is deleted."
          onConfirm={() =>
            remove.mutateAsync({ params: { ...params, routeId: removing.id }, version: removing.version })
          }
          onClose={() => setRemoving(null)}
        >
          The working copy no longer answers it. What is deployed stays as it is until the next deployment.
        </Confirm>
      )}
    </>
  );
}

function Target({ route }: { readonly route: Route }) {
  return (
    <Group gap={4} wrap="nowrap">
      <span>{route.targetServer}</span>
      {route.targetPath !== null && (
        <>
          <span aria-hidden>→</span>
          <PathText path={route.targetPath} />
        </>
      )}
    </Group>
  );
}

/** `5000` becomes `5 s`. */
function milliseconds(time: number): string {
  return time % 1_000 === 0 ? `${time / 1_000} s` : `${time} ms`;
}
