import { defineEvent } from '../frame/events.ts';

interface InEnvironment {
  readonly environmentId: string;
}

/** What serves in an environment, or with which share, was changed. */
export const deploymentChanged = defineEvent<InEnvironment>('deploymentChanged', ({ environmentId }) => environmentId);

/** A gateway node was created, whose first configuration has to be there when it registers. */
export const gatewayNodeAdded = defineEvent<InEnvironment>('gatewayNodeAdded', ({ environmentId }) => environmentId);

/** A gateway node has to hear at once that it drains, resumes or is let in no longer. */
export const gatewayNodeInstructed = defineEvent<{ readonly nodeId: string }>(
  'gatewayNodeInstructed',
  ({ nodeId }) => nodeId,
);

/** An environment has a new configuration. */
export const snapshotAdded = defineEvent<InEnvironment & { readonly sequence: number }>(
  'snapshotAdded',
  ({ environmentId }) => environmentId,
);
