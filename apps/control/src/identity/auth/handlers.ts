import { hashPassword } from '@millrace/sign-in/passwords';
import { hashSecret } from '@millrace/sign-in/secrets';
import type { Origin } from '../../frame/caller.ts';
import { ApiError, found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import { passwordRefused } from '../identity-providers/rules.ts';
import { findProvider } from '../identity-providers/store.ts';
import { consoleRealm } from './console-realm.ts';
import type { authOperations } from './contract.ts';
import { failedSignInsMail } from './mails.ts';
import { ownAccount, signedIn, usedLink } from './own-account.ts';
import { refuseWeakPassword } from './rules.ts';
import { passSignIn, type SignInPlace } from './sign-in.ts';
import {
  type Account,
  findAccount,
  findAccountByKey,
  findCurrentSession,
  findHomeOrganization,
  findPlatformOrganization,
  findUser,
  passwordResets,
  presentProfile,
  recordSignIn,
  updateUser,
} from './store.ts';

/** What sign-in needs from a part of the domain that imports this one. */
export interface AuthParts extends Parts {
  /** Reports that an administrator signed in with a password although the organization enforces its provider. */
  reportBreakGlass(account: Account, origin: Origin): Promise<void>;
}

export function authHandlers(parts: AuthParts): Handlers<typeof authOperations> {
  const realm = consoleRealm(parts);
  const own = ownAccount(parts, realm);
  const { system } = parts.database;
  const place: SignInPlace<Account> = {
    operation: 'login',
    entityType: 'user',
    organizationId: null,
    findUser: (email) => findAccount(system, email),
    isActive,
    findAuditOrganization: () => findPlatformOrganization(system),
    warningMail: async ({ email, organization_id: organizationId }, ip) =>
      failedSignInsMail({ email, organizationId }, ip, `${parts.publicUrl()}/forgot-password`),
  };
  return {
    login: {
      prepare: async ({ body }, { caller, origin, now }) => {
        const { user: account, deviceId } = await passSignIn(parts, realm, place, body, { origin, now });
        const provider = await findProvider(system, account.organization_id);
        if (provider?.enforced) {
          if (provider.break_glass_user_id !== account.id || account.mfa_secret === null) {
            throw passwordRefused(provider.name);
          }
          await parts.reportBreakGlass(account, origin);
        }
        return async ({ transaction, setHeader }) => {
          const user = { organizationId: account.organization_id, userId: account.id };
          if (!(await recordSignIn(transaction, 'users', account, now))) throw new ApiError('sign_in_failed');
          const browser = { caller, origin, now, deviceId };
          const { sessionId, change } = await own.beginSession(account, browser, { transaction, setHeader });
          return {
            data: {
              ...(await findCurrentSession(transaction, user, sessionId)),
              dashboardUrl: parts.dashboardUrl(),
            },
            change,
          };
        };
      },
    },

    logout: own.signOut,

    getSession: async (_input, { caller, transaction }) => {
      const dashboardUrl = parts.dashboardUrl();
      if (caller.kind === 'user') {
        const { key, sessionId } = signedIn(caller);
        return { ...(await findCurrentSession(transaction, key, sessionId)), dashboardUrl };
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
      const { key } = signedIn(caller);
      const before = found(await findUser(transaction, key.userId, { lock: true }));
      const after = presentProfile(
        await updateUser(transaction, key, {
          ...(body.name === undefined ? {} : { name: body.name }),
          ...(body.timeZone === undefined ? {} : { time_zone: body.timeZone }),
          ...(body.locale === undefined ? {} : { locale: body.locale }),
        }),
      );
      return { data: after, change: { entityId: key.userId, before: presentProfile(before), after } };
    },

    changePassword: own.changePassword,

    requestPasswordReset: {
      prepare: async ({ body: { email } }, { origin }) => {
        const isAllowed = await own.countResetRequest('', email, origin);
        const account = await findAccount(system, email);
        const platformId = await findPlatformOrganization(system);
        const user = account !== null && isActive(account) && isAllowed ? account : null;
        return async (context) => {
          const organizationId = account?.organization_id ?? platformId;
          await own.sendReset(user, organizationId ?? '', context);
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
        const owner = await passwordResets.find(system, tokenHash);
        const account =
          owner && (await findAccountByKey(system, { organizationId: owner.tenantId, userId: owner.userId }));
        if (account === null || !isActive(account)) throw usedLink();
        const { email, name, organization_name: organization } = account;
        refuseWeakPassword('newPassword', body.newPassword, { email, name, organization });
        const passwordHash = await hashPassword(body.newPassword);
        return (context) => own.setPasswordByLink(account, { tokenHash, passwordHash, origin }, context);
      },
    },

    listOwnSessions: own.listSessions,
    endOtherSessions: own.endOtherSessions,
    endOwnSession: own.endSession,
    startMfa: own.startMfa,
    confirmMfa: own.confirmMfa,
    removeMfa: own.removeMfa,
  };
}

function isActive({ state, organization_state }: Account): boolean {
  return state === 'active' && organization_state === 'active';
}
