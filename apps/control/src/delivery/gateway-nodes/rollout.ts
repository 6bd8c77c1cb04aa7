import type * as z from 'zod';
import type { Deployment } from '../deployments/contract.ts';
import type { GatewayNode } from './contract.ts';

type Node = Pick<z.infer<typeof GatewayNode>, 'id' | 'name' | 'health' | 'lastHeartbeatAt' | 'configuration'>;

/** Which nodes serve a deployment, and which it waits for. */
export function rolloutOf(
  { state, snapshotSequence, endedAt }: Pick<z.infer<typeof Deployment>, 'state' | 'snapshotSequence' | 'endedAt'>,
  nodes: readonly (Node & { readonly awaited: boolean })[],
  servingSince: ReadonlyMap<string, Date>,
) {
  const progress = nodes.map(({ id, name, health, awaited, configuration: { held, refused } }) => {
    const serving = endedAt === null && snapshotSequence !== null && held !== null && held >= snapshotSequence;
    return {
      nodeId: id,
      name,
      health,
      awaited,
      configuration: held,
      serving,
      servingSince: (serving ? servingSince.get(id)?.toISOString() : null) ?? null,
      refused: refused !== null && refused.sequence >= (snapshotSequence ?? 0) ? refused : null,
    };
  });
  const awaited = progress.filter((node) => node.awaited);
  return {
    state,
    snapshotSequence,
    nodes: progress,
    total: awaited.length,
    serving: awaited.filter((node) => node.serving).length,
  };
}
