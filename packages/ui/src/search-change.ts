import { useNavigate } from '@tanstack/react-router';
import { type ListSearch, listSearch } from './list-search.ts';

/**
 * Changes what the address of a screen says, from what it is by then: the screen may not be rendered yet after the change
 * before.
 *
 * @param options.replace whether going back skips the address of before
 */
export function useSearchChange({ replace = false }: { readonly replace?: boolean } = {}) {
  const navigate = useNavigate();
  return (next: (current: ListSearch) => ListSearch): Promise<void> => {
    const search = (current: ListSearch) => listSearch(next(current));
    return navigate({ to: '.', search: search as never, replace });
  };
}
