import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@millrace/identifiers';
import { hashPassword, passwordMatches } from '@millrace/sign-in/passwords';
import { newSecret } from '@millrace/sign-in/secrets';
import {
  addressCounter,
  countAttempt,
  forgetAttempts,
  mailCounter,
  sessionCounter,
  signInCounters,
} from '@millrace/sign-in/throttle';
import { type Kysely, sql } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import type { Caller, Origin } from '../../frame/caller.ts';
import { endedSessionCookie, sessionCookie } from '../../frame/credentials.ts';
import { ApiError, fieldError, found } from '../../frame/errors.ts';
import type { CallerContext, Change, Context, Written } from '../../frame/handler.ts';
import type { Listing } from '../../frame/listing.ts';
import type { Parts } from '../../frame/parts.ts';
import { refuseLossOfBreakGlass } from '../identity-providers/rules.ts';
import { signOutUrlOf } from '../identity-providers/sign-out.ts';
import { isBreakGlass } from '../identity-providers/store.ts';
import { resetMinutes } from './mails.ts';
import type { Realm, RealmUser } from './realm.ts';
import { refuseWaiting, refuseWeakPassword } from './rules.ts';
import { listSessions, presentSession } from './store.ts';

type OwnContext = CallerContext<TenantTransaction>;
type LinkContext = Pick<Context<Kysely<Schema>>, 'transaction' | 'mail' | 'setHeader' | 'now'>;

/** Hides what is left of the difference between a known address and another: attempts are too few to average it out. */
const mostNoiseMs = 60;

/** Someone signed in, by both names that stores take. */
interface Own {
  readonly key: { readonly organizationId: string; readonly userId: string };
  readonly owner: { readonly tenantId: string; readonly userId: string };
  readonly sessionId: string;
}

/** @throws ApiError `forbidden` for a service account, which has no password, profile or session */
export function signedIn(caller: Caller): Own {
  if (caller.sessionId === null) {
    throw new ApiError('forbidden', { message: 'Only signed-in people can do this, not service accounts.' });
  }
  const { homeOrganizationId: organizationId, id: userId, sessionId } = caller;
  return { key: { organizationId, userId }, owner: { tenantId: organizationId, userId }, sessionId };
}

/** `invalid_request` for the token of a link that can’t set a password, or no longer. */
export function usedLink(): ApiError {
  return fieldError('token', 'This link was already used or is older than an hour. Request a new one.');
}

/** What users of a realm do with their own accounts: password, one-time codes, sessions. */
export function ownAccount<User extends RealmUser>(parts: Parts, realm: Realm<User>) {
  const { sessions, oneTimeCodes, passwordResets } = realm;
  const { system } = parts.database;
  const actor = { kind: realm.kind === 'portal' ? 'portal_user' : 'user' } as const;

  /**
   * Asks for the password once more, since a session may have been left open. Attempts are counted by session.
   *
   * @param checkMore throws where the attempt fails although the password is right
   */
  async function checkPassword(
    { sessionId }: Own,
    { password_hash }: User,
    given: { readonly field: string; readonly password: string },
    checkMore: () => Promise<void> = async () => undefined,
  ): Promise<void> {
    const counter = sessionCounter(sessionId);
    refuseWaiting(await countAttempt(system, [counter]));
    if (!(await passwordMatches(password_hash, given.password))) {
      throw fieldError(given.field, 'This password is wrong.');
    }
    await checkMore();
    await forgetAttempts(system, counter);
  }

  return {
    /**
     * Signs somebody in who proved who they are. What the browser was signed in as before is over: no token from before a
     * sign-in is worth anything after it.
     *
     * @param browser.deviceId null if the device never signed in to the account
     */
    beginSession: async (
      user: User,
      browser: {
        readonly caller: Caller | null;
        readonly origin: Origin;
        readonly now: Date;
        readonly deviceId: string | null;
      },
      { transaction, setHeader }: Pick<LinkContext, 'transaction' | 'setHeader'>,
    ): Promise<{ readonly sessionId: string; readonly change: Change }> => {
      const { caller, origin, now, deviceId } = browser;
      const { id: userId, organization_id: organizationId } = user;
      if (caller?.sessionId) {
        // A session of another organization’s portal is out of the transaction’s sight.
        const database = caller.homeOrganizationId === organizationId ? transaction : system;
        await sessions.end(database, caller.homeOrganizationId, caller.id, caller.sessionId);
      }
      const { secret, hash } = newSecret();
      const session = await sessions.begin(transaction, organizationId, userId, {
        id: newId(realm.sessionPrefix, now.getTime()),
        tokenHash: hash,
        address: origin.ip,
        userAgent: origin.userAgent,
      });
      const device = realm.devicesOf(organizationId).write(user.email, deviceId);
      setHeader('set-cookie', [sessionCookie(secret, parts.secureCookies, realm.kind), device]);
      const { current: _, ...after } = presentSession(session, session.id);
      return {
        sessionId: session.id,
        change: {
          entityId: session.id,
          before: null,
          after,
          organizationId,
          actor: { ...actor, id: userId, name: user.name },
        },
      };
    },

    signOut: {
      // The provider’s metadata can take seconds, and no transaction waits for it.
      prepare: async (_input: unknown, { caller }: Pick<OwnContext, 'caller'>) => {
        const { key, owner, sessionId } = signedIn(caller);
        const signOutUrl = await signOutUrlOf(parts, realm.providers, key, sessionId);
        return async ({ transaction, setHeader }: OwnContext): Promise<Written<{ signOutUrl: string | null }>> => {
          const ended = found(await sessions.end(transaction, owner.tenantId, owner.userId, sessionId));
          setHeader('set-cookie', endedSessionCookie(parts.secureCookies, realm.kind));
          const change = { entityId: ended.id, before: presentSession(ended, null), after: null };
          return { data: { signOutUrl }, change };
        };
      },
    },

    listSessions: ({ query }: { readonly query: Listing }, { caller, transaction }: OwnContext) => {
      const { owner, sessionId } = signedIn(caller);
      return listSessions(transaction, realm, owner.userId, query, sessionId);
    },

    endOtherSessions: async (
      _input: unknown,
      { caller, transaction }: OwnContext,
    ): Promise<Written<{ endedSessions: number }>> => {
      const { owner, sessionId } = signedIn(caller);
      const endedSessions = await sessions.endAll(transaction, owner.tenantId, owner.userId, { except: sessionId });
      return {
        data: { endedSessions },
        change: { entityId: null, before: null, after: null, note: `${endedSessions} sessions ended.` },
      };
    },

    endSession: async (
      { params }: { readonly params: { readonly sessionId: string } },
      { caller, transaction, setHeader }: OwnContext,
    ): Promise<Written<Record<string, never>>> => {
      const { owner, sessionId } = signedIn(caller);
      const ended = found(await sessions.end(transaction, owner.tenantId, owner.userId, params.sessionId));
      if (ended.id === sessionId) setHeader('set-cookie', endedSessionCookie(parts.secureCookies, realm.kind));
      return { data: {}, change: { entityId: ended.id, before: presentSession(ended, null), after: null } };
    },

    changePassword: async (
      { body }: { readonly body: { readonly currentPassword: string; readonly newPassword: string } },
      { caller, transaction, mail, setHeader }: OwnContext,
    ): Promise<Written<{ endedSessions: number }>> => {
      const own = signedIn(caller);
      const { tenantId, userId } = own.owner;
      await checkPassword(own, found(await realm.findUser(transaction, userId)), {
        field: 'currentPassword',
        password: body.currentPassword,
      });
      const before = found(await realm.findUser(transaction, userId, { lock: true }));
      if (body.newPassword === body.currentPassword)
        throw fieldError('newPassword', 'Choose a password other than the current one.');
      const organization = await realm.findOrganizationName(transaction);
      refuseWeakPassword('newPassword', body.newPassword, { ...before, organization });
      const password_hash = await hashPassword(body.newPassword);
      const after = await realm.updateUser(transaction, own.key, { password_hash });
      const endedSessions = await sessions.endAll(transaction, tenantId, userId, { except: own.sessionId });
      await passwordResets.deleteAll(transaction, own.owner);
      const { secret, hash } = newSecret();
      await sessions.renew(transaction, tenantId, own.sessionId, hash);
      setHeader('set-cookie', sessionCookie(secret, parts.secureCookies, realm.kind));
      await mail(await realm.securityMail(transaction, after, 'password_changed'));
      return {
        data: { endedSessions },
        change: {
          entityId: userId,
          before: realm.present(before),
          after: realm.present(after),
          note: `The password was changed; ${endedSessions} other sessions ended.`,
        },
      };
    },

    startMfa: async (
      { body }: { readonly body: { readonly password: string } },
      { caller, transaction }: OwnContext,
    ): Promise<Written<{ secret: string; otpauthUrl: string }>> => {
      const own = signedIn(caller);
      const { userId } = own.owner;
      const before = found(await realm.findUser(transaction, userId));
      await checkPassword(own, before, { field: 'password', password: body.password });
      if (before.mfa_secret !== null)
        throw new ApiError('conflict', { message: 'One-time codes are already on. Turn them off first.' });
      const issuer = await realm.findIssuer(transaction);
      const data = await oneTimeCodes.begin(transaction, { ...own.owner, email: before.email, issuer });
      const after = await realm.updateUser(transaction, own.key, {});
      return {
        data,
        change: {
          entityId: userId,
          before: realm.present(before),
          after: realm.present(after),
          note: 'A secret for one-time codes was made; it is in use once confirmed.',
        },
      };
    },

    confirmMfa: async (
      { body }: { readonly body: { readonly oneTimeCode: string } },
      { caller, transaction, mail, now }: OwnContext,
    ): Promise<Written<{ recoveryCodes: string[] }>> => {
      const { key, owner, sessionId } = signedIn(caller);
      const before = found(await realm.findUser(transaction, owner.userId, { lock: true }));
      if (before.mfa_pending_secret === null) {
        throw new ApiError('conflict', { message: 'Start setting up one-time codes first.' });
      }
      const pending = { ...owner, pendingSecret: before.mfa_pending_secret };
      const recoveryCodes = await oneTimeCodes.confirm(transaction, pending, body.oneTimeCode, now);
      if (recoveryCodes === null)
        throw fieldError('oneTimeCode', 'This code is wrong. Check the clock of your device.');
      const after = await realm.updateUser(transaction, key, {});
      const endedSessions = await sessions.endAll(transaction, owner.tenantId, owner.userId, { except: sessionId });
      await mail(await realm.securityMail(transaction, after, 'codes_on'));
      return {
        data: { recoveryCodes: [...recoveryCodes] },
        change: {
          entityId: owner.userId,
          before: realm.present(before),
          after: realm.present(after),
          note: `${endedSessions} other sessions ended.`,
        },
      };
    },

    removeMfa: async (
      { body }: { readonly body: { readonly password: string; readonly oneTimeCode: string } },
      { caller, transaction, mail, now }: OwnContext,
    ): Promise<Written<Record<string, never>>> => {
      const own = signedIn(caller);
      const before = found(await realm.findUser(transaction, own.owner.userId));
      const { mfa_secret: secret } = before;
      if (secret === null) throw new ApiError('conflict', { message: 'One-time codes are off.' });
      const { tenantId, userId } = own.owner;
      refuseLossOfBreakGlass(await isBreakGlass(transaction, tenantId, userId), 'without one-time codes');
      await checkPassword(own, before, { field: 'password', password: body.password }, async () => {
        if (await oneTimeCodes.take(system, { ...own.owner, secret }, body.oneTimeCode, now)) return;
        throw fieldError('oneTimeCode', 'This code is wrong or was already used. Wait for the next one.');
      });
      await oneTimeCodes.remove(transaction, own.owner);
      const after = await realm.updateUser(transaction, own.key, {});
      await mail(await realm.securityMail(transaction, after, 'codes_off'));
      return {
        data: {},
        change: { entityId: own.owner.userId, before: realm.present(before), after: realm.present(after) },
      };
    },

    /**
     * Counts a request for a link, whether an account exists or not.
     *
     * @returns whether the address may be sent one: after enough links it isn’t for a while, and the answer doesn’t tell
     * @throws ApiError `too_many_requests` if too many came from the same network
     */
    countResetRequest: async (realmName: string, email: string, { ip }: Origin): Promise<boolean> => {
      refuseWaiting(await countAttempt(system, [addressCounter('reset', ip, realmName)]));
      await sleep(randomInt(mostNoiseMs));
      return (await countAttempt(system, [mailCounter('reset', email, realmName)])) === 0;
    },

    /** Sends a link to set a new password, if there is a user; without one, it takes the same time. */
    sendReset: async (
      user: User | null,
      organizationId: string,
      { transaction, mail, now }: LinkContext,
    ): Promise<void> => {
      const { secret, hash } = newSecret();
      const expiresAt = new Date(now.getTime() + resetMinutes * 60_000);
      const owner = user && { tenantId: user.organization_id, userId: user.id };
      await passwordResets.insert(transaction, owner, { id: newId('pwr'), tokenHash: hash, expiresAt });
      const mailTo = await realm.resetMailer(transaction, organizationId);
      if (user !== null) await mail(mailTo(user, secret));
      // The time of a statement, as the mail’s takes.
      else await sql`select 1`.execute(transaction);
    },

    /**
     * Sets a password by a link, which it uses up.
     *
     * @throws ApiError for the field `token` if the link was used meanwhile
     */
    setPasswordByLink: async (
      user: User,
      { tokenHash, passwordHash, origin }: { tokenHash: Buffer; passwordHash: string; origin: Origin },
      { transaction, mail, setHeader }: LinkContext,
    ): Promise<Written<Record<string, never>>> => {
      const { organization_id: organizationId, id: userId } = user;
      const owner = { tenantId: organizationId, userId };
      if (!(await passwordResets.take(transaction, owner, tokenHash))) throw usedLink();
      const after = await realm.updateUser(transaction, { organizationId, userId }, { password_hash: passwordHash });
      const endedSessions = await sessions.endAll(transaction, organizationId, userId);
      await passwordResets.deleteAll(transaction, owner);
      // Whoever has the mailbox is the owner, who is not to wait for what strangers did.
      const [pair] = signInCounters(user.email, origin.ip, null, realm.nameOf(organizationId));
      await forgetAttempts(transaction, pair);
      const devices = realm.devicesOf(organizationId);
      setHeader('set-cookie', devices.write(user.email, devices.read(origin.cookies, user.email)));
      await mail(await realm.securityMail(transaction, after, 'password_changed'));
      return {
        data: {},
        change: {
          entityId: userId,
          before: realm.present(user),
          after: realm.present(after),
          organizationId,
          actor: { ...actor, id: userId, name: user.name },
          note: `The password was set by a link; ${endedSessions} sessions ended.`,
        },
      };
    },
  };
}
