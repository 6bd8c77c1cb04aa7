import { Menu, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { IconCheck, IconChevronDown } from './icons.ts';
import classes from './shell.module.css';
import type { ProductApp } from './shell.tsx';

/** Switches to another app of the product. */
export default function AppMenu(props: { readonly apps: readonly ProductApp[]; readonly logo: ReactNode }) {
  return (
    <Menu position="bottom-start" width={208} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button type="button" className={classes.logo}>
          {props.logo}
          <VisuallyHidden>: switch app</VisuallyHidden>
          <IconChevronDown size={14} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {props.apps.map(({ name, address }) =>
          address === null ? (
            <Menu.Item
              key={name}
              rightSection={<IconCheck size={14} aria-label="open" />}
              renderRoot={(root) => <Link {...root} to="/" />}
            >
              {name}
            </Menu.Item>
          ) : (
            <Menu.Item key={name} component="a" href={address}>
              {name}
            </Menu.Item>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
