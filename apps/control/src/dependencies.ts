import type { SendMail } from '@millrace/mail';
import type { KeySealers } from './consumers/apps/key-sealers.ts';
import type { SnapshotSigner } from './delivery/configuration/signing.ts';
import type { DeploymentMonitor } from './delivery/deployments/monitor.ts';
import type { NodeWaits } from './delivery/gateway-nodes/waiting.ts';
import type { Parts } from './frame/parts.ts';
import type { Rounds } from './frame/rounds.ts';
import type { PortalSandbox } from './portal/try/sandbox.ts';

/** What the handlers of all domains need. */
export interface ControlParts extends Parts {
  readonly keySealers: KeySealers;
  /** Signs configuration snapshots for the gateway. */
  readonly signer: SnapshotSigner;
  /** Gateway nodes that wait for something new. */
  readonly waits: NodeWaits;
  /** Evaluates what canaries cost, and what nodes can't load. */
  readonly monitor: DeploymentMonitor;
  /** Makes the invoices of billing periods that are being closed. */
  readonly closer: Rounds;
  /** Sends e-mail at once through the platform’s server, for notifications, which are queued elsewhere. */
  readonly platformMail: SendMail;
  /** Keys for visitors of the portal who try sandbox products. */
  readonly sandbox: PortalSandbox;
}
