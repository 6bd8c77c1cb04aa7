import type { DataOf } from '../../../frame/api.ts';

/** A stage that a move can be requested to. */
export type Target = DataOf<'getProxyLifecycle'>['moves'][number]['toStage'];

/** What a move is called where somebody else approves it, where it is made at once, and as what is asked for. */
export const moveNames: Readonly<
  Record<Target, { readonly request: string; readonly act: string; readonly noun: string }>
> = {
  approved: { request: 'Request approval', act: 'Approve', noun: 'The approval' },
  published: { request: 'Request publication', act: 'Publish', noun: 'The publication' },
  deprecated: { request: 'Request deprecation', act: 'Deprecate', noun: 'The deprecation' },
  retired: { request: 'Request retirement', act: 'Retire', noun: 'The retirement' },
};

/** What a move means to callers. */
export const moveMeanings: Readonly<Record<Target, string>> = {
  approved:
    'The working copy is kept as a revision. Once somebody else approves it, this revision may go to production. An edit until then takes the request back.',
  published: 'Callers find the API.',
  deprecated: 'Callers are asked to leave; nothing new goes to production.',
  retired: 'It serves no more, and never again.',
};
