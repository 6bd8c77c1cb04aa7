import type { PortalStatus } from './contract.ts';

type State = PortalStatus['state'];

/** What nodes of an environment say of it. */
export interface NodeCounts {
  /** Those that have registered. */
  readonly nodes: number;
  /** Those that have reported in the last minute, are ready and don't drain. */
  readonly serving: number;
}

/** The state of an environment: no node serves, some do, or all. */
export function stateOf({ nodes, serving }: NodeCounts): State {
  if (nodes === 0) return 'unknown';
  if (serving === 0) return 'unavailable';
  return serving < nodes ? 'degraded' : 'operational';
}

/** The state of all environments together: the worst of them. */
export function worstState(states: readonly State[]): State {
  return (['unavailable', 'degraded', 'operational'] as const).find((state) => states.includes(state)) ?? 'unknown';
}
