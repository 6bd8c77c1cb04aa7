import type { ListSearch } from '@millrace/ui/list-search';
import { useSearchChange } from '@millrace/ui/search-change';
import { useParams, useSearch } from '@tanstack/react-router';

/** The proxy of the current address. */
export function useProxyId(): string {
  const { proxyId } = useParams({ strict: false }) as { readonly proxyId: string };
  return proxyId;
}

/**
 * What is open beside a screen, such as the route in the form, kept in the address so that links can open it.
 *
 * @param name of the search parameter
 */
export function useOpened(name: string): readonly [opened: string | null, open: (value: string | null) => void] {
  const search = useSearch({ strict: false }) as ListSearch;
  const change = useSearchChange();
  const opened = search[name];
  const open = (value: string | null) => change((current) => ({ ...current, [name]: value ?? undefined }));
  return [opened === undefined ? null : String(opened), open];
}
