import { newId } from '@millrace/identifiers';
import type { OneTimeCodes } from '@millrace/sign-in/one-time-codes';
import { newSecret } from '@millrace/sign-in/secrets';
import { checkSignIn, codeMessage, type SignInFailure } from '@millrace/sign-in/sign-in';
import { claimNotice } from '@millrace/sign-in/throttle';
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
import { sessions } from '../../frame/sessions.ts';
import type { authOperations, CurrentSession } from './contract.ts';
import { failedSignInsMail } from './mails.ts';
import { waiting } from './rules.ts';
import {
  type Account,
  findAccount,
  findCurrentSession,
  findPlatformOrganization,
  presentSession,
  recordSignIn,
} from './store.ts';

type LoginHandler = Handlers<typeof authOperations>['login'];

/** What the audit trail records of a sign-in that failed; whoever tried gets less. */
const reasons: Readonly<Record<SignInFailure, string>> = {
  unknown: 'No account has the e-mail address',
  password: 'The password was wrong.',
  suspended: 'The user or the organization is suspended.',
  code: 'The password was right, the one-time code was wrong or used before.',
  no_code: 'The password was right, the one-time code was missing.',
};

/** Sign-in: {@link checkSignIn} → session begun. A row of the audit trail is written whether there is an account or not. */
export function loginHandler(parts: Parts, oneTimeCodes: OneTimeCodes): LoginHandler {
  return {
    prepare: async ({ body }, { caller, origin, now }) => {
      const result = await checkSignIn(
        {
          system: parts.database.system,
          devices: parts.devices,
          findUser: (email) => findAccount(parts.database.system, email),
          isActive: ({ state, organization_state }) => state === 'active' && organization_state === 'active',
          takeCode: (account, code) => takeCode(parts, oneTimeCodes, account, code, now),
          recordFailure: (account, failure) => {
            const note = failure === 'unknown' ? `${reasons.unknown} ${body.email}.` : reasons[failure];
            return auditFailure(parts, account, origin, now, note);
          },
          warn: (account) => warnOwner(parts, account, origin),
        },
        { ...body, address: origin.ip, cookies: origin.cookies },
      );
      if (result.outcome === 'waiting') throw waiting(result.seconds);
      if (result.outcome === 'failed') throw signInFailed(result.failure);
      const { user: account, deviceId } = result;
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
    await sessions.end(transaction, caller.homeOrganizationId, caller.id, caller.sessionId);
  }
  const { secret, hash } = newSecret();
  const session = await sessions.begin(transaction, user.organizationId, user.userId, {
    id: newId('ses', now.getTime()),
    tokenHash: hash,
    address: origin.ip,
    userAgent: origin.userAgent,
  });
  setHeader('set-cookie', [sessionCookie(secret, parts.secureCookies), parts.devices.write(account.email, deviceId)]);
  const { current: _, ...after } = presentSession(session, session.id);
  return {
    data: { ...(await findCurrentSession(transaction, user, session.id)), dashboardUrl: parts.dashboardUrl() },
    change: {
      entityId: session.id,
      before: null,
      after,
      organizationId: account.organization_id,
      actor: { kind: 'user', id: account.id, name: account.name },
    },
  };
}

/** Uses a one-time code of an account up; false where it is wrong. */
export function takeCode(
  { database }: Parts,
  oneTimeCodes: OneTimeCodes,
  { organization_id, id, mfa_secret }: Pick<Account, 'id' | 'organization_id' | 'mfa_secret'>,
  code: string,
  now: Date,
): Promise<boolean> {
  return oneTimeCodes.take(database.system, { tenantId: organization_id, userId: id, secret: mfa_secret! }, code, now);
}

function signInFailed(failure: SignInFailure): ApiError {
  const message = codeMessage(failure);
  return new ApiError('sign_in_failed', message === null ? {} : { message, errors: { oneTimeCode: message } });
}

/** Warns the owner of an account, once a day, about repeated failed sign-ins; recorded in the audit trail as well. */
async function warnOwner(parts: Parts, account: Account, origin: Origin): Promise<void> {
  try {
    const { system } = parts.database;
    if (account.state !== 'active' || !(await claimNotice(system, account.email))) return;
    const link = `${parts.publicUrl()}/forgot-password`;
    await sendMail(
      parts.outbox,
      system,
      failedSignInsMail({ email: account.email, organizationId: account.organization_id }, origin.ip, link),
    );
    await appendAudit(parts.database, parts.chain, {
      ...failedSignIn(account.organization_id, account.id, origin, new Date()),
      severity: 'high',
      note: 'Many sign-ins failed: the owner was warned by e-mail. Unknown devices have to wait; known ones don’t.',
    });
  } catch (error) {
    parts.log.warn({ error }, 'warning the owner of an account about failed sign-ins failed');
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
