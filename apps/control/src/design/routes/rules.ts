import type { RevisionRoute } from '@millrace/revision/content';

/** Maximum routes per revision. */
export const mostRoutes = 500;

type Matched = Pick<RevisionRoute, 'method' | 'pathPattern'>;

/** How a route conflicts with another, as a sentence for the user. */
export interface RouteFault {
  readonly field: 'method' | 'pathPattern' | 'targetPath';
  readonly message: string;
}

/** `GET /{orderId}`. */
export function routeName({ method, pathPattern }: { readonly method: string; readonly pathPattern: string }): string {
  return `${method} ${pathPattern}`;
}

/**
 * The existing route that handles the same calls as the candidate, or null: the same path, whatever its parameters are
 * called, with the same method or ANY.
 */
export function routeConflict(routes: readonly Matched[], candidate: Matched): RouteFault | null {
  const shape = pathShape(candidate.pathPattern);
  const rivals = routes.filter(({ pathPattern }) => pathShape(pathPattern) === shape);
  const same = rivals.find(({ method }) => method === candidate.method);
  if (same) return { field: 'pathPattern', message: `The route ${routeName(same)} already exists.` };
  const any = rivals.find(({ method }) => method === 'ANY');
  if (any) return { field: 'method', message: `The route ${routeName(any)} already covers every method.` };
  const covered = rivals[0];
  if (covered && candidate.method === 'ANY') {
    return { field: 'method', message: `ANY would overlap with the route ${routeName(covered)}.` };
  }
  return null;
}

/** What is wrong with a route's target path, or null: it may only use parameters of the route's own path. */
export function targetPathFault({
  pathPattern,
  targetPath,
}: Pick<RevisionRoute, 'pathPattern' | 'targetPath'>): RouteFault | null {
  if (targetPath === null) return null;
  const known = parameters(pathPattern);
  const unknown = parameters(targetPath).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    return { field: 'targetPath', message: `{${unknown}} is not a parameter of ${pathPattern}.` };
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
