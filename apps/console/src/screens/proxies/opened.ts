import { type ListSearch, listSearch } from '@millrace/ui/list-search';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';

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
  const navigate = useNavigate();
  const opened = search[name];
  const open = (value: string | null) => {
    const next = (current: ListSearch) => listSearch({ ...current, [name]: value ?? undefined });
    return navigate({ to: '.', search: next as never });
  };
  return [opened === undefined ? null : String(opened), open];
}
