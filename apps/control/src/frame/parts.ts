import type { Sealer } from '@millrace/encryption';
import type { Devices } from '@millrace/sign-in/devices';
import type { IdentityProviders } from '@millrace/sign-in/identity-provider';
import type { FastifyBaseLogger } from 'fastify';
import type { ControlDatabase } from '../database/schema.ts';
import type { AuditChain } from './audit.ts';
import type { Outbound } from './outbound.ts';
import type { Outbox } from './outbox.ts';

/** What handlers of any domain work with, beside their call's own transaction. */
export interface Parts {
  /** For the few things that are no part of a call's transaction, such as counting failed sign-ins. */
  readonly database: ControlDatabase;
  readonly chain: AuditChain;
  /** Encrypts what is stored and read back: variables, one-time-password secrets. */
  readonly sealer: Sealer;
  /** Connects to hosts that tenants name. */
  readonly outbound: Outbound;
  /** Signs people in by their organizations’ identity providers. */
  readonly identityProviders: IdentityProviders;
  /** Where people reach the console, without a slash at the end; for the links in e-mails. */
  publicUrl(): string;
  /** Where the dashboard of the extraction service is, for the app switcher; null if unknown. */
  dashboardUrl(): string | null;
  /** DNS servers that verify the domains of developer portals; empty: those of the machine. */
  readonly dnsServers: readonly string[];
  readonly secureCookies: boolean;
  /** Devices that accounts were signed in from. */
  readonly devices: Devices;
  /** For mail that belongs to no write. */
  readonly outbox: Outbox;
  readonly log: FastifyBaseLogger;
  /** Folder of the data, for what is kept beside the database. */
  readonly dataDirectory: string;
}
