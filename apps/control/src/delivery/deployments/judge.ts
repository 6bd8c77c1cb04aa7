import type { ControlDatabase } from '../../database/schema.ts';
import type { AuditChain } from '../../frame/audit.ts';
import type { Subscriber } from '../../frame/events.ts';
import { rollBackSpent } from './budget.ts';
import { failUnloaded } from './failing.ts';

/** Ends deployments in the name of the system: canaries that have spent their budget, and what nodes do not load. */
export interface DeploymentJudge {
  /** To be called where an environment's nodes have told something new; it comes back at once. */
  judge(organizationId: string, environmentId: string): void;
  /** Begins no more, and resolves when what is under way has ended. */
  stop(): Promise<void>;
}

export interface JudgeParts {
  readonly database: ControlDatabase;
  readonly chain: AuditChain;
  readonly subscribers: readonly Subscriber[];
  /** Within which every node that reports has to load a deployment. */
  readonly rolloutTimeoutMs: number;
  /** Told of a judgement that failed; the next report brings another. */
  onError(error: unknown): void;
}

/** One environment after the other; one that was asked for again while it waited is judged once. */
export function createDeploymentJudge(parts: JudgeParts): DeploymentJudge {
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
    judge: (organizationId, environmentId) => {
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
