import type { Devices } from '@millrace/sign-in/devices';
import type { OneTimeCodes } from '@millrace/sign-in/one-time-codes';
import type { PasswordResets } from '@millrace/sign-in/password-resets';
import type { Sessions } from '@millrace/sign-in/sessions';
import type { Kysely } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import type { SessionKind } from '../../frame/credentials.ts';
import type { Mail } from '../../frame/handler.ts';
import type { RealmProviders } from '../identity-providers/realm-providers.ts';

/** A user as one is named across organizations. */
export interface UserKey {
  readonly organizationId: string;
  readonly userId: string;
}

/** What users of every realm have. */
export interface RealmUser {
  readonly id: string;
  readonly organization_id: string;
  readonly email: string;
  readonly name: string;
  /** Null if none was set yet. */
  readonly password_hash: string | null;
  /** Null if signing in needs no one-time code. */
  readonly mfa_secret: Buffer | null;
  readonly mfa_pending_secret: Buffer | null;
}

/** What the owner of an account is sent an e-mail about. */
export type SecurityEvent = 'password_changed' | 'codes_on' | 'codes_off';

/**
 * Where people sign in: the console, whose e-mail addresses are unique on the whole platform, or the developer portal,
 * where they are unique within an organization. Each has its own users, sessions and links; what they can do with their
 * own accounts is the same.
 */
export interface Realm<User extends RealmUser> {
  readonly kind: SessionKind;
  /** Of the ids of sessions. */
  readonly sessionPrefix: string;
  readonly sessionTable: 'sessions' | 'portal_sessions';
  readonly sessions: Sessions;
  readonly oneTimeCodes: OneTimeCodes;
  readonly passwordResets: PasswordResets;
  readonly providers: RealmProviders;
  /** What keeps apart the counters and devices of an organization; empty for the console. */
  nameOf(organizationId: string): string;
  /** The devices that users of an organization were signed in from. */
  devicesOf(organizationId: string): Devices;
  /** @param options.lock keeps other writers off until the commit */
  findUser(transaction: TenantTransaction, userId: string, options?: { readonly lock?: boolean }): Promise<User | null>;
  /** Sets the password, if one is given; the user goes to its next version in any case. */
  updateUser(transaction: Kysely<Schema>, key: UserKey, changes: { readonly password_hash?: string }): Promise<User>;
  /** The user as the audit trail compares it. */
  present(user: User): object;
  /** Of the organization, which a password can’t contain. */
  findOrganizationName(transaction: TenantTransaction): Promise<string>;
  /** What authenticator apps name an account by. */
  findIssuer(transaction: TenantTransaction): Promise<string>;
  securityMail(transaction: Kysely<Schema>, user: User, event: SecurityEvent): Promise<Mail>;
  /**
   * Reads what an e-mail with a link to set a new password needs, also where nobody is to be sent one: it takes the same
   * time.
   *
   * @param organizationId of the user or, without one, of the portal; empty if there is neither
   * @returns writes the e-mail with a link’s token, which works once
   */
  resetMailer(transaction: Kysely<Schema>, organizationId: string): Promise<(user: User, token: string) => Mail>;
}
