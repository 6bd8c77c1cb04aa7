import type { Caller } from './caller.ts';
import { ApiError } from './errors.ts';

/**
 * Where a write can change what production callers get. The frame looks at what the write changed: where that is
 * production, the caller needs `deployment.prod`, the audit row has severity `high`, and the change waits for somebody
 * else's approval if the organization asks for one. `waits` says whether it may have to; where not, why not.
 */
const productionReaches = {
  /** The environment itself: its name, its host names, whether it is production. */
  environment: { waits: true },
  /** What belongs to one environment, by its `environmentId`: variables, target servers. */
  environment_part: { waits: true },
  /** A product that subscribers can use, with a proxy that serves in production. */
  product: { waits: true },
  /** The organization's rule that such changes wait. */
  settings: { waits: true },
  /** A declarative document, by the operations that it carries out. */
  document: { waits: true },
  deployment: {
    waits: false,
    reason: 'Production serves approved revisions only, each approved by somebody else, and a rollback can’t wait.',
  },
  gateway_node: {
    waits: false,
    reason: 'A node serves signed configuration only, its registration token is shown once, and an outage can’t wait.',
  },
} as const satisfies Readonly<
  Record<string, { readonly waits: true } | { readonly waits: false; readonly reason: string }>
>;

/** Why a write that can change what production callers get needs no production right. The list only shrinks. */
const productionExemptions = {
  one_consumer: 'It affects the callers of one developer, app, credential or subscription only.',
  working_copy: 'It changes what is being built, which reaches production by a deployment only.',
  access: 'It decides who may do what, and nobody can grant a right that they don’t have.',
  platform: 'It is kept for Super Admins, who answer for the whole installation.',
  decision: 'It needs the production right itself, and carries out what was checked when it was requested.',
  registered_node: 'The registration token that admits the node was issued by somebody with the production right.',
} as const satisfies Readonly<Record<string, string>>;

export type ProductionReach = keyof typeof productionReaches;

/** Whether, and where, a write can change what production callers get; `never` where it is about something else. */
export type ProductionStatement = 'never' | ProductionReach | { readonly exempt: keyof typeof productionExemptions };

/** Where a write reaches production; null where it can't, or is exempt. */
export function reachOf(statement: ProductionStatement | null): ProductionReach | null {
  return statement === null || statement === 'never' || typeof statement === 'object' ? null : statement;
}

/** Whether a write may be held for somebody else's approval, and answered with 202. */
export function mayWait(statement: ProductionStatement | null): boolean {
  const reach = reachOf(statement);
  return reach !== null && productionReaches[reach].waits;
}

/** Refuses a change to production by whoever has no right to it. */
export function requireProductionRight(caller: Pick<Caller, 'permissions'> | null): void {
  if (caller?.permissions.has('deployment.prod')) return;
  throw new ApiError('forbidden', {
    message: 'This needs the permission deployment.prod: it changes what callers of production get.',
  });
}
