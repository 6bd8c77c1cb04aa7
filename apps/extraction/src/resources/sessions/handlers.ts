import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sealer } from '@millrace/encryption';
import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import type { Devices } from '@millrace/sign-in/devices';
import type { IdentityProviders } from '@millrace/sign-in/identity-provider';
import type { OneTimeCodes } from '@millrace/sign-in/one-time-codes';
import { hashPassword, type PasswordOwner, passwordFault, passwordMatches } from '@millrace/sign-in/passwords';
import { hashSecret, newSecret } from '@millrace/sign-in/secrets';
import { checkSignIn, codeMessage, type SignInFailure } from '@millrace/sign-in/sign-in';
import {
  addressCounter,
  claimNotice,
  countAttempt,
  forgetAttempts,
  mailCounter,
  sessionCounter,
  signInCounters,
} from '@millrace/sign-in/throttle';
import type { FastifyBaseLogger } from 'fastify';
import { insertUser, isAddressTaken } from '../../accounts/store.ts';
import type { ExtractionDatabase, TenantTransaction } from '../../database/schema.ts';
import type { DashboardCaller, Visitor } from '../../http/dashboard-caller.ts';
import { setDashboardCookie } from '../../http/dashboard-cookie.ts';
import { refuseFor, tooSoon } from '../../http/dashboard-frame.ts';
import { sessions } from '../../http/dashboard-sessions.ts';
import { ApiError, fieldError } from '../../http/errors.ts';
import { newId } from '../../identifiers.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { findAccount } from '../account/store.ts';
import { passwordRefused } from '../identity-provider/rules.ts';
import { findSignOutUrl } from '../identity-provider/sign-out.ts';
import { findProvider, listAdministrators } from '../identity-provider/store.ts';
import type { sessionOperations, sessionVisitorOperations } from './contract.ts';
import { breakGlassMail, failedSignInsMail, passwordChangedMail, resetMail } from './mails.ts';
import { resetMinutes, sessionAnswer, tooManyAttempts, uselessLink } from './rules.ts';
import {
  deletePasswordResets,
  findActiveUser,
  findCurrentSession,
  findInvitation,
  findPasswordReset,
  findUser,
  insertPasswordReset,
  listSessions,
  recordSignIn,
  type SigningIn,
  setName,
  setPassword,
  takeInvitation,
  takePasswordReset,
} from './store.ts';

export interface SessionParts {
  readonly database: ExtractionDatabase;
  readonly outbox: Outbox;
  /** Called after a commit that put mail into the outbox. */
  readonly onMail: () => void;
  /** Where people reach the dashboard, without a slash at the end; for the links in e-mails. */
  readonly dashboardUrl: () => string;
  /** Where the console of API management is, for the app switcher; null if unknown. */
  readonly consoleUrl: () => string | null;
  /** Whether browsers reach the service by TLS. */
  readonly secureCookies: boolean;
  /** Devices that users were signed in from. */
  readonly devices: Devices;
  readonly oneTimeCodes: OneTimeCodes;
  /** Sign people in by their accounts’ identity providers. */
  readonly identityProviders: IdentityProviders;
  /** Of client secrets and the tokens of sessions. */
  readonly identityProviderSecrets: Sealer;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
}

/** Hides what is left of the difference between a known address and another: attempts are too few to average it out. */
const mostNoiseMs = 60;

export function sessionHandlers(parts: SessionParts): Handlers<typeof sessionOperations, DashboardCaller> {
  const { database, outbox, secureCookies } = parts;
  const within = <Result>(
    { accountId }: DashboardCaller,
    work: (transaction: TenantTransaction) => Promise<Result>,
  ): Promise<Result> => tenantTransaction(database, accountId, work);

  return {
    async signOut(_input, caller) {
      const signOutUrl = await findSignOutUrl(parts, caller.accountId, caller.sessionId);
      await within(caller, (transaction) =>
        sessions.end(transaction, caller.accountId, caller.userId, caller.sessionId),
      );
      return { status: 200, body: { signOutUrl }, headers: { 'set-cookie': setDashboardCookie('', secureCookies) } };
    },

    async getSession(_input, caller) {
      const session = await within(caller, (transaction) => currentSession(parts, transaction, caller.sessionId));
      if (session === null) throw new ApiError('not_signed_in');
      return { status: 200, body: session };
    },

    async updateProfile({ body: { name } }, caller) {
      const session = await within(caller, async (transaction) => {
        if (name !== undefined) await setName(transaction, caller.userId, name);
        return currentSession(parts, transaction, caller.sessionId);
      });
      if (session === null) throw new ApiError('not_signed_in');
      return { status: 200, body: session };
    },

    async listSessions(_input, caller) {
      const found = await within(caller, (transaction) => listSessions(transaction, caller.userId));
      const items = found.map((session) => sessionAnswer(session, caller.sessionId));
      return { status: 200, body: { items, nextCursor: null } };
    },

    async endSession({ params: { id } }, caller) {
      const ended = await within(caller, (transaction) =>
        sessions.end(transaction, caller.accountId, caller.userId, id),
      );
      if (ended === null) throw new ApiError('not_found');
      if (id !== caller.sessionId) return { status: 200, body: {} };
      return { status: 200, body: {}, headers: { 'set-cookie': setDashboardCookie('', secureCookies) } };
    },

    async endOtherSessions(_input, caller) {
      const endedSessions = await within(caller, (transaction) =>
        sessions.endAll(transaction, caller.accountId, caller.userId, { except: caller.sessionId }),
      );
      return { status: 200, body: { endedSessions } };
    },

    async changePassword({ body: { currentPassword, newPassword } }, caller) {
      const counter = sessionCounter(caller.sessionId);
      refuseFor(await countAttempt(database.system, [counter]), tooManyAttempts);
      const user = await within(caller, (transaction) => findUser(transaction, caller.userId));
      if (user === null || !(await passwordMatches(user.password_hash, currentPassword))) {
        throw fieldError('currentPassword', 'This password is wrong.');
      }
      await forgetAttempts(database.system, counter);
      if (newPassword === currentPassword)
        throw fieldError('newPassword', 'Choose a password other than the current one.');
      const { name: organization } = await within(caller, findAccount);
      refuseWeakPassword('newPassword', newPassword, { ...user, organization });
      const password = { hash: await hashPassword(newPassword), checkedHash: user.password_hash };
      const { secret, hash } = newSecret();
      const endedSessions = await within(caller, async (transaction) => {
        if (!(await setPassword(transaction, caller.userId, password))) throw new ApiError('conflict');
        await deletePasswordResets(transaction, caller.userId);
        await sessions.renew(transaction, caller.accountId, caller.sessionId, hash);
        await outbox.put(transaction, caller.accountId, passwordChangedMail(user.email));
        return sessions.endAll(transaction, caller.accountId, caller.userId, { except: caller.sessionId });
      });
      parts.onMail();
      return {
        status: 200,
        body: { endedSessions },
        headers: { 'set-cookie': setDashboardCookie(secret, secureCookies) },
      };
    },
  };
}

export function sessionVisitorHandlers(parts: SessionParts): Handlers<typeof sessionVisitorOperations, Visitor> {
  const { database, outbox, log, secureCookies, devices } = parts;
  const { system } = database;

  /** Warns a user, once a day, about repeated failures to sign in as them. */
  async function warn(user: SigningIn, address: string): Promise<void> {
    try {
      if (!(await claimNotice(system, user.email))) return;
      const link = `${parts.dashboardUrl()}/forgot-password`;
      await tenantTransaction(database, user.account_id, (transaction) =>
        outbox.put(transaction, user.account_id, failedSignInsMail(user.email, address, link)),
      );
      log.warn({ user: user.id, address }, 'many sign-ins failed: the user was warned by mail');
      parts.onMail();
    } catch (error) {
      log.warn({ error }, 'a user was not warned of failed sign-ins');
    }
  }

  return {
    /** Sign-in: {@link checkSignIn} → session begun. */
    async signIn({ body }, visitor) {
      const { address, userAgent, cookies } = visitor;
      const result = await checkSignIn(
        {
          system,
          devices,
          findUser: (email) => findActiveUser(system, email),
          isActive: () => true,
          takeCode: ({ account_id: tenantId, id: userId, mfa_secret }, code) =>
            parts.oneTimeCodes.take(system, { tenantId, userId, secret: mfa_secret! }, code, new Date()),
          recordFailure: async (user, failure) =>
            log.warn({ user: user?.id ?? null, address, failure }, 'a sign-in failed'),
          warn: (user) => warn(user, address),
        },
        { ...body, address, cookies },
      );
      if (result.outcome === 'waiting') throw tooSoon(result.seconds, tooManyAttempts);
      if (result.outcome === 'failed') throw signInFailed(result.failure);
      const { user, deviceId } = result;
      await refuseEnforced(parts, user, address);
      // Signing in ends the browser's previous session: no earlier token stays valid.
      if (visitor.sessionToken !== null) await sessions.endOfToken(system, visitor.sessionToken);
      const { secret, hash } = newSecret();
      const session = await tenantTransaction(database, user.account_id, async (transaction) => {
        if (!(await recordSignIn(transaction, user))) throw new ApiError('sign_in_failed');
        const id = newId('ses');
        await sessions.begin(transaction, user.account_id, user.id, { id, tokenHash: hash, address, userAgent });
        return currentSession(parts, transaction, id);
      });
      if (session === null) throw new ApiError('sign_in_failed');
      log.info({ user: user.id, address }, 'signed in');
      const setCookies = [setDashboardCookie(secret, secureCookies), devices.write(user.email, deviceId)];
      return { status: 200, body: session, headers: { 'set-cookie': setCookies } };
    },

    async requestPasswordReset({ body: { email } }, visitor) {
      refuseFor(
        await countAttempt(system, [addressCounter('reset', visitor.address)]),
        'Too many links were asked for',
      );
      // A user who was sent enough links gets none for a while, and the answer does not tell.
      await sleep(randomInt(mostNoiseMs));
      const waiting = (await countAttempt(system, [mailCounter('reset', email)])) > 0;
      const user = await findActiveUser(system, email);
      if (user === null || waiting) return { status: 200, body: {} };
      const { secret, hash } = newSecret();
      // Not awaited, so that the response time doesn't reveal whether there was something to write.
      void tenantTransaction(database, user.account_id, async (transaction) => {
        await insertPasswordReset(transaction, user.id, { tokenHash: hash, minutes: resetMinutes });
        const link = `${parts.dashboardUrl()}/reset-password?token=${secret}`;
        await outbox.put(transaction, user.account_id, resetMail(user.email, link));
      }).then(parts.onMail, (error: unknown) => log.warn({ error }, 'a link to set a password was not made'));
      return { status: 200, body: {} };
    },

    async resetPassword({ body: { token, newPassword } }, visitor) {
      const tokenHash = hashSecret(token);
      const user = await findPasswordReset(system, tokenHash);
      if (user === null) throw uselessLink();
      const { name: organization } = await tenantTransaction(database, user.account_id, findAccount);
      refuseWeakPassword('newPassword', newPassword, { ...user, organization });
      const password = { hash: await hashPassword(newPassword) };
      await tenantTransaction(database, user.account_id, async (transaction) => {
        if (!(await takePasswordReset(transaction, tokenHash))) throw uselessLink();
        if (!(await setPassword(transaction, user.id, password))) throw uselessLink();
        await sessions.endAll(transaction, user.account_id, user.id);
        await deletePasswordResets(transaction, user.id);
        await outbox.put(transaction, user.account_id, passwordChangedMail(user.email));
      });
      // Who can read the mailbox is the owner, and must not have to wait because of strangers.
      const [pair] = signInCounters(user.email, visitor.address, null);
      await forgetAttempts(system, pair);
      parts.onMail();
      const device = devices.write(user.email, devices.read(visitor.cookies, user.email));
      return { status: 200, body: { email: user.email }, headers: { 'set-cookie': device } };
    },

    async acceptInvitation({ body }) {
      const tokenHash = hashSecret(body.token);
      const invitation = await findInvitation(system, tokenHash);
      if (invitation === null) throw uselessLink();
      const { email } = invitation;
      const { name: organization } = await tenantTransaction(database, invitation.account_id, findAccount);
      refuseWeakPassword('password', body.password, { email, name: body.name, organization });
      const passwordHash = await hashPassword(body.password);
      await tenantTransaction(database, invitation.account_id, async (transaction) => {
        const taken = await takeInvitation(transaction, tokenHash);
        if (taken === null) throw uselessLink();
        await insertUser(transaction, { email, name: body.name, role: taken.role, passwordHash });
      }).catch((error: unknown) => {
        if (!isAddressTaken(error)) throw error;
        throw new ApiError('conflict', { message: 'This e-mail address already belongs to a user.' });
      });
      return { status: 200, body: { email } };
    },
  };
}

/**
 * Refuses a password where the account enforces its identity provider. The break-glass administrator gets in, which is
 * reported to every administrator by e-mail.
 *
 * @throws ApiError `sign_in_failed`
 */
async function refuseEnforced(parts: SessionParts, user: SigningIn, address: string): Promise<void> {
  const { database, outbox, log } = parts;
  const { id, account_id: accountId, email, name, mfa_secret: mfaSecret } = user;
  const provider = await findProvider(database.system, accountId);
  if (!provider?.enforced) return;
  if (provider.break_glass_user_id !== id || mfaSecret === null) throw passwordRefused(provider.name);
  await tenantTransaction(database, accountId, async (transaction) => {
    for (const administrator of await listAdministrators(transaction)) {
      await outbox.put(transaction, accountId, breakGlassMail(administrator, { email, name, address }));
    }
  });
  parts.onMail();
  log.warn({ user: id, address }, 'the break-glass administrator signed in with a password');
}

/** The session, with the way to the console. */
async function currentSession({ consoleUrl }: SessionParts, transaction: TenantTransaction, sessionId: string) {
  const session = await findCurrentSession(transaction, sessionId);
  return session && { ...session, consoleUrl: consoleUrl() };
}

function signInFailed(failure: SignInFailure): ApiError {
  const message = codeMessage(failure);
  return new ApiError('sign_in_failed', message === null ? {} : { message, errors: { oneTimeCode: message } });
}

function refuseWeakPassword(path: string, password: string, owner: PasswordOwner): void {
  const fault = passwordFault(password, owner);
  if (fault !== null) throw fieldError(path, fault);
}
