import type { Labels } from './rule.ts';

/**
 * The identity of an alert: the same for the same rule and the same ids among its labels, whatever their names become.
 * 64 bits of FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/) as 16 hexadecimal digits, as Prometheus makes those of
 * its label sets.
 */
export function fingerprintOf(ruleId: string, labels: Labels): string {
  const ids = Object.keys(labels)
    .filter((name) => name.endsWith('Id'))
    .sort();
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(
    [ruleId, ...ids.flatMap((name) => [name, labels[name]])].join('\u0000'),
  )) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

/** An alert's group: one incident is of one rule in one environment, whichever alerts join it. */
export interface Group<Member> {
  readonly environmentId: string | null;
  readonly members: readonly Member[];
}

/** A rule's alerts, grouped. */
export function groupByEnvironment<Member extends { readonly labels: Labels }>(
  alerts: readonly Member[],
): readonly Group<Member>[] {
  const groups = new Map<string | null, Member[]>();
  for (const alert of alerts) {
    const environmentId = alert.labels.environmentId ?? null;
    const members = groups.get(environmentId);
    if (members === undefined) groups.set(environmentId, [alert]);
    else members.push(alert);
  }
  return [...groups].map(([environmentId, members]) => ({ environmentId, members }));
}
