import type { MeteredRow, SlotRow } from '@millrace/gateway-configuration/reports';
import { defineEvent } from '../frame/events.ts';

/** Usage of terms was added, once per batch. */
export const usageMetered = defineEvent<{ readonly batch: string; readonly rows: readonly MeteredRow[] }>(
  'usageMetered',
  ({ batch }) => batch,
);

/** A node counted requests by proxies that the organization has, in these ten seconds; once per batch. */
export const trafficCounted = defineEvent<{
  readonly batch: string;
  readonly environmentId: string;
  readonly rows: readonly SlotRow[];
}>('trafficCounted', ({ batch }) => batch);

interface InEnvironment {
  readonly environmentId: string;
}

/** The live deployments of an environment, or their shares, changed. */
export const deploymentChanged = defineEvent<InEnvironment>('deploymentChanged', ({ environmentId }) => environmentId);

/** A deployment went live for the first time, failed, or was rolled back. */
export const deploymentSettled = defineEvent<{
  readonly deploymentId: string;
  readonly outcome: 'succeeded' | 'failed' | 'rolled_back';
}>('deploymentSettled', ({ deploymentId, outcome }) => `${deploymentId} ${outcome}`);

/** A gateway node was created; its first configuration has to exist when it registers. */
export const gatewayNodeAdded = defineEvent<InEnvironment>('gatewayNodeAdded', ({ environmentId }) => environmentId);

/** A gateway node has to learn immediately that it drains, resumes or lost its access. */
export const gatewayNodeInstructed = defineEvent<{ readonly nodeId: string }>(
  'gatewayNodeInstructed',
  ({ nodeId }) => nodeId,
);

/** An environment has a new configuration. */
export const snapshotAdded = defineEvent<InEnvironment & { readonly sequence: number }>(
  'snapshotAdded',
  ({ environmentId }) => environmentId,
);
