import type { DataOf } from '../../frame/api.ts';

export type Stage = DataOf<'getProxy'>['stage'];

/** The stages of a proxy's life in their order, by what they are called. */
export const stageNames: Readonly<Record<Stage, string>> = {
  draft: 'Draft',
  review: 'Review',
  approved: 'Approved',
  published: 'Published',
  deprecated: 'Deprecated',
  retired: 'Retired',
};
