import { useNumbers } from '@millrace/ui/numbers';
import { useRead } from './api.ts';

/** How many documents wait for review. */
export interface ReviewCount {
  readonly count: number;
  /** As every screen shows it: beyond 10,000 nobody counts. */
  readonly text: string;
}

const mostCounted = 10_000;

/** How many documents wait for review: one number for all places that show it. */
export function useReviewCount(): ReviewCount {
  const numbers = useNumbers();
  const count = useRead('getHome', {}, { refetchInterval: 60_000 }).data?.reviewCount ?? 0;
  return { count, text: count > mostCounted ? `${numbers.count(mostCounted)}+` : numbers.count(count) };
}
