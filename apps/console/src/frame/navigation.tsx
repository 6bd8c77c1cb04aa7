import { Badge, NavLink, Stack } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import type { DataOf } from './api.ts';

/** A place of the navigation, or a section of such. */
export type NavigationNode = DataOf<'getNavigation'>['nodes'][number];

/** The places of a tree, in order, each with the name of its section. */
export function placesOf(
  nodes: readonly NavigationNode[],
  group: string | null = null,
): { readonly label: string; readonly group: string | null; readonly path: string }[] {
  return nodes.flatMap(({ label, path, children }) => [
    ...(path === null ? [] : [{ label, group, path }]),
    ...placesOf(children, label),
  ]);
}

/** The navigation at the side of every screen, as the server gives it to this caller. */
export function Navigation(props: {
  readonly nodes: readonly NavigationNode[];
  /** By a place's id, how much there waits for whoever is signed in. */
  readonly waiting: Readonly<Record<string, number>>;
  readonly onChoose: () => void;
}) {
  const { pathname } = useLocation();
  const paths = placesOf(props.nodes).map(({ path }) => path);
  // The longest address of which this screen's is a continuation.
  const active = paths
    .filter((path) => pathname === path || (path !== '/' && pathname.startsWith(`${path}/`)))
    .sort((one, other) => other.length - one.length)[0];
  return (
    <Stack gap={2} component="ul" className="navigation">
      {props.nodes.map((node) => (
        <NavigationItem key={node.id} node={node} active={active} waiting={props.waiting} onChoose={props.onChoose} />
      ))}
    </Stack>
  );
}

function NavigationItem(props: {
  readonly node: NavigationNode;
  readonly active: string | undefined;
  readonly waiting: Readonly<Record<string, number>>;
  readonly onChoose: () => void;
}) {
  const { node, active, waiting, onChoose } = props;
  const count = waiting[node.id] ?? 0;
  if (node.children.length > 0) {
    return (
      <li>
        <NavLink component="button" label={node.label} defaultOpened childrenOffset={0} className="navigation-group">
          <ul className="navigation">
            {node.children.map((child) => (
              <NavigationItem key={child.id} node={child} active={active} waiting={waiting} onChoose={onChoose} />
            ))}
          </ul>
        </NavLink>
      </li>
    );
  }
  const current = node.path === active;
  return (
    <li>
      <NavLink
        label={node.label}
        rightSection={
          count > 0 && (
            <Badge size="sm" circle={count < 10} color="red.9" aria-label={`${count} waiting for you`}>
              {count}
            </Badge>
          )
        }
        active={current}
        aria-current={current ? 'page' : undefined}
        onClick={onChoose}
        renderRoot={(root) => <Link {...root} to={node.path ?? '/'} />}
      />
    </li>
  );
}
