import { CommandPalette, type Found } from '@millrace/ui/command-palette';
import { IconBook, IconSettings } from '@millrace/ui/icons';
import { useRead } from './api.ts';
import { useDocTypeName } from './document-words.ts';
import { usePlaces } from './navigation.ts';
import { settingsSections } from './settings-sections.ts';

/** Ctrl+K: the places of the dashboard, and the account's documents, keys and webhooks. */
export default function Search({ onClose }: { readonly onClose: () => void }) {
  const settings = settingsSections.map(({ section, label }) => ({
    label,
    to: section === undefined ? '/settings' : `/settings/${section}`,
    icon: IconSettings,
  }));
  // The service's own page, which this app's router does not have: a whole address leaves the app.
  const docs = { label: 'API reference', to: new URL('/api-docs', location.href).href, icon: IconBook };
  const places = usePlaces().filter(({ label }) => label !== 'Account');
  return (
    <CommandPalette
      sections={[...places, { label: 'Settings', places: settings }, { label: 'Documentation', places: [docs] }]}
      useFound={useFound}
      onClose={onClose}
    />
  );
}

function useFound(query: string) {
  const enabled = query !== '';
  const typeName = useDocTypeName();
  const documents = useRead('listDocuments', { query: { q: query, limit: 10 } }, { enabled });
  const keys = useRead('listKeys', {}, { enabled });
  const webhooks = useRead('listWebhooks', {}, { enabled });
  const matches = (text: string) => text.toLowerCase().includes(query.toLowerCase());
  const found: readonly Found[] = [
    ...(documents.data?.items ?? []).map(({ id, fileName, docType, reference }) => ({
      id,
      title: fileName,
      note: `${typeName(docType)} · ${reference}`,
      path: `/documents/${id}`,
    })),
    ...(keys.data?.items ?? [])
      .filter(({ name, prefix }) => matches(name) || matches(prefix))
      .map(({ id, name, prefix }) => ({ id, title: name, note: `API key · ${prefix}…`, path: '/developer/keys' })),
    ...(webhooks.data?.items ?? [])
      .filter(({ url }) => matches(url))
      .map(({ id, url }) => ({ id, title: url, note: 'Webhook', path: `/developer/webhooks/${id}` })),
  ];
  return { found, searching: documents.isFetching || keys.isFetching || webhooks.isFetching };
}
