import type { Tone } from '@millrace/ui/mark';
import type { DataOf } from '../../frame/api.ts';

/** What the state of a lifecycle request means. */
export const requestTones: Readonly<Record<DataOf<'getLifecycleRequest'>['state'], Tone>> = {
  pending: 'active',
  approved: 'good',
  rejected: 'bad',
  withdrawn: 'neutral',
  void: 'neutral',
};
