import { ActionIcon, AppShell, Burger, Button, Group, NavLink } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Link, useLocation } from '@tanstack/react-router';
import { type ComponentType, lazy, memo, type ReactNode, Suspense, useState } from 'react';
import { type Account, AccountMenu } from './account-menu.tsx';
import { IconBook, IconSearch } from './icons.ts';
import classes from './shell.module.css';
import { TimeZoneNote } from './values.tsx';

/** A place of the navigation. */
export interface Place {
  readonly label: string;
  /** Address of a screen of this app. */
  readonly to: string;
  readonly icon: ComponentType<{ readonly size: number; readonly stroke: number; readonly 'aria-hidden': true }>;
  /** How much waits there; nothing is shown for undefined. */
  readonly count?: { readonly text: string; readonly label: string } | undefined;
}

/** Places under a heading; those without one stand at the top. */
export interface PlaceSection {
  readonly label: string | null;
  readonly places: readonly Place[];
}

/** An app of the product. */
export interface ProductApp {
  readonly name: string;
  /** Null for the one that is open. */
  readonly address: string | null;
}

/** Another app of the product, if its address is known. */
export function appAt(name: string, address: string | null): readonly ProductApp[] {
  return address === null ? [] : [{ name, address }];
}

/** Not part of the first load. */
const AppMenu = lazy(() => import('./app-menu.tsx'));

/** What the search offers: opened by a click on it, or by Ctrl+K. */
export type SearchComponent = ComponentType<{ readonly onClose: () => void }>;

/** The frame of every app behind the sign-in: navigation, app switcher, search, documentation, account. */
export function Shell(props: {
  /** The apps of the product that can be reached from here, the open one among them. */
  readonly apps: readonly ProductApp[];
  readonly sections: readonly PlaceSection[];
  /** Beside the navigation's button, such as the organization. */
  readonly context?: ReactNode;
  readonly notifications?: ReactNode;
  readonly account: Account;
  /** Loads the search when it is first opened. */
  readonly search?: () => Promise<{ readonly default: SearchComponent }>;
  readonly children: ReactNode;
}) {
  const [opened, { toggle, close }] = useDisclosure();
  return (
    <AppShell
      layout="alt"
      header={{ height: 48 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', sm: 'lg' }}
      transitionDuration={0}
    >
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <AppShell.Header className={classes.header!}>
        <Burger
          opened={opened}
          onClick={toggle}
          hiddenFrom="sm"
          size="sm"
          aria-label="Navigation"
          aria-expanded={opened}
        />
        {props.context}
        <Group ml="auto" gap={6} wrap="nowrap">
          {props.search && <Search load={props.search} />}
          <ActionIcon variant="subtle" color="gray" size="lg" component="a" href="/api-docs" aria-label="API reference">
            <IconBook size={18} stroke={1.6} aria-hidden />
          </ActionIcon>
          {props.notifications}
          <AccountMenu {...props.account} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label="Main" className={classes.sidebar!}>
        <Group justify="space-between" wrap="nowrap" className={classes.brand!}>
          <AppSwitcher apps={props.apps} />
          {opened && <Burger opened onClick={close} hiddenFrom="sm" size="sm" aria-label="Close navigation" />}
        </Group>
        <div className={classes.places}>
          <Navigation sections={props.sections} onChoose={close} />
        </div>
        <div className={classes.foot}>
          <TimeZoneNote />
        </div>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes.content!}>
        {props.children}
      </AppShell.Main>
    </AppShell>
  );
}

/** The logo; with other apps, the way to them. */
function AppSwitcher({ apps }: { readonly apps: readonly ProductApp[] }) {
  const current = apps.find(({ address }) => address === null);
  const logo = (
    <>
      <img src="/favicon.svg" alt="" width={20} height={20} />
      <span>Millrace</span>
      <span className={classes.app}>{current?.name}</span>
    </>
  );
  const home = (
    <Link to="/" className={classes.logo!}>
      {logo}
    </Link>
  );
  return apps.length < 2 ? (
    home
  ) : (
    <Suspense fallback={home}>
      <AppMenu apps={apps} logo={logo} />
    </Suspense>
  );
}

function Navigation(props: { readonly sections: readonly PlaceSection[]; readonly onChoose: () => void }) {
  const { pathname } = useLocation();
  // The longest address that this screen's begins with.
  const active = props.sections
    .flatMap(({ places }) => places.map(({ to }) => to))
    .filter((to) => pathname === to || (to !== '/' && pathname.startsWith(`${to}/`)))
    .sort((one, other) => other.length - one.length)[0];
  return props.sections.map(({ label, places }) => (
    <div key={label ?? ''} className={classes.section}>
      {label !== null && <div className={classes.heading}>{label}</div>}
      <ul className="navigation" aria-label={label ?? undefined}>
        {places.map(({ count, ...place }) => (
          <PlaceLink
            key={place.to}
            {...place}
            countText={count?.text}
            countLabel={count?.label}
            active={place.to === active}
            onChoose={props.onChoose}
          />
        ))}
      </ul>
    </div>
  ));
}

/** Drawn again where something of its own changed: a screen's change seldom is one of its navigation. */
const PlaceLink = memo(function PlaceLink(props: {
  readonly label: string;
  readonly to: string;
  readonly icon: Place['icon'];
  readonly countText: string | undefined;
  readonly countLabel: string | undefined;
  readonly active: boolean;
  readonly onChoose: () => void;
}) {
  const { to, icon: PlaceIcon, active } = props;
  return (
    <li>
      <NavLink
        label={props.label}
        active={active}
        aria-current={active ? 'page' : undefined}
        onClick={props.onChoose}
        leftSection={<PlaceIcon size={16} stroke={1.6} aria-hidden />}
        rightSection={
          props.countText !== undefined && (
            <span className={classes.count} role="img" aria-label={props.countLabel}>
              {props.countText}
            </span>
          )
        }
        renderRoot={(root) => <Link {...root} to={to} />}
      />
    </li>
  );
});

function Search({ load }: { readonly load: () => Promise<{ readonly default: SearchComponent }> }) {
  const [opened, { open, close }] = useDisclosure();
  const [Results] = useState(() => lazy(load));
  useHotkeys([['mod + K', open]], []);
  return (
    <>
      <Button
        visibleFrom="sm"
        variant="default"
        onClick={open}
        className={classes.search!}
        leftSection={<IconSearch size={15} aria-hidden />}
        rightSection={
          <kbd className={classes.keys} aria-hidden>
            Ctrl K
          </kbd>
        }
      >
        Search
      </Button>
      <ActionIcon hiddenFrom="sm" variant="subtle" color="gray" size="lg" onClick={open} aria-label="Search">
        <IconSearch size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
      {opened && (
        <Suspense>
          <Results onClose={close} />
        </Suspense>
      )}
    </>
  );
}
