import { passwordMatches } from '@millrace/sign-in/passwords';
import { newSecret } from '@millrace/sign-in/secrets';
import {
  claimNotice,
  countWithNotice,
  settleSignIn,
  signInCounters,
  takeBackAttempt,
} from '@millrace/sign-in/throttle';
import type { Kysely } from 'kysely';
import type * as z from 'zod';
import type { Schema } from '../../database/schema.ts';
import { appendAudit } from '../../frame/audit.ts';
import type { Caller, Origin } from '../../frame/caller.ts';
import { sessionCookie } from '../../frame/credentials.ts';
import { ApiError } from '../../frame/errors.ts';
import type { Context, Handlers, Written } from '../../frame/handler.ts';
import { sendMail } from '../../frame/outbox.ts';
import type { Parts } from '../../frame/parts.ts';
import type { authOperations, CurrentSession } from './contract.ts';
import { failedSignInsMail } from './mails.ts';
import { hashRecoveryCode, isAppCode, stepOfCode } from './mfa.ts';
import { refuseWaiting } from './rules.ts';
import {
  type Account,
  deleteSession,
  findAccount,
  findCurrentSession,
  findPlatformOrganization,
  insertSession,
  presentSession,
  recordSignIn,
  takeRecoveryCode,
  takeStep,
} from './store.ts';

type LoginHandler = Handlers<typeof authOperations>['login'];

/** What the audit trail records about a failed sign-in; the caller learns less. */
const reasons = {
  unknown: 'No account has the e-mail address',
  password: 'The password was wrong.',
  suspended: 'The user or the organization is suspended.',
  code: 'The password was right, the one-time code was wrong or used before.',
  noCode: 'The password was right, the one-time code was missing.',
} as const;

/**
 * Sign-in: attempt counted → account found → password checked → one-time code checked → session begun.
 *
 * An unknown address costs the same time and gets the same answer as a wrong password: a hash is computed, and a row of
 * the audit trail written, either way.
 */
export function loginHandler(parts: Parts): LoginHandler {
  return {
    prepare: async ({ body }, { caller, origin, now }) => {
      const deviceId = parts.devices.read(origin.cookies, body.email);
      const counters = signInCounters(body.email, origin.ip, deviceId);
      const { waitSeconds, notice } = await countWithNotice(parts.database.system, counters);
      refuseWaiting(waitSeconds);
      const failed = async (known: Account | null, reason: string) => {
        await auditFailure(parts, known, origin, now, reason);
        // Not waited for: the time of the answer does not tell that there is somebody to warn.
        if (notice && known !== null) void warnOwner(parts, known, origin);
      };
      const account = await findAccount(parts.database.system, body.email);
      const matches = await passwordMatches(account?.password_hash ?? null, body.password);
      if (account === null || !matches) {
        const reason = account === null ? `${reasons.unknown} ${body.email}.` : reasons.password;
        await failed(account, reason);
        throw new ApiError('sign_in_failed');
      }
      if (account.state !== 'active' || account.organization_state !== 'active') {
        await failed(account, reasons.suspended);
        throw new ApiError('sign_in_failed');
      }
      if (account.mfa_secret !== null && body.oneTimeCode === undefined) {
        await takeBackAttempt(parts.database.system, counters);
        await auditFailure(parts, account, origin, now, reasons.noCode);
        throw codeWanted('Give the 6 digits of your authenticator app, or a recovery code.');
      }
      if (account.mfa_secret !== null && !(await takeCode(parts, account, body.oneTimeCode ?? '', now))) {
        await failed(account, reasons.code);
        throw codeWanted('This code is wrong, or was used before. Wait for the next one.');
      }
      await settleSignIn(parts.database.system, counters);
      return (context) => beginSession(parts, context, { account, caller, origin, now, deviceId });
    },
  };
}

async function beginSession(
  parts: Parts,
  { transaction, setHeader }: Pick<Context<Kysely<Schema>>, 'transaction' | 'setHeader'>,
  signIn: {
    readonly account: Account;
    readonly caller: Caller | null;
    readonly origin: Origin;
    readonly now: Date;
    readonly deviceId: string | null;
  },
): Promise<Written<z.infer<typeof CurrentSession>>> {
  const { account, caller, origin, now, deviceId } = signIn;
  const user = { organizationId: account.organization_id, userId: account.id };
  if (!(await recordSignIn(transaction, account, now))) throw new ApiError('sign_in_failed');
  // What the browser was signed in as before is over: no token from before a sign-in is worth anything after it.
  if (caller?.sessionId) {
    await deleteSession(
      transaction,
      { organizationId: caller.homeOrganizationId, userId: caller.id },
      caller.sessionId,
    );
  }
  const { secret, hash } = newSecret();
  const session = await insertSession(transaction, user, { tokenHash: hash, origin, now });
  setHeader('set-cookie', [sessionCookie(secret, parts.secureCookies), parts.devices.write(account.email, deviceId)]);
  const { current: _, ...after } = presentSession(session, session.id);
  return {
    data: await findCurrentSession(transaction, user, session.id),
    change: {
      entityId: session.id,
      before: null,
      after,
      organizationId: account.organization_id,
      actor: { kind: 'user', id: account.id, name: account.name },
    },
  };
}

/** Uses a one-time code up: of the app, where its time step was not used yet, or a recovery code. */
export async function takeCode(
  parts: Parts,
  account: Pick<Account, 'id' | 'organization_id' | 'mfa_secret'>,
  code: string,
  now: Date,
): Promise<boolean> {
  const user = { organizationId: account.organization_id, userId: account.id };
  const { system } = parts.database;
  if (!isAppCode(code)) return takeRecoveryCode(system, user, hashRecoveryCode(code));
  const secret = parts.sealer.open(account.mfa_secret!, account.id);
  const step = stepOfCode(secret, code, now);
  return step !== null && (await takeStep(system, user, step));
}

function codeWanted(message: string): ApiError {
  return new ApiError('sign_in_failed', { message, errors: { oneTimeCode: message } });
}

/** Warns the owner of an account, once a day, about repeated failed sign-ins; recorded in the audit trail as well. */
async function warnOwner(parts: Parts, account: Account, origin: Origin): Promise<void> {
  try {
    const { system } = parts.database;
    if (account.state !== 'active' || !(await claimNotice(system, account.email))) return;
    const link = `${parts.publicUrl()}/forgot-password`;
    await sendMail(parts.outbox, system, failedSignInsMail(account, origin.ip, link));
    await appendAudit(parts.database, parts.chain, {
      ...failedSignIn(account.organization_id, account.id, origin, new Date()),
      severity: 'high',
      note: 'Many sign-ins failed: the owner was warned by mail. Strangers have to wait; known devices do not.',
    });
  } catch (error) {
    parts.log.warn({ error }, 'the owner of an account was not warned of failed sign-ins');
  }
}

/** A row in the organization of the user; of an unknown address, in that of the platform. */
async function auditFailure(
  parts: Parts,
  account: Account | null,
  origin: Origin,
  now: Date,
  note: string,
): Promise<void> {
  const platformId = await findPlatformOrganization(parts.database.system);
  const organizationId = account?.organization_id ?? platformId;
  if (organizationId === null) return;
  const row = failedSignIn(organizationId, account?.id ?? null, origin, now);
  await appendAudit(parts.database, parts.chain, { ...row, severity: 'medium', note });
}

function failedSignIn(organizationId: string, userId: string | null, origin: Origin, at: Date) {
  return {
    organizationId,
    at,
    actorKind: 'anonymous',
    actorId: null,
    actorName: 'anonymous',
    operation: 'login',
    entityType: 'user',
    entityId: userId,
    category: 'security',
    outcome: 'denied',
    changes: [],
    origin,
  } as const;
}
