import type { Caller } from './caller.ts';
import { ApiError, permissionRequired } from './errors.ts';

/**
 * Where a write can change what production callers get. The frame checks what the write changed: if that is
 * production, the caller needs `deployment.prod`, the audit row has severity `high`, and the change waits for somebody
 * else's approval if the organization requires it. `waits` says whether it may have to, and if not, why not.
 */
const productionReaches = {
  /** The environment itself: its name, its host names, whether it is production. */
  environment: { waits: true },
  /** Something that belongs to one environment, by its `environmentId`: variables, target servers. */
  environment_part: { waits: true },
  /** A product that subscribers can use, with a proxy that serves in production. */
  product: { waits: true },
  /** The organization's rule that such changes wait. */
  settings: { waits: true },
  /** A declarative document, by the operations that it carries out. */
  document: { waits: true },
  deployment: {
    waits: false,
    reason: 'Production only serves revisions that another person approved, and a rollback can’t wait.',
  },
  gateway_node: {
    waits: false,
    reason: 'A node only serves signed configuration, its registration token is shown once, and an outage can’t wait.',
  },
} as const satisfies Readonly<
  Record<string, { readonly waits: true } | { readonly waits: false; readonly reason: string }>
>;

/** Why a write that can change what production callers get needs no production permission. The list only shrinks. */
const productionExemptions = {
  one_consumer: 'It only affects the callers of one developer, app, credential or subscription.',
  /** Screens ask before such an edit if it voids an approval or cuts a revision. */
  working_copy: 'It edits a proxy’s working copy, which only a deployment brings to production.',
  design: 'It is about APIs being designed, which only a deployment brings to production.',
  access: 'It changes permissions, and nobody can grant one that they don’t have.',
  platform: 'It is limited to Super Admins, who are responsible for the whole installation.',
  decision: 'It needs the production permission itself, and carries out what was checked when it was requested.',
  registered_node: 'The node’s registration token was issued by someone with the production permission.',
} as const satisfies Readonly<Record<string, string>>;

export type ProductionReach = keyof typeof productionReaches;

/** Whether and where a write can change what production callers get; `never` if it can't. */
export type ProductionStatement = 'never' | ProductionReach | { readonly exempt: keyof typeof productionExemptions };

/** Where a write affects production; null if it can't, or is exempt. */
export function reachOf(statement: ProductionStatement | null): ProductionReach | null {
  return statement === null || statement === 'never' || typeof statement === 'object' ? null : statement;
}

/** Whether a write may be held for another person's approval and answered with 202. */
export function mayWait(statement: ProductionStatement | null): boolean {
  const reach = reachOf(statement);
  return reach !== null && productionReaches[reach].waits;
}

/** Rejects a change to production by a caller without the permission. */
export function requireProductionRight(caller: Pick<Caller, 'permissions'> | null): void {
  if (caller?.permissions.has('deployment.prod')) return;
  throw new ApiError('forbidden', {
    message: permissionRequired(['deployment.prod'], 'it changes what production callers get'),
  });
}
