import type { Sealer } from '@millrace/encryption';
import type { Devices } from '@millrace/sign-in/devices';
import type { FastifyBaseLogger } from 'fastify';
import type { KeySealers } from './consumers/apps/key-sealers.ts';
import type { ControlDatabase } from './database/schema.ts';
import type { DeploymentJudge } from './delivery/deployments/judge.ts';
import type { SnapshotSigner } from './delivery/deployments/signing.ts';
import type { NodeWaits } from './delivery/gateway-nodes/waiting.ts';
import type { AuditChain } from './frame/audit.ts';
import type { Outbox } from './frame/outbox.ts';
import type { Outbound } from './outbound.ts';

/** What handlers work with, beside their call's own transaction. */
export interface ControlParts {
  /** For the few things that are no part of a call's transaction, such as counting failed sign-ins. */
  readonly database: ControlDatabase;
  readonly chain: AuditChain;
  /** Encrypts what is stored and read back: variables, one-time-password secrets. */
  readonly sealer: Sealer;
  readonly keySealers: KeySealers;
  /** Signs configuration snapshots for the gateway. */
  readonly signer: SnapshotSigner;
  /** Gateway nodes that wait for something new. */
  readonly waits: NodeWaits;
  /** Connects to hosts that tenants name. */
  readonly outbound: Outbound;
  /** Evaluates what canaries cost, and what nodes can't load. */
  readonly judge: DeploymentJudge;
  /** Where people reach the console, without a slash at the end; for the links in e-mails. */
  publicUrl(): string;
  readonly secureCookies: boolean;
  /** Devices that accounts were signed in from. */
  readonly devices: Devices;
  /** For mail that belongs to no write. */
  readonly outbox: Outbox;
  readonly log: FastifyBaseLogger;
  /** Folder of the data, for what is kept beside the database. */
  readonly dataDirectory: string;
}
