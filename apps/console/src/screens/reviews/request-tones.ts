import type { DataOf } from '../../frame/api.ts';
import type { Tone } from '../../frame/mark.tsx';

/** What the state of a lifecycle request means. */
export const requestTones: Readonly<Record<DataOf<'getLifecycleRequest'>['state'], Tone>> = {
  pending: 'active',
  approved: 'good',
  rejected: 'bad',
  withdrawn: 'neutral',
  void: 'neutral',
};
