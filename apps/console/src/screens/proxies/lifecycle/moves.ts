import type { DataOf } from '../../../frame/api.ts';

/** A stage that a move can be requested to. */
export type Target = DataOf<'getProxyLifecycle'>['moves'][number]['toStage'];

/** What a move is called where somebody else approves it, where it takes effect at once, and as a noun. */
export const moveNames: Readonly<
  Record<Target, { readonly request: string; readonly act: string; readonly noun: string }>
> = {
  approved: { request: 'Request approval', act: 'Approve', noun: 'Approval' },
  published: { request: 'Request publication', act: 'Publish', noun: 'Publication' },
  deprecated: { request: 'Request deprecation', act: 'Deprecate', noun: 'Deprecation' },
  retired: { request: 'Request retirement', act: 'Retire', noun: 'Retirement' },
};

/** What a move does. */
export const moveMeanings: Readonly<Record<Target, string>> = {
  approved:
    'The working copy is kept as a revision. Once somebody else approves it, this revision may go to production. Editing the proxy before then withdraws the request.',
  published: 'Callers can find the API.',
  deprecated: 'Callers are asked to move to another API, and no new revision goes to production.',
  retired: 'The API is out of service for good.',
};
