import { toMajor } from '@millrace/pricing';
import { findSubscription } from '../../consumers/subscriptions/store.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { findDeployment } from '../../delivery/deployments/store.ts';
import { findRequest } from '../../design/lifecycle/store.ts';
import type { Caller } from '../../frame/caller.ts';
import { findInvoice } from '../../money/invoices/store.ts';
import { enqueueEvent, hasSubscribers } from '../deliveries/enqueue.ts';

/*
 * What other domains did, as events for the integrations that subscribe to them, stored in the transaction of the write.
 * Most organizations have no such integration: then one query is all.
 */

const now = () => new Date();

/** Who did it; null: the service, or a gateway node that reported. */
function actorOf(caller: Caller | null): string | null {
  return caller === null || caller.kind === 'gateway_node' ? null : caller.name;
}

export async function announceDeployments(
  transaction: TenantTransaction,
  settled: readonly { readonly deploymentId: string; readonly outcome: 'succeeded' | 'failed' | 'rolled_back' }[],
  caller: Caller | null,
): Promise<void> {
  if (!(await hasSubscribers(transaction, 'deployment.'))) return;
  for (const { deploymentId, outcome } of settled) {
    const deployment = await findDeployment(transaction, deploymentId);
    if (deployment === null) continue;
    await enqueueEvent(transaction, {
      notificationId: `${deploymentId}:${outcome}`,
      kind: `deployment.${outcome}`,
      subject: { type: 'deployment', id: deploymentId },
      data: {
        deploymentId,
        environmentId: deployment.environmentId,
        environmentName: deployment.environmentName,
        proxyId: deployment.proxyId,
        proxyName: deployment.proxyName,
        revision: deployment.revision,
        strategy: deployment.strategy,
        reason: deployment.failure,
        by: outcome === 'succeeded' ? deployment.createdByName : actorOf(caller),
      },
      at: now(),
    });
  }
}

export async function announceReviews(
  transaction: TenantTransaction,
  moves: readonly { readonly requestId: string; readonly move: 'requested' | 'decided' }[],
): Promise<void> {
  if (!(await hasSubscribers(transaction, 'approval.'))) return;
  for (const { requestId, move } of moves) {
    const request = await findRequest(transaction, requestId);
    if (request === null) continue;
    await enqueueEvent(transaction, {
      notificationId: `${requestId}:${move}`,
      kind: `approval.${move}`,
      subject: { type: 'lifecycle_request', id: requestId },
      data: {
        approvalId: requestId,
        of: 'lifecycle',
        summary: `Move ${request.proxyName} from ${request.fromStage} to ${request.toStage}`,
        proxyId: request.proxyId,
        proxyName: request.proxyName,
        requestedBy: request.requestedByName,
        decision: request.state === 'pending' ? null : request.state,
        decidedBy: request.decidedByName,
        reason: request.reason,
      },
      at: now(),
    });
  }
}

export async function announceSubscriptions(
  transaction: TenantTransaction,
  moves: readonly { readonly subscriptionId: string; readonly move: 'requested' | 'approved' | 'revoked' }[],
  caller: Caller | null,
): Promise<void> {
  if (!(await hasSubscribers(transaction, 'subscription.'))) return;
  for (const { subscriptionId, move } of moves) {
    const subscription = await findSubscription(transaction, subscriptionId);
    if (subscription === null) continue;
    await enqueueEvent(transaction, {
      notificationId: `${subscriptionId}:${move}`,
      kind: `subscription.${move}`,
      subject: { type: 'subscription', id: subscriptionId },
      data: {
        subscriptionId,
        appId: subscription.appId,
        appName: subscription.appName,
        developerId: subscription.developerId,
        developerName: subscription.developerName,
        productId: subscription.productId,
        productName: subscription.productName,
        state: subscription.state,
        by: actorOf(caller),
      },
      at: now(),
    });
  }
}

export async function announceInvoices(
  transaction: TenantTransaction,
  moves: readonly { readonly invoiceId: string; readonly move: 'created' | 'paid' }[],
  caller: Caller | null,
): Promise<void> {
  if (!(await hasSubscribers(transaction, 'invoice.'))) return;
  for (const { invoiceId, move } of moves) {
    const invoice = await findInvoice(transaction, invoiceId);
    if (invoice === null) continue;
    await enqueueEvent(transaction, {
      notificationId: `${invoiceId}:${move}`,
      kind: `invoice.${move}`,
      subject: { type: 'invoice', id: invoiceId },
      data: {
        invoiceId,
        number: invoice.number ?? '',
        developerId: invoice.developerId,
        developerName: invoice.developerName,
        currency: invoice.currency,
        total: toMajor(invoice.totalMinor, invoice.currency),
        dueOn: invoice.dueDate,
        by: actorOf(caller),
      },
      at: now(),
    });
  }
}
