import { type PolicyFlow, policyKinds } from '@millrace/policies';
import type { Listing } from '../../frame/listing.ts';
import { describeKind } from './rules.ts';

const described = policyKinds.map(describeKind);

/** One page of the kinds, which the product has and no database: filtered and sorted as every list. */
export function listKinds(filters: Listing & { readonly flow?: PolicyFlow | undefined }) {
  const search = filters.search?.toLowerCase() ?? '';
  const matching = described.filter(
    ({ kind, title, description, flows }) =>
      [kind, title, description].some((text) => text.toLowerCase().includes(search)) &&
      (filters.flow === undefined || flows.includes(filters.flow)),
  );
  const descending = filters.sort.startsWith('-');
  const by = descending ? filters.sort.slice(1) : filters.sort;
  const sorted =
    by === 'rank'
      ? matching
      : matching.toSorted((first, second) =>
          by === 'title' ? first.title.localeCompare(second.title) : first.kind.localeCompare(second.kind),
        );
  const ordered = descending ? sorted.toReversed() : sorted;
  const start = (filters.page - 1) * filters.pageSize;
  return { policyKinds: ordered.slice(start, start + filters.pageSize), total: matching.length };
}
