import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { oneTimeCodesIn } from '@millrace/sign-in/one-time-codes';
import { hashPassword, passwordMatches } from '@millrace/sign-in/passwords';
import { hashSecret, newSecret } from '@millrace/sign-in/secrets';
import {
  addressCounter,
  countAttempt,
  forgetAttempts,
  mailCounter,
  sessionCounter,
  signInCounters,
} from '@millrace/sign-in/throttle';
import type { Caller } from '../../frame/caller.ts';
import { endedSessionCookie, sessionCookie } from '../../frame/credentials.ts';
import { ApiError, fieldError, found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import { sessions } from '../../frame/sessions.ts';
import type { authOperations } from './contract.ts';
import { resetMail, resetMinutes, securityMail } from './mails.ts';
import { refuseWaiting, refuseWeakPassword } from './rules.ts';
import { loginHandler, takeCode } from './sign-in.ts';
import {
  deletePasswordResets,
  findAccount,
  findCurrentSession,
  findHomeOrganization,
  findPasswordReset,
  findPlatformOrganization,
  findUser,
  insertPasswordReset,
  listSessions,
  presentProfile,
  presentSession,
  takePasswordReset,
  type UserKey,
  updateUser,
} from './store.ts';

/** Hides what is left of the difference between a known address and another: attempts are too few to average it out. */
const mostNoiseMs = 60;

export function authHandlers(parts: Parts): Handlers<typeof authOperations> {
  const oneTimeCodes = oneTimeCodesIn({
    users: 'users',
    recoveryCodes: 'mfa_recovery_codes',
    tenantColumn: 'organization_id',
    sealer: parts.sealer,
  });
  return {
    login: loginHandler(parts, oneTimeCodes),

    logout: async (_input, { caller, transaction, setHeader }) => {
      const { user, sessionId } = signedIn(caller);
      const ended = found(await sessions.end(transaction, user.organizationId, user.userId, sessionId));
      setHeader('set-cookie', endedSessionCookie(parts.secureCookies));
      return { data: {}, change: { entityId: ended.id, before: presentSession(ended, null), after: null } };
    },

    getSession: async (_input, { caller, transaction }) => {
      const dashboardUrl = parts.dashboardUrl();
      if (caller.kind === 'user') {
        const { user, sessionId } = signedIn(caller);
        return { ...(await findCurrentSession(transaction, user, sessionId)), dashboardUrl };
      }
      return {
        kind: 'service_account',
        user: null,
        serviceAccount: { id: caller.id, name: caller.name },
        organization: await findHomeOrganization(transaction),
        roles: [],
        permissions: [...caller.permissions].sort(),
        superAdmin: false,
        dashboardUrl,
        expiresAt: null,
      };
    },

    updateProfile: async ({ body }, { caller, transaction }) => {
      const { user } = signedIn(caller);
      const before = found(await findUser(transaction, user.userId, { lock: true }));
      const after = presentProfile(
        await updateUser(transaction, user, {
          ...(body.name === undefined ? {} : { name: body.name }),
          ...(body.timeZone === undefined ? {} : { time_zone: body.timeZone }),
          ...(body.locale === undefined ? {} : { locale: body.locale }),
        }),
      );
      return { data: after, change: { entityId: user.userId, before: presentProfile(before), after } };
    },

    changePassword: async ({ body }, { caller, transaction, mail, setHeader }) => {
      const { user, sessionId } = signedIn(caller);
      await checkOwnPassword(parts, sessionId, found(await findUser(transaction, user.userId)), {
        field: 'currentPassword',
        password: body.currentPassword,
      });
      const before = found(await findUser(transaction, user.userId, { lock: true }));
      if (body.newPassword === body.currentPassword)
        throw fieldError('newPassword', 'Choose a password other than the current one.');
      const { displayName: organization } = await findHomeOrganization(transaction);
      refuseWeakPassword('newPassword', body.newPassword, { ...before, organization });
      const after = await updateUser(transaction, user, { password_hash: await hashPassword(body.newPassword) });
      const endedSessions = await sessions.endAll(transaction, user.organizationId, user.userId, { except: sessionId });
      await deletePasswordResets(transaction, user);
      const { secret, hash } = newSecret();
      await sessions.renew(transaction, user.organizationId, sessionId, hash);
      setHeader('set-cookie', sessionCookie(secret, parts.secureCookies));
      await mail(securityMail({ ...user, email: after.email }, 'Your password was changed'));
      return {
        data: { endedSessions },
        change: {
          entityId: user.userId,
          before: presentProfile(before),
          after: presentProfile(after),
          note: `The password was changed; ${endedSessions} other sessions ended.`,
        },
      };
    },

    requestPasswordReset: {
      prepare: async ({ body: { email } }, { origin, now }) => {
        refuseWaiting(await countAttempt(parts.database.system, [addressCounter('reset', origin.ip)]));
        // An account that was sent enough links gets none for a while, and the answer does not tell.
        await sleep(randomInt(mostNoiseMs));
        const waiting = (await countAttempt(parts.database.system, [mailCounter('reset', email)])) > 0;
        const account = await findAccount(parts.database.system, email);
        const platformId = await findPlatformOrganization(parts.database.system);
        const active = account?.state === 'active' && account.organization_state === 'active' && !waiting;
        const user = active ? { organizationId: account.organization_id, userId: account.id } : null;
        return async ({ transaction, mail }) => {
          const { secret, hash } = newSecret();
          const expiresAt = new Date(now.getTime() + resetMinutes * 60_000);
          await insertPasswordReset(transaction, user, { tokenHash: hash, expiresAt });
          const link = `${parts.publicUrl()}/reset-password?token=${secret}`;
          if (user !== null) await mail(resetMail({ ...user, email }, link));
          // The time of a statement, as the mail's takes.
          else await findPlatformOrganization(transaction);
          const organizationId = account?.organization_id ?? platformId;
          if (organizationId === null) return { data: {}, change: null };
          const note =
            account === null
              ? `No account has the e-mail address ${email}: nothing was sent.`
              : user === null
                ? 'Nothing was sent: suspended, or asked for too often.'
                : 'A link was sent.';
          return {
            data: {},
            change: { entityId: account?.id ?? null, before: null, after: null, organizationId, note },
          };
        };
      },
    },

    confirmPasswordReset: {
      prepare: async ({ body }, { origin }) => {
        const tokenHash = hashSecret(body.token);
        const account = await findPasswordReset(parts.database.system, tokenHash);
        if (account === null || account.state !== 'active' || account.organization_state !== 'active') throw usedLink();
        const { email, name, organization_name: organization } = account;
        refuseWeakPassword('newPassword', body.newPassword, { email, name, organization });
        const passwordHash = await hashPassword(body.newPassword);
        const user = { organizationId: account.organization_id, userId: account.id };
        return async ({ transaction, mail, setHeader }) => {
          if (!(await takePasswordReset(transaction, user, tokenHash))) throw usedLink();
          const after = await updateUser(transaction, user, { password_hash: passwordHash });
          const endedSessions = await sessions.endAll(transaction, user.organizationId, user.userId);
          await deletePasswordResets(transaction, user);
          // Whoever has the mailbox is the owner, who is not to wait for what strangers did.
          const [pair] = signInCounters(account.email, origin.ip, null);
          await forgetAttempts(transaction, pair);
          const deviceId = parts.devices.read(origin.cookies, account.email);
          setHeader('set-cookie', parts.devices.write(account.email, deviceId));
          await mail(securityMail({ ...user, email: account.email }, 'Your password was changed'));
          return {
            data: {},
            change: {
              entityId: account.id,
              before: presentProfile(account),
              after: presentProfile(after),
              organizationId: account.organization_id,
              actor: { kind: 'user', id: account.id, name: account.name },
              note: `The password was set by a link; ${endedSessions} sessions ended.`,
            },
          };
        };
      },
    },

    listOwnSessions: ({ query }, { caller, transaction }) => {
      const { user, sessionId } = signedIn(caller);
      return listSessions(transaction, user.userId, query, sessionId);
    },

    endOtherSessions: async (_input, { caller, transaction }) => {
      const { user, sessionId } = signedIn(caller);
      const endedSessions = await sessions.endAll(transaction, user.organizationId, user.userId, { except: sessionId });
      return {
        data: { endedSessions },
        change: { entityId: null, before: null, after: null, note: `${endedSessions} sessions ended.` },
      };
    },

    endOwnSession: async ({ params }, { caller, transaction, setHeader }) => {
      const { user, sessionId } = signedIn(caller);
      const ended = found(await sessions.end(transaction, user.organizationId, user.userId, params.sessionId));
      if (ended.id === sessionId) setHeader('set-cookie', endedSessionCookie(parts.secureCookies));
      return { data: {}, change: { entityId: ended.id, before: presentSession(ended, null), after: null } };
    },

    startMfa: async ({ body }, { caller, transaction }) => {
      const { user, sessionId } = signedIn(caller);
      const before = found(await findUser(transaction, user.userId));
      await checkOwnPassword(parts, sessionId, before, { field: 'password', password: body.password });
      if (before.mfa_secret !== null)
        throw new ApiError('conflict', { message: 'One-time codes are already on. Turn them off first.' });
      const owner = { tenantId: user.organizationId, userId: user.userId };
      const data = await oneTimeCodes.begin(transaction, { ...owner, email: before.email, issuer: 'Millrace' });
      const after = await updateUser(transaction, user, {});
      return {
        data,
        change: {
          entityId: user.userId,
          before: presentProfile(before),
          after: presentProfile(after),
          note: 'A secret for one-time codes was made; it is in use once confirmed.',
        },
      };
    },

    confirmMfa: async ({ body }, { caller, transaction, mail, now }) => {
      const { user, sessionId } = signedIn(caller);
      const before = found(await findUser(transaction, user.userId, { lock: true }));
      if (before.mfa_pending_secret === null) {
        throw new ApiError('conflict', { message: 'Start with POST /api/auth/mfa.' });
      }
      const owner = { tenantId: user.organizationId, userId: user.userId, pendingSecret: before.mfa_pending_secret };
      const recoveryCodes = await oneTimeCodes.confirm(transaction, owner, body.oneTimeCode, now);
      if (recoveryCodes === null)
        throw fieldError('oneTimeCode', 'This code is wrong. Check the clock of your device.');
      const after = await updateUser(transaction, user, {});
      const endedSessions = await sessions.endAll(transaction, user.organizationId, user.userId, { except: sessionId });
      await mail(securityMail({ ...user, email: after.email }, 'One-time codes were turned on for your account'));
      return {
        data: { recoveryCodes: [...recoveryCodes] },
        change: {
          entityId: user.userId,
          before: presentProfile(before),
          after: presentProfile(after),
          note: `${endedSessions} other sessions ended.`,
        },
      };
    },

    removeMfa: async ({ body }, { caller, transaction, mail, now }) => {
      const { user, sessionId } = signedIn(caller);
      const before = found(await findUser(transaction, user.userId));
      if (before.mfa_secret === null) throw new ApiError('conflict', { message: 'One-time codes are off.' });
      const given = { field: 'password', password: body.password };
      await checkOwnPassword(parts, sessionId, before, given, async () => {
        if (await takeCode(parts, oneTimeCodes, before, body.oneTimeCode, now)) return;
        throw fieldError('oneTimeCode', 'This code is wrong or was already used. Wait for the next one.');
      });
      await oneTimeCodes.remove(transaction, { tenantId: user.organizationId, userId: user.userId });
      const after = await updateUser(transaction, user, {});
      await mail(securityMail({ ...user, email: after.email }, 'One-time codes were turned off for your account'));
      return {
        data: {},
        change: { entityId: user.userId, before: presentProfile(before), after: presentProfile(after) },
      };
    },
  };
}

/** @throws ApiError `forbidden` for a service account, which has no password, profile or session */
function signedIn(caller: Caller): { readonly user: UserKey; readonly sessionId: string } {
  if (caller.kind !== 'user' || caller.sessionId === null) {
    throw new ApiError('forbidden', {
      message: 'Only signed-in people can do this, not service accounts.',
    });
  }
  return { user: { organizationId: caller.homeOrganizationId, userId: caller.id }, sessionId: caller.sessionId };
}

/**
 * Asks for the password once more, since a session may have been left open. Attempts are counted by session.
 *
 * @param checkMore throws where the attempt fails although the password is right
 */
async function checkOwnPassword(
  parts: Parts,
  sessionId: string,
  { password_hash }: { readonly password_hash: string | null },
  given: { readonly field: string; readonly password: string },
  checkMore: () => Promise<void> = async () => undefined,
): Promise<void> {
  const counter = sessionCounter(sessionId);
  refuseWaiting(await countAttempt(parts.database.system, [counter]));
  if (!(await passwordMatches(password_hash, given.password))) throw fieldError(given.field, 'This password is wrong.');
  await checkMore();
  await forgetAttempts(parts.database.system, counter);
}

function usedLink(): ApiError {
  return fieldError('token', 'This link was already used or is older than an hour. Request a new one.');
}
