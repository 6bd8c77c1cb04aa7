import type { DataOf } from '../../frame/api.ts';

type Serving = DataOf<'getProxyOverview'>['deployments'][number];

export const workingCopy = 'working-copy';

/**
 * What can be compared, in groups for a select: the working copy, what serves in an environment, the revisions. A side's
 * value is `working-copy`, `3`, or `production@3`.
 */
export function sidesOf(revisions: readonly number[], serving: readonly Serving[]) {
  return [
    { group: 'Now', items: [{ value: workingCopy, label: 'Working copy' }] },
    {
      group: 'Serving',
      items: serving.map(({ environmentName, revision }) => ({
        value: `${environmentName}@${revision}`,
        label: `${environmentName} (revision ${revision})`,
      })),
    },
    {
      group: 'Revisions',
      items: revisions.map((revision) => ({ value: String(revision), label: `Revision ${revision}` })),
    },
  ].filter(({ items }) => items.length > 0);
}

/** The number of the revision that a side stands for; null: the working copy. */
function revisionOf(side: string): number | null {
  return side === workingCopy ? null : Number(side.split('@').at(-1));
}

/** How the API is asked for the difference of two sides, the older one before; null where both hold the same. */
export function comparison(one: string, other: string): { readonly revision: number; readonly against: string } | null {
  const [first, second] = [revisionOf(one), revisionOf(other)];
  if (first === second) return null;
  if (first === null || second === null) return { revision: (first ?? second)!, against: workingCopy };
  return { revision: Math.max(first, second), against: String(Math.min(first, second)) };
}
