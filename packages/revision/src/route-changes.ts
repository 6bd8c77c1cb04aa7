import type { RevisionRoute } from './content.ts';
import type { Change } from './diff.ts';
import { fieldChanges } from './field-changes.ts';
import { type Pairs, pairUp } from './pairs.ts';

/** `GET /{id}`. */
export function routeKey({ method, pathPattern }: Pick<RevisionRoute, 'method' | 'pathPattern'>): string {
  return `${method} ${pathPattern}`;
}

/** Routes matched by identifier, then by method and path. */
export function pairRoutes(before: readonly RevisionRoute[], after: readonly RevisionRoute[]): Pairs<RevisionRoute> {
  return pairUp(before, after, [({ id }) => id, routeKey]);
}

/** The differences between two lists of routes: the routes themselves, and their targets. */
export function compareRoutes(before: readonly RevisionRoute[], after: readonly RevisionRoute[]): readonly Change[] {
  const { matched, removed, added } = pairRoutes(before, after);
  return [
    ...removed.map((route): Change => {
      const heir = after.find((other) => answersAll(other, route));
      return {
        area: 'route',
        kind: 'removed',
        key: routeKey(route),
        fields: fieldChanges(whole(route), {}),
        breaking: heir === undefined,
        reason: heir ? `${routeKey(heir)} handles its calls.` : 'Its callers now get 404 or 405.',
      };
    }),
    ...added.map(addedRoute),
    ...matched.flatMap(([old, current]) => [...routeChanges(old, current, after), ...targetChanges(old, current)]),
  ];
}

/** A new route, shown completely. */
export function addedRoute(route: RevisionRoute): Change {
  return {
    area: 'route',
    kind: 'added',
    key: routeKey(route),
    fields: fieldChanges({}, whole(route)),
    breaking: false,
    reason: 'It has no callers yet.',
  };
}

function whole(route: RevisionRoute) {
  return { ...towardsCallers(route), ...towardsTarget(route) };
}

function routeChanges(
  before: RevisionRoute,
  after: RevisionRoute,
  routes: readonly RevisionRoute[],
): readonly Change[] {
  const fields = fieldChanges(towardsCallers(before), towardsCallers(after));
  if (fields.length === 0) return [];
  const breaking = !routes.some((route) => answersAll(route, before));
  return [
    {
      area: 'route',
      kind: 'changed',
      key: routeKey(after),
      fields,
      breaking,
      reason: routeReason(before, after, breaking),
    },
  ];
}

function routeReason(before: RevisionRoute, after: RevisionRoute, breaking: boolean): string {
  if (breaking) return `${routeKey(before)} is no longer handled.`;
  if (routeKey(before) !== routeKey(after)) {
    return 'The same calls still work.';
  }
  if (before.timeoutMs !== after.timeoutMs) {
    const shorter = after.timeoutMs !== null && (before.timeoutMs === null || after.timeoutMs < before.timeoutMs);
    return shorter
      ? 'The same calls work, but slow responses may now end in 504.'
      : 'The same calls work, and slower responses are accepted.';
  }
  return 'Only texts changed.';
}

function targetChanges(before: RevisionRoute, after: RevisionRoute): readonly Change[] {
  const fields = fieldChanges(towardsTarget(before), towardsTarget(after));
  if (fields.length === 0) return [];
  const reason = 'Callers send the same requests, but responses come from another target.';
  return [{ area: 'target', kind: 'changed', key: routeKey(after), fields, breaking: false, reason }];
}

function towardsCallers({ method, pathPattern, timeoutMs, summary, description }: RevisionRoute) {
  return { method, pathPattern, timeoutMs, summary, description };
}

function towardsTarget({ targetServer, targetPath }: RevisionRoute) {
  return { targetServer, targetPath };
}

/** Whether one route answers every call that the other does: parameters by any name, `*` for any rest, ANY for any method. */
function answersAll(route: RevisionRoute, other: RevisionRoute): boolean {
  if (route.method !== 'ANY' && route.method !== other.method) return false;
  const [own, others] = [segments(route.pathPattern), segments(other.pathPattern)];
  const rest = own.at(-1) === '*';
  const length = rest ? own.length - 1 : own.length;
  if (rest ? others.length < length : others.length !== length) return false;
  return own
    .slice(0, length)
    .every((segment, index) => segment === others[index] || (segment === '{}' && others[index] !== '*'));
}

function segments(pathPattern: string): readonly string[] {
  return pathPattern
    .split('/')
    .slice(1)
    .map((segment) => (segment.startsWith('{') ? '{}' : segment));
}
