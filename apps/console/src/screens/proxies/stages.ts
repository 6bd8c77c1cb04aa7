import type { DataOf } from '../../frame/api.ts';

export type Stage = DataOf<'getProxy'>['stage'];

/** The stages of a proxy's lifecycle, in order. */
export const stages: readonly Stage[] = ['draft', 'review', 'approved', 'published', 'deprecated', 'retired'];
