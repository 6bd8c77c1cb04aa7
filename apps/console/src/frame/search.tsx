import { CommandPalette } from '@millrace/ui/command-palette';
import { wordsOf } from '@millrace/ui/words';
import { useRead } from './api.ts';
import { usePlaces } from './navigation.ts';

/** Ctrl+K: searches the places of the console and everything that the user can read. */
export default function Search({ onClose }: { readonly onClose: () => void }) {
  return <CommandPalette sections={usePlaces()} useFound={useFound} onClose={onClose} />;
}

function useFound(query: string) {
  const read = useRead('search', { query: { search: query, pageSize: 10 } }, { enabled: query !== '' });
  const found = (read.data?.results ?? []).map(({ kind, id, title, subtitle, path }) => ({
    id,
    title,
    note: [wordsOf(kind), subtitle].filter((text) => text !== '').join(' · '),
    path,
  }));
  return { found, searching: read.isFetching };
}
