import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { wordsOf } from '@millrace/ui/words';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from './api.ts';
import { type NavigationNode, placesOf } from './navigation.tsx';

/** Ctrl+K: the places of the navigation, and what the server finds of what is typed. */
export function CommandPalette({ nodes }: { readonly nodes: readonly NavigationNode[] }) {
  const [query, setQuery] = useState('');
  const [settled] = useDebouncedValue(query.trim(), 200);
  const navigate = useNavigate();
  const found = useRead('search', { query: { search: settled, pageSize: 10 } }, { enabled: settled !== '' });
  const go = (to: string) => () => navigate({ href: to });

  const typed = query.trim().toLowerCase();
  const places: SpotlightActionGroupData = {
    group: 'Go to',
    actions: placesOf(nodes)
      .filter(({ label }) => label.toLowerCase().includes(typed))
      .map(({ label, group, path }) => ({ id: path, label, description: group ?? undefined, onClick: go(path) })),
  };
  const results: SpotlightActionGroupData = {
    group: 'Found',
    actions:
      settled === '' || typed === ''
        ? []
        : (found.data?.results ?? []).map(({ kind, id, title, subtitle, path }) => ({
            id,
            label: title,
            description: [wordsOf(kind), subtitle].filter((text) => text !== '').join(' · '),
            onClick: go(path),
          })),
  };
  return (
    <Spotlight
      actions={[places, results].filter(({ actions }) => actions.length > 0)}
      // Places are filtered above, and what was found matches by the server's rules.
      filter={(_query, actions) => actions}
      query={query}
      onQueryChange={setQuery}
      shortcut={['mod + K']}
      nothingFound={found.isFetching ? 'Searching…' : 'Nothing is called so.'}
      searchProps={{ placeholder: 'Go to, or search', 'aria-label': 'Go to, or search' }}
    />
  );
}
