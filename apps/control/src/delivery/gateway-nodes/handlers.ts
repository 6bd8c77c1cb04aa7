import { canSealFor } from '@millrace/gateway-configuration/sealing';
import { hashSecret, newSecret } from '@millrace/sign-in/secrets';
import type { TenantTransaction } from '../../database/schema.ts';
import { findEnvironment } from '../../design/environments/store.ts';
import { nodeTokenPrefix } from '../../frame/authenticate.ts';
import type { NodeCaller } from '../../frame/caller.ts';
import { conflictsAt } from '../../frame/database-errors.ts';
import { ApiError, fieldError, found, foundAt } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import type { SnapshotSigner } from '../configuration/signing.ts';
import type { DeploymentMonitor } from '../deployments/monitor.ts';
import { awaitFirstNode, settleDeployments } from '../deployments/settling.ts';
import { findDeployment, servingSince } from '../deployments/store.ts';
import {
  type NodeState,
  newestConfiguration,
  nextConsumers,
  readNodeState,
  servingContents,
  tagOf,
} from './configuration.ts';
import type { gatewayNodeOperations } from './contract.ts';
import { takeHeartbeat } from './heartbeats.ts';
import { rolloutOf } from './rollout.ts';
import { refuseDrain, refuseReporting, refuseResume, refuseRevoke, refuseTooMany } from './rules.ts';
import {
  countGatewayNodes,
  deleteGatewayNode,
  findGatewayNode,
  findRegistering,
  insertGatewayNode,
  listGatewayNodes,
  nodesOfEnvironment,
  readMetrics,
  registerNode,
  revokeTokens,
  updateGatewayNode,
} from './store.ts';
import { applyUsage } from './usage.ts';
import type { NodeWaits } from './waiting.ts';

const registrationTokenPrefix = 'mrr_';

interface GatewayNodeParts extends Parts {
  readonly signer: SnapshotSigner;
  readonly waits: NodeWaits;
  readonly monitor: DeploymentMonitor;
}

export function gatewayNodeHandlers(parts: GatewayNodeParts): Handlers<typeof gatewayNodeOperations> {
  return {
    listGatewayNodes: ({ query }, { transaction }) => listGatewayNodes(transaction, query),
    createGatewayNode: async ({ body }, { transaction, settle }) => {
      foundAt('environmentId', 'Environment', await findEnvironment(transaction, body.environmentId, { lock: true }));
      refuseTooMany(await countGatewayNodes(transaction));
      const { secret, hash } = newSecret(registrationTokenPrefix);
      const id = await conflictsAt(insertGatewayNode(transaction, body, hash), nameTaken);
      await settle();
      const after = await nodeOf(transaction, id);
      return {
        data: { ...after, registrationToken: secret },
        change: { entityId: id, before: null, after },
      };
    },
    getGatewayNode: ({ params }, { transaction }) => nodeOf(transaction, params.nodeId),
    updateGatewayNode: async ({ params: { nodeId }, body }, { transaction }) => {
      const before = await lockNode(transaction, nodeId);
      await conflictsAt(updateGatewayNode(transaction, nodeId, body), nameTaken);
      const after = await nodeOf(transaction, nodeId);
      return { data: after, change: { entityId: nodeId, before, after } };
    },
    deleteGatewayNode: async ({ params: { nodeId } }, { transaction }) => {
      const before = await lockNode(transaction, nodeId);
      refuseReporting(before);
      await deleteGatewayNode(transaction, nodeId);
      await settleDeployments(transaction, before.environmentId);
      await awaitFirstNode(transaction, before.environmentId);
      return { data: {}, change: { entityId: nodeId, before, after: null } };
    },
    drainGatewayNode: async ({ params: { nodeId } }, { transaction }) => {
      const before = await lockNode(transaction, nodeId);
      refuseDrain(before);
      await updateGatewayNode(transaction, nodeId, { drain: 'draining' });
      const after = await nodeOf(transaction, nodeId);
      return { data: after, change: { entityId: nodeId, before, after } };
    },
    resumeGatewayNode: async ({ params: { nodeId } }, { transaction }) => {
      const before = await lockNode(transaction, nodeId);
      refuseResume(before);
      await updateGatewayNode(transaction, nodeId, { drain: 'none' });
      const after = await nodeOf(transaction, nodeId);
      return { data: after, change: { entityId: nodeId, before, after } };
    },
    rotateGatewayNodeToken: async ({ params: { nodeId } }, { transaction }) => {
      const before = await lockNode(transaction, nodeId);
      const { secret, hash } = newSecret(registrationTokenPrefix);
      await updateGatewayNode(transaction, nodeId, { registrationHash: hash });
      const after = await nodeOf(transaction, nodeId);
      return { data: { ...after, registrationToken: secret }, change: { entityId: nodeId, before, after } };
    },
    revokeGatewayNodeToken: async ({ params: { nodeId } }, { transaction }) => {
      const before = await lockNode(transaction, nodeId);
      refuseRevoke(before);
      await revokeTokens(transaction, nodeId);
      await settleDeployments(transaction, before.environmentId);
      const after = await nodeOf(transaction, nodeId);
      return { data: after, change: { entityId: nodeId, before, after } };
    },
    getGatewayNodeMetrics: async ({ params: { nodeId } }, { transaction }) => {
      await nodeOf(transaction, nodeId);
      return readMetrics(transaction, nodeId);
    },

    getDeploymentRollout: async ({ params }, { transaction }) => {
      const deployment = found(await findDeployment(transaction, params.deploymentId));
      const nodes = await nodesOfEnvironment(transaction, deployment.environmentId);
      return rolloutOf(deployment, nodes, await servingSince(transaction, deployment.id));
    },
    registerGatewayNode: async ({ body }, { transaction }) => {
      const node = await findRegistering(transaction, hashSecret(body.registrationToken));
      if (node === null) {
        throw new ApiError('sign_in_failed', {
          message: 'The registration token is invalid, used or older than 24 hours. Make a new one for the node.',
        });
      }
      if (!canSealFor(body.publicKey)) {
        throw fieldError('publicKey', 'Secrets can’t be encrypted for this key. Make a new key pair.');
      }
      const { id, organizationId } = node;
      const before = found(await findGatewayNode(transaction, organizationId, id));
      const { secret, hash } = newSecret(nodeTokenPrefix);
      await registerNode(transaction, node, { tokenHash: hash, publicKey: body.publicKey });
      const after = found(await findGatewayNode(transaction, organizationId, id));
      return {
        data: {
          nodeId: id,
          nodeToken: secret,
          organizationId,
          environmentId: after.environmentId,
          environmentName: after.environmentName,
          verificationKey: parts.signer.publicKey,
        },
        change: {
          entityId: id,
          before,
          after,
          organizationId,
          actor: { kind: 'gateway_node', id, name: after.name },
        },
      };
    },
    getGatewayConfiguration: {
      prepare: async ({ query }, { caller }) => {
        const state = await awaitNews(parts, caller, query);
        return async ({ transaction, setHeader }) => {
          setHeader('etag', tagOf(state));
          // An open connection would keep the service from stopping.
          if (parts.waits.stopped) setHeader('connection', 'close');
          return {
            configuration:
              state.manifest > query.sequence ? await newestConfiguration(transaction, parts, caller) : null,
            consumers: consumersChanged(state, query)
              ? await nextConsumers(transaction, parts.signer, query.consumers)
              : null,
            drain: state.drain,
          };
        };
      },
    },
    getGatewayContents: async ({ query }, { transaction, caller }) => ({
      contents: await servingContents(transaction, caller.environmentId, query.hashes),
    }),
    sendHeartbeat: ({ body }, context) => takeHeartbeat(parts, context, body),
    sendUsage: async ({ body }, context) => {
      const { id: nodeId } = context.caller;
      const usage = await applyUsage(parts, context, body);
      const { aheadRows } = usage;
      if (aheadRows > 0) parts.log.warn({ nodeId, aheadRows }, 'usage was ahead of time: check the clock of that node');
      return usage;
    },
  };
}

const nameTaken = {
  gateway_nodes_organization_id_name_key: ['name', 'Another gateway node has this name.'],
} as const;

async function nodeOf(transaction: TenantTransaction, nodeId: string) {
  return found(await findGatewayNode(transaction, transaction.tenantId, nodeId));
}

async function lockNode(transaction: TenantTransaction, nodeId: string) {
  return found(await findGatewayNode(transaction, transaction.tenantId, nodeId, { lock: true }));
}

/** What a node says it has, and how long it waits for something newer. */
interface Held {
  readonly sequence: number;
  readonly consumers: number;
  readonly drain?: 'none' | 'draining' | undefined;
  readonly waitSeconds: number;
}

/** Waits, without a transaction, until there is something the node doesn't have, or its time is up. */
async function awaitNews(
  { database, waits }: Pick<GatewayNodeParts, 'database' | 'waits'>,
  node: NodeCaller,
  held: Held,
): Promise<NodeState> {
  const endsAtMs = performance.now() + held.waitSeconds * 1_000;
  let state = await readNodeState(database, node);
  const toldDrain = held.drain ?? state.drain;
  const isNews = () => state.manifest > held.sequence || consumersChanged(state, held) || state.drain !== toldDrain;
  while (!isNews()) {
    const leftMs = endsAtMs - performance.now();
    if (leftMs <= 0 || !(await waits.untilChanged(node, state.head, leftMs))) break;
    state = await readNodeState(database, node);
  }
  return state;
}

/** A node that has more than exists got it from a database that was replaced: it gets everything again. */
function consumersChanged(state: NodeState, held: Pick<Held, 'consumers'>): boolean {
  return state.consumers > held.consumers || held.consumers > Number(state.head);
}
