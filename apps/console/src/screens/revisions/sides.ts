import type { DataOf } from '../../frame/api.ts';

type LiveDeployment = DataOf<'getProxyOverview'>['deployments'][number];

export const workingCopy = 'working-copy';

/**
 * What can be compared, in groups for a select: the working copy, live deployments and revisions. A side's value is
 * `working-copy`, `3`, or `production@3`.
 */
export function sidesOf(revisions: readonly number[], live: readonly LiveDeployment[]) {
  return [
    { group: 'Now', items: [{ value: workingCopy, label: 'Working copy' }] },
    {
      group: 'Live',
      items: live.map(({ environmentName, revision }) => ({
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

/** The revision number of a side; null: the working copy. */
function revisionOf(side: string): number | null {
  return side === workingCopy ? null : Number(side.split('@').at(-1));
}

/** The request for the difference between two sides, the older one first; null if both are the same. */
export function comparison(one: string, other: string): { readonly revision: number; readonly against: string } | null {
  const [first, second] = [revisionOf(one), revisionOf(other)];
  if (first === second) return null;
  if (first === null || second === null) return { revision: (first ?? second)!, against: workingCopy };
  return { revision: Math.max(first, second), against: String(Math.min(first, second)) };
}
