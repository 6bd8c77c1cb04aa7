import { useNumbers } from '@millrace/ui/numbers';
import type { DataOf } from './api.ts';
import { texts } from './texts.ts';

/** A quota as words. */
export function QuotaText({ quota }: { readonly quota: DataOf<'getPortalSubscription'>['quota'] }) {
  const numbers = useNumbers();
  if (quota === null) return texts.quota.none;
  const { unit, count } = quota.window;
  return texts.quota.per(numbers.count(quota.limit), texts.quota.windows[unit], count);
}
