import { Badge, Box, NavLink, Stack, Text, VisuallyHidden } from '@mantine/core';
import { TimeZoneNote } from '@millrace/ui/values';
import { Link, type LinkProps, useLocation } from '@tanstack/react-router';

import type { ReviewCount } from './review-count.ts';

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
export function Navigation(props: { readonly waiting: ReviewCount; readonly onChoose: () => void }) {
  const item = (place: Place) => (
    <NavigationItem
      key={place.to}
      place={place}
      waiting={place.to === '/review' ? props.waiting : null}
      onChoose={props.onChoose}
    />
  );
  return (
    <>
      <Stack gap={2} component="ul" className="navigation">
        {work.map(item)}
        <li>
          <Text className="navigation-group" size="sm" fw={600} px="sm" pb={4} id="navigation-developer">
            Developer
          </Text>
          <ul className="navigation" aria-labelledby="navigation-developer">
            {developer.map(item)}
            <li>
              <NavLink component="a" href="/api-docs" label="API reference" onClick={props.onChoose} />
            </li>
          </ul>
        </li>
        <li aria-hidden className="navigation-gap" />
        {item(settings)}
      </Stack>
      <Box px="sm" mt="md">
        <TimeZoneNote />
      </Box>
    </>
  );
}

function NavigationItem(props: {
  readonly place: Place;
  /** How many documents wait there; null where none can. */
  readonly waiting: ReviewCount | null;
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
          waiting !== null &&
          waiting.count > 0 && (
            <Badge color="water.8" variant="filled" circle={waiting.count < 10}>
              {waiting.text}
              <VisuallyHidden> waiting</VisuallyHidden>
            </Badge>
          )
        }
        renderRoot={(root) => <Link {...root} to={place.to} params={{ section: undefined }} />}
      />
    </li>
  );
}
