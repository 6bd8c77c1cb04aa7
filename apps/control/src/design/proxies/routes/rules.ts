import type { RevisionRoute } from '@millrace/revision/content';

/** As many routes as a revision holds. */
export const mostRoutes = 500;

type Matched = Pick<RevisionRoute, 'method' | 'pathPattern'>;

/** Where a route stands in the way of another, as a sentence for the operator. */
export interface RouteFault {
  readonly field: 'method' | 'pathPattern' | 'targetPath';
  readonly message: string;
}

/** `GET /{orderId}`. */
export function routeName({ method, pathPattern }: { readonly method: string; readonly pathPattern: string }): string {
  return `${method} ${pathPattern}`;
}

/**
 * Which of the routes answers what the candidate would answer, or null: the same path, whatever its parameters are called,
 * under the same method or under ANY.
 */
export function routeConflict(routes: readonly Matched[], candidate: Matched): RouteFault | null {
  const shape = pathShape(candidate.pathPattern);
  const rivals = routes.filter(({ pathPattern }) => pathShape(pathPattern) === shape);
  const same = rivals.find(({ method }) => method === candidate.method);
  if (same) return { field: 'pathPattern', message: `There is a route ${routeName(same)} already.` };
  const any = rivals.find(({ method }) => method === 'ANY');
  if (any) return { field: 'method', message: `The route ${routeName(any)} answers every method already.` };
  const covered = rivals[0];
  if (covered && candidate.method === 'ANY') {
    return { field: 'method', message: `ANY would answer what the route ${routeName(covered)} answers already.` };
  }
  return null;
}

/** What is wrong with where a route leads, or null: the target's path takes parameters of the route's own path alone. */
export function targetPathFault({
  pathPattern,
  targetPath,
}: Pick<RevisionRoute, 'pathPattern' | 'targetPath'>): RouteFault | null {
  if (targetPath === null) return null;
  const known = parameters(pathPattern);
  const unknown = parameters(targetPath).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    return { field: 'targetPath', message: `{${unknown}} is no parameter of ${pathPattern}.` };
  }
  const rest = targetPath.indexOf('*');
  if (rest < 0) return null;
  if (!pathPattern.endsWith('/*')) return { field: 'targetPath', message: `${pathPattern} has no "*" to pass on.` };
  if (rest < targetPath.length - 1 || !targetPath.endsWith('/*')) {
    return { field: 'targetPath', message: 'Put "*" as the last segment.' };
  }
  return null;
}

function pathShape(pathPattern: string): string {
  return pathPattern.replaceAll(/\{\w+\}/g, '{}');
}

function parameters(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
}
