import { CommandPalette } from '@millrace/ui/command-palette';
import { wordsOf } from '@millrace/ui/words';
import { useRead } from './api.ts';
import { usePlaces } from './navigation.ts';

/** Ctrl+K: the places of the dashboard, and the account's documents. */
export default function Search({ onClose }: { readonly onClose: () => void }) {
  return <CommandPalette sections={usePlaces()} useFound={useFound} onClose={onClose} />;
}

function useFound(query: string) {
  const read = useRead('listDocuments', { query: { q: query, limit: 10 } }, { enabled: query !== '' });
  const found = (read.data?.items ?? []).map(({ id, fileName, docType, reference }) => ({
    id,
    title: fileName,
    note: `${wordsOf(docType)} · ${reference}`,
    path: `/documents/${id}`,
  }));
  return { found, searching: read.isFetching };
}
