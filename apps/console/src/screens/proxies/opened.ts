import { type ListSearch, listSearch } from '@millrace/ui/list-search';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';

/** The proxy that the address names. */
export function useProxyId(): string {
  const { proxyId } = useParams({ strict: false }) as { readonly proxyId: string };
  return proxyId;
}

/**
 * What is open beside a screen, such as the route that is edited, kept in the address so that a link can lead to it.
 *
 * @param name of the part of the address
 */
export function useOpened(name: string): readonly [opened: string | null, open: (value: string | null) => void] {
  const search = useSearch({ strict: false }) as ListSearch;
  const navigate = useNavigate();
  const opened = search[name];
  const open = (value: string | null) =>
    navigate({ to: '.', search: listSearch({ ...search, [name]: value ?? undefined }) as never });
  return [opened === undefined ? null : String(opened), open];
}

/** The part of the address that is the list's own: without what is open beside it. */
export function listPart(search: ListSearch, ...opened: readonly string[]): ListSearch {
  return Object.fromEntries(Object.entries(search).filter(([name]) => !opened.includes(name)));
}
