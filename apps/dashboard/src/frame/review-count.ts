import { useNumbers } from '@millrace/ui/numbers';
import { useRead } from './api.ts';

/** How many documents are waiting for review. */
export interface ReviewCount {
  readonly count: number;
  /** As every screen shows it: counted up to 10,000. */
  readonly text: string;
}

const mostCounted = 10_000;

/** How many documents are waiting for review: the same number wherever it is shown. */
export function useReviewCount(): ReviewCount {
  const numbers = useNumbers();
  const count = useRead('getHome', {}, { refetchInterval: 60_000 }).data?.reviewCount ?? 0;
  return { count, text: count > mostCounted ? `${numbers.count(mostCounted)}+` : numbers.count(count) };
}
