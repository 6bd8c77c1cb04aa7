import type { Incident } from '../../watch/incidents/contract.ts';
import type { PortalIncident, PortalStatus } from './contract.ts';

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
function worstState(states: readonly State[]): State {
  return (['unavailable', 'degraded', 'operational'] as const).find((state) => states.includes(state)) ?? 'unknown';
}

/** What callers read of an incident's state. */
export const incidentStates = {
  open: 'investigating',
  acknowledged: 'in_progress',
  monitoring: 'monitoring',
  resolved: 'resolved',
} as const satisfies Readonly<Record<Incident['state'], PortalIncident['state']>>;

/** The state of everything: the worst of the environments, and not undisturbed while there is an incident. */
export function wholeState(states: readonly State[], incidents: readonly Pick<PortalIncident, 'state'>[]): State {
  const worst = worstState(states);
  const isDisturbed = incidents.some(({ state }) => state !== 'resolved' && state !== 'monitoring');
  return isDisturbed && worst !== 'unavailable' ? 'degraded' : worst;
}
