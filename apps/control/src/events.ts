import { catalogChanged, consumerChanged, subscriptionMoved } from './consumers/events.ts';
import { nextGatewaySequence, publishConsumers } from './delivery/configuration/publish.ts';
import { compileSnapshot } from './delivery/configuration/snapshot.ts';
import { startRollout } from './delivery/deployments/settling.ts';
import {
  deploymentChanged,
  deploymentSettled,
  gatewayNodeAdded,
  gatewayNodeInstructed,
  snapshotAdded,
  trafficCounted,
  usageMetered,
} from './delivery/events.ts';
import type { ControlParts } from './dependencies.ts';
import {
  environmentChanged,
  proxyContentChanged,
  proxyRewritten,
  reviewMoved,
  specificationPublished,
  targetServerChanged,
} from './design/events.ts';
import { returnToDraft } from './design/lifecycle/edits.ts';
import { recordContent } from './design/proxies/content.ts';
import { cutDeployedEdit } from './design/revisions/cut.ts';
import type { Caller } from './frame/caller.ts';
import { type Subscriber, subscribe } from './frame/events.ts';
import { invoiceMoved } from './money/events.ts';
import { debitUsage } from './money/prepaid/debits.ts';
import { recordChange } from './portal/changes/store.ts';
import { portalContentChanged } from './portal/events.ts';
import { renewPortalStamp } from './portal/stamps.ts';
import {
  announceDeployments,
  announceInvoices,
  announceReviews,
  announceSubscriptions,
} from './watch/announcements/announce.ts';
import { keepReports } from './watch/opentelemetry/store.ts';
import { addReports } from './watch/slots/store.ts';

/**
 * The subscribers of domain events, in the order in which they run before the commit. Rows are locked in
 * this order too: proxies, environments, and last the organization's gateway sequence, for which others wait.
 */
export function createSubscribers(parts: Pick<ControlParts, 'sealer' | 'signer'>): readonly Subscriber[] {
  return [
    subscribe([proxyContentChanged], async (transaction, proxies, caller) => {
      for (const { proxyId } of proxies) await recordContent(transaction, signedIn(caller), proxyId);
    }),
    subscribe([proxyRewritten], async (transaction, proxies, caller) => {
      for (const proxy of proxies) await returnToDraft(transaction, signedIn(caller), proxy);
    }),
    subscribe([proxyRewritten], async (transaction, proxies, caller) => {
      for (const proxy of proxies) await cutDeployedEdit(transaction, signedIn(caller), proxy);
    }),
    subscribe([environmentChanged, targetServerChanged, deploymentChanged], async (transaction, environments) => {
      for (const { environmentId } of environments) await compileSnapshot(transaction, parts, environmentId);
    }),
    subscribe([gatewayNodeAdded], async (transaction, environments) => {
      for (const { environmentId } of environments) {
        await compileSnapshot(transaction, parts, environmentId, { always: true });
      }
    }),
    subscribe([snapshotAdded], async (transaction, snapshots) => {
      for (const { environmentId, sequence } of snapshots) await startRollout(transaction, environmentId, sequence);
    }),
    subscribe([usageMetered], debitUsage),
    subscribe([trafficCounted], addReports),
    subscribe([trafficCounted], keepReports),
    subscribe([specificationPublished], async (transaction, publications) => {
      for (const publication of publications) await recordChange(transaction, publication);
    }),
    // Whatever public pages of the developer portal show.
    subscribe<object>(
      [
        catalogChanged,
        specificationPublished,
        proxyContentChanged,
        environmentChanged,
        deploymentChanged,
        portalContentChanged,
      ],
      (transaction) => renewPortalStamp(transaction),
    ),
    subscribe([deploymentSettled], announceDeployments),
    subscribe([reviewMoved], announceReviews),
    subscribe([subscriptionMoved], announceSubscriptions),
    subscribe([invoiceMoved], announceInvoices),
    subscribe([consumerChanged], publishConsumers),
    // Wakes the organization's waiting nodes.
    subscribe<object>([snapshotAdded, gatewayNodeInstructed], async (transaction) => {
      await nextGatewaySequence(transaction);
    }),
  ];
}

/** Working copies are edited by callers only. */
function signedIn(caller: Caller | null): Caller {
  if (caller === null) throw new Error('a working copy was changed by nobody');
  return caller;
}
