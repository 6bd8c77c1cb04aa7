import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import { securityMailText } from '@millrace/sign-in/mails';
import type { OneTimeCodes } from '@millrace/sign-in/one-time-codes';
import { passwordMatches } from '@millrace/sign-in/passwords';
import { countAttempt, forgetAttempts, sessionCounter } from '@millrace/sign-in/throttle';
import type { FastifyBaseLogger } from 'fastify';
import type { ExtractionDatabase } from '../../database/schema.ts';
import type { DashboardCaller } from '../../http/dashboard-caller.ts';
import { refuseFor } from '../../http/dashboard-frame.ts';
import { sessions } from '../../http/dashboard-sessions.ts';
import { ApiError, fieldError } from '../../http/errors.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { refuseLossOfBreakGlass } from '../identity-provider/rules.ts';
import { isBreakGlass } from '../identity-provider/store.ts';
import { tooManyAttempts } from '../sessions/rules.ts';
import { findUser } from '../sessions/store.ts';
import type { oneTimeCodeOperations } from './contract.ts';

export interface OneTimeCodeParts {
  readonly database: ExtractionDatabase;
  readonly oneTimeCodes: OneTimeCodes;
  readonly outbox: Outbox;
  /** Called after a commit that put mail into the outbox. */
  readonly onMail: () => void;
  readonly log: Pick<FastifyBaseLogger, 'info'>;
}

export function oneTimeCodeHandlers(parts: OneTimeCodeParts): Handlers<typeof oneTimeCodeOperations, DashboardCaller> {
  const { database, oneTimeCodes, outbox } = parts;

  const userOf = async ({ accountId, userId }: DashboardCaller) => {
    const user = await tenantTransaction(database, accountId, (transaction) => findUser(transaction, userId));
    if (user === null) throw new ApiError('not_signed_in');
    return user;
  };

  /**
   * Asks for the password once more, since a session may have been left open. Attempts are counted by session.
   *
   * @param checkMore throws where the attempt fails although the password is right
   */
  const checkPassword = async (
    { sessionId }: DashboardCaller,
    passwordHash: string | null,
    password: string,
    checkMore: () => Promise<void> = async () => undefined,
  ): Promise<void> => {
    const counter = sessionCounter(sessionId);
    refuseFor(await countAttempt(database.system, [counter]), tooManyAttempts);
    if (!(await passwordMatches(passwordHash, password))) throw fieldError('password', 'This password is wrong.');
    await checkMore();
    await forgetAttempts(database.system, counter);
  };

  return {
    async startMfa({ body }, caller) {
      const user = await userOf(caller);
      await checkPassword(caller, user.password_hash, body.password);
      if (user.mfa_secret !== null) {
        throw new ApiError('conflict', { message: 'One-time codes are already on. Turn them off first.' });
      }
      const owner = { tenantId: caller.accountId, userId: caller.userId, email: user.email };
      const begun = await tenantTransaction(database, caller.accountId, (transaction) =>
        oneTimeCodes.begin(transaction, { ...owner, issuer: 'Millrace' }),
      );
      return { status: 200, body: begun };
    },

    async confirmMfa({ body }, caller) {
      const { accountId: tenantId, userId, sessionId } = caller;
      const counter = sessionCounter(sessionId);
      refuseFor(await countAttempt(database.system, [counter]), tooManyAttempts);
      const recoveryCodes = await tenantTransaction(database, tenantId, async (transaction) => {
        const user = await findUser(transaction, userId, { lock: true });
        const pendingSecret = user?.mfa_pending_secret ?? null;
        if (user === null || pendingSecret === null) {
          throw new ApiError('conflict', { message: 'Set up an authenticator app first.' });
        }
        const owner = { tenantId, userId, pendingSecret };
        const codes = await oneTimeCodes.confirm(transaction, owner, body.oneTimeCode, new Date());
        if (codes === null) throw fieldError('oneTimeCode', 'This code is wrong. Check the clock of the device.');
        await sessions.endAll(transaction, tenantId, userId, { except: sessionId });
        const mail = securityMailText('One-time codes were turned on for your account');
        await outbox.put(transaction, tenantId, { to: user.email, ...mail });
        return codes;
      });
      await forgetAttempts(database.system, counter);
      parts.onMail();
      parts.log.info({ user: userId }, 'one-time codes were turned on');
      return { status: 200, body: { recoveryCodes: [...recoveryCodes] } };
    },

    async removeMfa({ body }, caller) {
      const { accountId: tenantId, userId } = caller;
      const user = await userOf(caller);
      const { mfa_secret: secret } = user;
      if (secret === null) throw new ApiError('conflict', { message: 'One-time codes are off.' });
      await checkPassword(caller, user.password_hash, body.password, async () => {
        const owner = { tenantId, userId, secret };
        if (await oneTimeCodes.take(database.system, owner, body.oneTimeCode, new Date())) return;
        throw fieldError('oneTimeCode', 'This code is wrong or was used before. Wait for the next one.');
      });
      await tenantTransaction(database, tenantId, async (transaction) => {
        refuseLossOfBreakGlass(await isBreakGlass(transaction, userId));
        await oneTimeCodes.remove(transaction, { tenantId, userId });
        const mail = securityMailText('One-time codes were turned off for your account');
        await outbox.put(transaction, tenantId, { to: user.email, ...mail });
      });
      parts.onMail();
      parts.log.info({ user: userId }, 'one-time codes were turned off');
      return { status: 200, body: {} };
    },
  };
}
