import type { DocumentFilterQuery } from './dashboard-contract.ts';
import type { DocumentFilter } from './dashboard-store.ts';

/** A filter of the dashboard as stores take it. */
export function documentFilterOf(query: DocumentFilterQuery): DocumentFilter {
  const { q, supplier, from, to, ...rest } = query;
  return {
    ...rest,
    text: q?.toLowerCase(),
    supplier: supplier?.toLowerCase(),
    from: from === undefined ? undefined : new Date(from),
    until: to === undefined ? undefined : new Date(to),
  };
}
