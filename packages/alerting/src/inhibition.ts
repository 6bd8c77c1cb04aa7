import { compileMatchers, type LabelTest } from './matching.ts';
import type { Labels } from './rule.ts';
import type { Matcher } from './silence.ts';

/** While an alert that matches `source` fires, those that match `target` and equal it in some labels notify nobody. */
export interface InhibitRule {
  readonly source: readonly Matcher[];
  readonly target: readonly Matcher[];
  readonly equal: readonly string[];
}

interface Inhibitable {
  readonly fingerprint: string;
  readonly labels: Labels;
}

const is = (label: string, value: string): Matcher => ({ label, operator: '=', value });
const nodeOffline = [is('metric', 'node_offline')];

/**
 * What is inhibited: where a node is offline, absent traffic and missing figures of its environment, and what else is
 * wrong with the node, are consequences.
 */
export const inhibitRules: readonly InhibitRule[] = [
  { source: nodeOffline, target: [is('metric', 'traffic_absent')], equal: ['environmentId'] },
  { source: nodeOffline, target: [is('noData', 'true')], equal: ['environmentId'] },
  {
    source: nodeOffline,
    target: [{ label: 'metric', operator: '=~', value: 'node_degraded|configuration_behind' }],
    equal: ['gatewayNodeId'],
  },
];

/**
 * By fingerprint of each inhibited alert, the fingerprint of the first firing alert that inhibits it; as Alertmanager
 * does it (https://github.com/prometheus/alertmanager/blob/v0.25.0/inhibit/inhibit.go): labels that both lack are
 * equal, and an alert that matches both sides of a rule isn't inhibited by another that does.
 *
 * @param alerts those that fire
 */
export function inhibited(
  alerts: readonly Inhibitable[],
  rules: readonly InhibitRule[] = inhibitRules,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { source, target, equal } of rules) {
    const isSource = compileMatchers(source);
    const isTarget = compileMatchers(target);
    const sources = sourcesByKey(alerts, isSource, isTarget, equal);
    for (const { fingerprint, labels } of alerts) {
      if (found.has(fingerprint) || !isTarget(labels)) continue;
      const of = sources.get(keyOf(labels, equal));
      const by = isSource(labels) ? of?.onlySource : of?.any;
      if (by !== undefined) found.set(fingerprint, by);
    }
  }
  return found;
}

function sourcesByKey(
  alerts: readonly Inhibitable[],
  isSource: LabelTest,
  isTarget: LabelTest,
  equal: readonly string[],
) {
  const sources = new Map<string, { readonly any: string; readonly onlySource: string | undefined }>();
  for (const { fingerprint, labels } of alerts) {
    if (!isSource(labels)) continue;
    const key = keyOf(labels, equal);
    const before = sources.get(key);
    const onlySource = before?.onlySource ?? (isTarget(labels) ? undefined : fingerprint);
    sources.set(key, { any: before?.any ?? fingerprint, onlySource });
  }
  return sources;
}

function keyOf(labels: Labels, equal: readonly string[]): string {
  return equal.map((name) => labels[name] ?? '').join('\u0000');
}
