import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { IconSearch } from './icons.ts';
import type { PlaceSection } from './shell.tsx';

/** A place that a search found. */
export interface Found {
  readonly id: string;
  readonly title: string;
  /** Such as its kind. */
  readonly note: string;
  /** Address of its screen. */
  readonly path: string;
}

/** Ctrl+K: the places of the navigation, and what the app's server finds for what is typed. */
export function CommandPalette(props: {
  readonly sections: readonly PlaceSection[];
  /** Asks the server; given an empty text until something is typed. */
  readonly useFound: (query: string) => { readonly found: readonly Found[]; readonly searching: boolean };
  readonly onClose: () => void;
}) {
  const [query, setQuery] = useState('');
  const [settled] = useDebouncedValue(query.trim(), 200);
  const navigate = useNavigate();
  const { found, searching } = props.useFound(settled);
  useEffect(() => spotlight.open(), []);

  const typed = query.trim().toLowerCase();
  const go = (href: string) => () => navigate({ href });
  const places: SpotlightActionGroupData = {
    group: 'Go to',
    actions: props.sections.flatMap(({ label: section, places: all }) =>
      all
        .filter(({ label }) => label.toLowerCase().includes(typed))
        .map(({ label, to, icon: PlaceIcon }) => ({
          id: to,
          label,
          description: section ?? undefined,
          leftSection: <PlaceIcon size={18} stroke={1.6} aria-hidden />,
          onClick: go(to),
        })),
    ),
  };
  const results: SpotlightActionGroupData = {
    group: 'Results',
    actions:
      settled === '' || typed === ''
        ? []
        : found.map(({ id, title, note, path }) => ({ id, label: title, description: note, onClick: go(path) })),
  };
  return (
    <Spotlight
      actions={[places, results].filter(({ actions }) => actions.length > 0)}
      // Places are filtered above, and results by the server's rules.
      filter={(_query, actions) => actions}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={props.onClose}
      shortcut={null}
      scrollable
      maxHeight={420}
      nothingFound={searching ? 'Searching…' : 'No results.'}
      searchProps={{
        placeholder: 'Go to, or search',
        'aria-label': 'Go to, or search',
        leftSection: <IconSearch size={18} stroke={1.6} aria-hidden />,
      }}
    />
  );
}
