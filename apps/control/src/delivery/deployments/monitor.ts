import type { ControlDatabase } from '../../database/schema.ts';
import type { AuditChain } from '../../frame/audit.ts';
import type { Subscriber } from '../../frame/events.ts';
import { rollBackSpent } from './budget.ts';
import { failUnloaded } from './failing.ts';

/** Ends deployments as the system: canaries that have spent their budget, and deployments that nodes don't load. */
export interface DeploymentMonitor {
  /** Call this when an environment's nodes have reported something new; it returns immediately. */
  check(organizationId: string, environmentId: string): void;
  /** Starts no further evaluation, and resolves when the running one has ended. */
  stop(): Promise<void>;
}

export interface MonitorParts {
  readonly database: ControlDatabase;
  readonly chain: AuditChain;
  readonly subscribers: readonly Subscriber[];
  /** The time in which every reporting node has to load a deployment. */
  readonly rolloutTimeoutMs: number;
  /** Called with an evaluation that failed; the next report starts another. */
  onError(error: unknown): void;
}

/** Evaluates one environment after another; one that is requested again while it waits is evaluated once. */
export function createDeploymentMonitor(parts: MonitorParts): DeploymentMonitor {
  const asked = new Map<string, readonly [organizationId: string, environmentId: string]>();
  let running: Promise<void> | null = null;
  let stopped = false;

  const run = async (): Promise<void> => {
    for (const [key, place] of asked) {
      asked.delete(key);
      if (stopped) continue;
      await failUnloaded(parts, ...place).catch((error: unknown) => parts.onError(error));
      await rollBackSpent(parts, ...place).catch((error: unknown) => parts.onError(error));
    }
    running = null;
  };
  return {
    check: (organizationId, environmentId) => {
      if (stopped) return;
      asked.set(environmentId, [organizationId, environmentId]);
      running ??= run();
    },
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}
