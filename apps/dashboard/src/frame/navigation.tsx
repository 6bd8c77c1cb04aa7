import { Badge, NavLink, Stack, Text, VisuallyHidden } from '@mantine/core';
import { Link, type LinkProps, useLocation } from '@tanstack/react-router';

interface Place {
  readonly label: string;
  readonly to: LinkProps['to'];
}

const work: readonly Place[] = [
  { label: 'Home', to: '/' },
  { label: 'Documents', to: '/documents' },
  { label: 'Review', to: '/review' },
];

const developer: readonly Place[] = [
  { label: 'API keys', to: '/developer/keys' },
  { label: 'Webhooks', to: '/developer/webhooks' },
  { label: 'Logs', to: '/developer/logs' },
];

const settings: Place = { label: 'Settings', to: '/settings/{-$section}' };

/** The places of the dashboard, at the side of every screen. */
export function Navigation(props: { readonly reviewCount: number; readonly onChoose: () => void }) {
  const item = (place: Place) => (
    <NavigationItem
      key={place.to}
      place={place}
      waiting={place.to === '/review' ? props.reviewCount : 0}
      onChoose={props.onChoose}
    />
  );
  return (
    <Stack gap={2} component="ul" className="navigation">
      {work.map(item)}
      <li>
        <Text className="navigation-group" size="sm" fw={600} px="sm" pb={4} id="navigation-developer">
          Developer
        </Text>
        <ul className="navigation" aria-labelledby="navigation-developer">
          {developer.map(item)}
        </ul>
      </li>
      <li aria-hidden className="navigation-gap" />
      {item(settings)}
    </Stack>
  );
}

function NavigationItem(props: {
  readonly place: Place;
  /** How many documents wait there. */
  readonly waiting: number;
  readonly onChoose: () => void;
}) {
  const { place, waiting, onChoose } = props;
  const { pathname } = useLocation();
  const at = (place.to ?? '/').replace('/{-$section}', '');
  const current = pathname === at || (at !== '/' && pathname.startsWith(`${at}/`));
  return (
    <li>
      <NavLink
        label={place.label}
        active={current}
        aria-current={current ? 'page' : undefined}
        onClick={onChoose}
        rightSection={
          waiting > 0 && (
            <Badge color="water.8" variant="filled" circle={waiting < 10}>
              {waiting}
              <VisuallyHidden> waiting</VisuallyHidden>
            </Badge>
          )
        }
        renderRoot={(root) => <Link {...root} to={place.to} params={{ section: undefined }} />}
      />
    </li>
  );
}
