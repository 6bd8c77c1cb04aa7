import type { DataOf } from '../../../frame/api.ts';

/** A stage that a move can be requested to. */
export type Target = DataOf<'getProxyLifecycle'>['moves'][number]['toStage'];

/** What a move is called where somebody else approves it, and where it is made at once. */
export const moveNames: Readonly<Record<Target, { readonly request: string; readonly act: string }>> = {
  approved: { request: 'Request approval', act: 'Approve' },
  published: { request: 'Request publication', act: 'Publish' },
  deprecated: { request: 'Request deprecation', act: 'Deprecate' },
  retired: { request: 'Request retirement', act: 'Retire' },
};

/** What a move means to callers. */
export const moveMeanings: Readonly<Record<Target, string>> = {
  approved:
    'The working copy is kept as a revision. Once somebody else approves it, this revision may go to production. An edit until then takes the request back.',
  published: 'Callers find the API.',
  deprecated: 'Callers are asked to leave; nothing new goes to production.',
  retired: 'It serves no more, and never again.',
};
