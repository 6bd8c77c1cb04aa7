import { Button, Group } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';

/** Links between screens that belong together, below their head. */
export function PageLinks(props: {
  /** What the links navigate, for screen readers. */
  readonly label: string;
  readonly links: readonly { readonly to: LinkProps['to']; readonly label: string }[];
}) {
  return (
    <Group component="nav" aria-label={props.label} gap="xs" mb="lg">
      {props.links.map(({ to, label }) => (
        <Link key={label} to={to} activeOptions={{ exact: true, includeSearch: false }} className="page-link">
          {({ isActive }) => (
            <Button component="span" size="xs" variant={isActive ? 'light' : 'subtle'} tabIndex={-1}>
              {label}
            </Button>
          )}
        </Link>
      ))}
    </Group>
  );
}
