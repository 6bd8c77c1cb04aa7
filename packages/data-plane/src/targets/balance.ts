/** Chooses the endpoint of a target that a request goes to. */
import { performance } from 'node:perf_hooks';
import type { Condition, EndpointState } from './condition.ts';
import type { Balancer, Endpoint, Target } from './endpoints.ts';
import { startHealthChecks } from './health-checks.ts';

export interface WatchfulBalancer extends Balancer {
  /** The state of every endpoint of the current configuration. */
  states(): readonly { readonly name: string; readonly endpoint: string; readonly state: EndpointState }[];
}

interface BalancerOptions {
  /** The clock by which calls are picked and reported, in milliseconds. */
  readonly now?: () => number;
  readonly healthCheckIntervalMs?: number;
}

/**
 * Sends each request to the healthy endpoint with the fewest calls in flight for its weight: healthy by its
 * health checks, not ejected for consecutive failures, circuit not open. At most half of the endpoints of a target are
 * ejected at a time, and a target's only one never is: its circuit opens where it keeps failing.
 */
export function createBalancer({
  now = () => performance.now(),
  healthCheckIntervalMs = 5_000,
}: BalancerOptions = {}): WatchfulBalancer {
  let watched: readonly Endpoint[] = [];
  let turn = 0;
  const checks = startHealthChecks(
    (endpoint, well) => {
      endpoint.condition.wellByChecks = well;
    },
    { intervalMs: healthCheckIntervalMs },
  );
  const mayEject = ({ target }: Endpoint, nowMs: number): boolean => {
    const out = target.endpoints.filter(({ condition }) => condition.state(nowMs) === 'ejected').length;
    return out + 1 <= target.endpoints.length / 2;
  };

  return {
    pickEndpoint(target, _exchange, tried, nowMs) {
      if (!target.enabled) return null;
      const { endpoints } = target;
      let best: Endpoint | null = null;
      let bestCondition: Condition | null = null;
      let bestLoad = Number.POSITIVE_INFINITY;
      // Beginning with another one each time, so that equals share the calls.
      turn = (turn + 1) % 0x4000_0000;
      for (let step = 0; step < endpoints.length; step += 1) {
        const endpoint = endpoints[(turn + step) % endpoints.length]!;
        const { condition } = endpoint;
        const load = (condition.inFlight + 1) / endpoint.weight;
        if (load >= bestLoad || !condition.admits(nowMs) || tried.includes(endpoint)) continue;
        best = endpoint;
        bestCondition = condition;
        bestLoad = load;
      }
      bestCondition?.begin(nowMs);
      return best;
    },
    report(endpoint, outcome, nowMs) {
      const alone = endpoint.target.endpoints.length === 1;
      const healthy = outcome.kind === 'answered' && outcome.status < 500;
      endpoint.condition.report(outcome, nowMs, !alone && !healthy && mayEject(endpoint, nowMs));
    },
    release(endpoint) {
      endpoint.condition.release();
    },
    use(targets: readonly Target[]) {
      watched = targets.flatMap((target) => target.endpoints);
      checks.watch(watched);
    },
    states() {
      const nowMs = now();
      return watched.map(({ target, address, condition }) => ({
        name: target.name,
        endpoint: address,
        state: condition.state(nowMs),
      }));
    },
    stop() {
      checks.stop();
    },
  };
}
