import { findPolicyKind, parseConfiguration } from '@millrace/policies';
import type { PolicyImpact } from '@millrace/policies/kind';
import type { RevisionContent, RevisionPolicy } from './content.ts';
import type { Change } from './diff.ts';
import { fieldChanges } from './field-changes.ts';
import { pairUp } from './pairs.ts';
import { pairRoutes, routeKey } from './route-changes.ts';

/** `request/quota: Daily quota`. */
function policyKey({ flow, kind, name }: RevisionPolicy): string {
  return `${flow}/${kind}: ${name}`;
}

/** What differs between the policies of two contents: which there are, where they apply, what they say, their order. */
export function comparePolicies(before: RevisionContent, after: RevisionContent): readonly Change[] {
  const pairs = pairUp(before.policies, after.policies, [({ id }) => id, policyKey]);
  const routes = routeNames(before, after);
  return [
    ...pairs.removed.map(
      (policy): Change => ({
        area: 'policy',
        kind: 'removed',
        key: policyKey(policy),
        fields: fieldChanges(comparable(described(policy, routes)), {}),
        ...impactOf(policy, 'removed'),
      }),
    ),
    ...pairs.added.map((policy) => addedPolicy(policy, routes)),
    ...pairs.matched.flatMap(([old, current]) => policyChanges(described(old, routes), described(current, routes))),
    ...orderChanges(before, pairs.matched),
  ];
}

/** Every policy of a content that has no earlier one, with its settings. */
export function addedPolicies(content: RevisionContent): readonly Change[] {
  const routes = new Map(content.routes.map((route) => [route.id, routeKey(route)]));
  // Nobody called before: nothing can break.
  return content.policies.map((policy) => ({ ...addedPolicy(policy, routes), breaking: false }));
}

function addedPolicy(policy: RevisionPolicy, routes: ReadonlyMap<string, string>): Change {
  return {
    area: 'policy',
    kind: 'added',
    key: policyKey(policy),
    fields: fieldChanges({}, comparable(described(policy, routes))),
    ...impactOf(policy, 'added'),
  };
}

/** A policy with its routes by what they are, and with the defaults of its configuration filled in. */
interface DescribedPolicy extends Omit<RevisionPolicy, 'routeIds' | 'configuration'> {
  readonly routes: readonly string[] | null;
  readonly configuration: Readonly<Record<string, unknown>>;
  /** Whether the configuration is one of its kind: only then its meaning can be compared. */
  readonly valid: boolean;
}

function described(policy: RevisionPolicy, routes: ReadonlyMap<string, string>): DescribedPolicy {
  const { routeIds, configuration, ...rest } = policy;
  const parsed = parseConfiguration(policy.kind, configuration);
  return {
    ...rest,
    routes: routeIds?.map((id) => routes.get(id) ?? id).sort() ?? null,
    configuration: parsed.ok ? parsed.value : configuration,
    valid: parsed.ok,
  };
}

/** What to call the routes of both contents by: a route that changed goes by what it is now. */
function routeNames(before: RevisionContent, after: RevisionContent): ReadonlyMap<string, string> {
  const { matched, removed, added } = pairRoutes(before.routes, after.routes);
  return new Map([
    ...[...removed, ...added].map((route) => [route.id, routeKey(route)] as const),
    ...matched.flatMap(([old, current]) => [old, current].map(({ id }) => [id, routeKey(current)] as const)),
  ]);
}

function policyChanges(before: DescribedPolicy, after: DescribedPolicy): readonly Change[] {
  const fields = fieldChanges(comparable(before), comparable(after));
  if (fields.length === 0) return [];
  const key = `${after.flow}/${after.kind}: ${after.name}`;
  return [{ area: 'policy', kind: 'changed', key, fields, ...impactOfChange(before, after) }];
}

function comparable({ flow, kind, name, enabled, routes, configuration }: DescribedPolicy) {
  return { flow, kind, name, enabled, routes, configuration };
}

const noImpact: PolicyImpact = { breaking: false, reason: 'It is disabled.' };

function impactOf(policy: Pick<RevisionPolicy, 'kind' | 'enabled'>, change: 'added' | 'removed'): PolicyImpact {
  if (!policy.enabled) return noImpact;
  return findPolicyKind(policy.kind)?.impact[change] ?? unknownImpact;
}

const unknownImpact: PolicyImpact = { breaking: true, reason: 'Its effect on callers is unknown.' };

/**
 * The worst effect of a change: on routes that it newly applies to, on those it no longer applies to, and on the
 * others.
 */
function impactOfChange(before: DescribedPolicy, after: DescribedPolicy): PolicyImpact {
  if (!before.enabled && !after.enabled) return noImpact;
  if (!before.enabled) return impactOf(after, 'added');
  if (!after.enabled) return impactOf(before, 'removed');
  if (before.kind !== after.kind || before.flow !== after.flow) return unknownImpact;

  const impacts: PolicyImpact[] = [];
  if (reachesFurther(before.routes, after.routes)) impacts.push(impactOf(after, 'added'));
  if (reachesFurther(after.routes, before.routes)) impacts.push(impactOf(before, 'removed'));
  if (fieldChanges(before.configuration, after.configuration).length > 0)
    impacts.push(impactOfConfiguration(before, after));
  return (
    impacts.find(({ breaking }) => breaking) ?? impacts[0] ?? { breaking: false, reason: 'Only its name changed.' }
  );
}

function impactOfConfiguration(before: DescribedPolicy, after: DescribedPolicy): PolicyImpact {
  const kind = findPolicyKind(after.kind);
  if (!kind || !before.valid || !after.valid) return unknownImpact;
  const reason = kind.impact.changed(before.configuration, after.configuration);
  return reason
    ? { breaking: true, reason }
    : { breaking: false, reason: 'Everything admitted before is still admitted.' };
}

function reachesFurther(from: readonly string[] | null, to: readonly string[] | null): boolean {
  if (from === null) return false;
  return to === null || to.some((route) => !from.includes(route));
}

function orderChanges(before: RevisionContent, matched: readonly (readonly [RevisionPolicy, RevisionPolicy])[]) {
  return (['request', 'response'] as const).flatMap((flow): readonly Change[] => {
    const stayed = matched.filter(([old, current]) => old.flow === flow && current.flow === flow);
    const was = stayed.toSorted(([a], [b]) => before.policies.indexOf(a) - before.policies.indexOf(b));
    const names = (pairs: typeof stayed) => pairs.map(([, { name }]) => name);
    if (was.every((pair, index) => pair === stayed[index])) return [];
    return [
      {
        area: 'policy',
        kind: 'changed',
        key: `${flow} flow`,
        fields: [{ path: 'order', before: names(was), after: names(stayed) }],
        breaking: false,
        reason: 'The same policies apply in another order.',
      },
    ];
  });
}
