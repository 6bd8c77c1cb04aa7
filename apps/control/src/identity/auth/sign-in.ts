import { checkSignIn, codeMessage, type SignInFailure } from '@millrace/sign-in/sign-in';
import { claimNotice } from '@millrace/sign-in/throttle';
import { appendAudit } from '../../frame/audit.ts';
import type { Origin } from '../../frame/caller.ts';
import { ApiError } from '../../frame/errors.ts';
import type { Mail } from '../../frame/handler.ts';
import { sendMail } from '../../frame/outbox.ts';
import type { Parts } from '../../frame/parts.ts';
import type { Realm, RealmUser } from './realm.ts';
import { waiting } from './rules.ts';

/** A place to sign in, such as one organization’s developer portal. */
export interface SignInPlace<User extends RealmUser> {
  /** As the audit trail names it. */
  readonly operation: string;
  readonly entityType: string;
  /** The organization whose users sign in here; null: of all organizations. */
  readonly organizationId: string | null;
  findUser(email: string): Promise<User | null>;
  isActive(user: User): boolean;
  /** Whose audit trail records a failure for an unknown address; null: nobody’s. */
  findAuditOrganization(): Promise<string | null>;
  /** Warns an active user that somebody is guessing their password. */
  warningMail(user: User, ip: string): Promise<Mail & { readonly organizationId: string }>;
}

/** What a sign-in is tried with. */
interface Attempt {
  readonly email: string;
  readonly password: string;
  readonly oneTimeCode?: string | undefined;
}

/** What the audit trail records of a sign-in that failed; whoever tried gets less. */
const reasons: Readonly<Record<SignInFailure, string>> = {
  unknown: 'No account has the e-mail address',
  password: 'The password was wrong.',
  suspended: 'The user or the organization is suspended.',
  code: 'The password was right, the one-time code was wrong or used before.',
  no_code: 'The password was right, the one-time code was missing.',
};

/**
 * Sign-in up to its session: {@link checkSignIn}. A failure leaves a row in the audit trail whether there is an account
 * or not.
 *
 * @throws ApiError `sign_in_failed`, or `too_many_requests` with the time to come back
 */
export async function passSignIn<User extends RealmUser, Account extends User>(
  parts: Parts,
  realm: Realm<User>,
  place: SignInPlace<Account>,
  attempt: Attempt,
  { origin, now }: { readonly origin: Origin; readonly now: Date },
): Promise<{ readonly user: Account; readonly deviceId: string | null }> {
  const { system } = parts.database;
  const organizationId = place.organizationId ?? '';
  const result = await checkSignIn(
    {
      system,
      devices: realm.devicesOf(organizationId),
      realm: realm.nameOf(organizationId),
      findUser: place.findUser,
      isActive: place.isActive,
      takeCode: ({ organization_id: tenantId, id: userId, mfa_secret }, code) =>
        realm.oneTimeCodes.take(system, { tenantId, userId, secret: mfa_secret! }, code, now),
      recordFailure: (user, failure) => {
        const note = failure === 'unknown' ? `${reasons.unknown} ${attempt.email}.` : reasons[failure];
        return auditFailure(parts, place, user, { origin, now }, note);
      },
      warn: (user) => warnOwner(parts, realm, place, user, origin),
    },
    { ...attempt, address: origin.ip, cookies: origin.cookies },
  );
  if (result.outcome === 'waiting') throw waiting(result.seconds);
  if (result.outcome === 'failed') throw signInFailed(result.failure);
  return result;
}

function signInFailed(failure: SignInFailure): ApiError {
  const message = codeMessage(failure);
  return new ApiError('sign_in_failed', message === null ? {} : { message, errors: { oneTimeCode: message } });
}

/** Warns the owner of an account, once a day, about repeated failed sign-ins; recorded in the audit trail as well. */
async function warnOwner<User extends RealmUser, Account extends User>(
  parts: Parts,
  realm: Realm<User>,
  place: SignInPlace<Account>,
  user: Account,
  origin: Origin,
): Promise<void> {
  try {
    const { system } = parts.database;
    if (!place.isActive(user)) return;
    if (!(await claimNotice(system, user.email, realm.nameOf(user.organization_id)))) return;
    await sendMail(parts.outbox, system, await place.warningMail(user, origin.ip));
    await appendAudit(parts.database, parts.chain, {
      ...failedSignIn(place, user.organization_id, user.id, origin, new Date()),
      severity: 'high',
      note: 'Many sign-ins failed: the owner was warned by e-mail. Unknown devices have to wait; known ones don’t.',
    });
  } catch (error) {
    parts.log.warn({ error }, 'warning the owner of an account about failed sign-ins failed');
  }
}

/** A row in the organization of the user; of an unknown address, in that of the place. */
async function auditFailure<User extends RealmUser>(
  parts: Parts,
  place: SignInPlace<User>,
  user: User | null,
  { origin, now }: { readonly origin: Origin; readonly now: Date },
  note: string,
): Promise<void> {
  const fallback = await place.findAuditOrganization();
  const organizationId = user?.organization_id ?? fallback;
  if (organizationId === null) return;
  const row = failedSignIn(place, organizationId, user?.id ?? null, origin, now);
  await appendAudit(parts.database, parts.chain, { ...row, severity: 'medium', note });
}

function failedSignIn(
  { operation, entityType }: Pick<SignInPlace<never>, 'operation' | 'entityType'>,
  organizationId: string,
  userId: string | null,
  origin: Origin,
  at: Date,
) {
  return {
    organizationId,
    at,
    actorKind: 'anonymous',
    actorId: null,
    actorName: 'anonymous',
    operation,
    entityType,
    entityId: userId,
    category: 'security',
    outcome: 'denied',
    changes: [],
    origin,
  } as const;
}
