import { hashPassword } from '@millrace/sign-in/passwords';
import { hashSecret } from '@millrace/sign-in/secrets';
import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import { ApiError, found } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import { findPortalPlace } from '../../frame/portals.ts';
import { ownAccount, usedLink } from '../../identity/auth/own-account.ts';
import { refuseWeakPassword } from '../../identity/auth/rules.ts';
import { passSignIn, type SignInPlace } from '../../identity/auth/sign-in.ts';
import { recordSignIn } from '../../identity/auth/store.ts';
import { passwordRefused } from '../identity-providers/rules.ts';
import { findProvider } from '../identity-providers/store.ts';
import { textsIn } from '../mails/languages.ts';
import type { portalAuthOperations } from './contract.ts';
import { portalRealm } from './realm.ts';
import {
  findAccountByEmail,
  findAccountById,
  findCurrentSession,
  findUser,
  type PortalAccountRow,
  presentProfile,
  updateUser,
} from './store.ts';

export function portalAuthHandlers(parts: Parts): Handlers<typeof portalAuthOperations> {
  const realm = portalRealm(parts);
  const own = ownAccount(parts, realm);
  const { system } = parts.database;
  const placeOf = (organizationId: string): SignInPlace<PortalAccountRow> => ({
    operation: 'signInToPortal',
    entityType: 'portal_user',
    organizationId,
    findUser: (email) => findAccountByEmail(system, organizationId, email),
    isActive,
    findAuditOrganization: async () => organizationId,
    warningMail: async ({ email: to, locale }, ip) => {
      const { displayName, url } = await findPortalPlace(system, organizationId, parts.publicUrl());
      return { to, organizationId, ...textsIn(locale).failedSignIns(displayName, ip, `${url}/forgot-password`) };
    },
  });
  return {
    signInToPortal: {
      prepare: async ({ body }, { caller, organizationId, origin, now }) => {
        const { user, deviceId } = await passSignIn(parts, realm, placeOf(organizationId), body, { origin, now });
        await refuseEnforced(system, organizationId, user.developer_id);
        return async (context) => {
          const { transaction } = context;
          if (!(await recordSignIn(transaction, 'portal_users', user, now))) throw new ApiError('sign_in_failed');
          const { sessionId, change } = await own.beginSession(user, { caller, origin, now, deviceId }, context);
          return { data: await findCurrentSession(transaction, user.id, sessionId), change };
        };
      },
    },

    getPortalSession: (_input, { caller, transaction }) => findCurrentSession(transaction, caller.id, caller.sessionId),

    signOutOfPortal: own.signOut,
    listPortalSessions: own.listSessions,
    endOtherPortalSessions: own.endOtherSessions,
    endPortalSession: own.endSession,

    updatePortalProfile: async ({ body }, { caller, organizationId, transaction }) => {
      const before = found(await findUser(transaction, caller.id, { lock: true }));
      const after = presentProfile(await updateUser(transaction, { organizationId, userId: caller.id }, given(body)));
      return { data: after, change: { entityId: caller.id, before: presentProfile(before), after } };
    },

    changePortalPassword: own.changePassword,

    requestPortalPasswordReset: {
      prepare: async ({ body: { email } }, { organizationId, origin }) => {
        const isAllowed = await own.countResetRequest(realm.nameOf(organizationId), email, origin);
        const account = await findAccountByEmail(system, organizationId, email);
        const user = account !== null && isActive(account) && isAllowed ? account : null;
        return async (context) => {
          await own.sendReset(user, organizationId, context);
          const note =
            account === null
              ? `No portal user has the e-mail address ${email}: nothing was sent.`
              : user === null
                ? 'Nothing was sent: suspended, or asked for too often.'
                : 'A link was sent.';
          return { data: {}, change: { entityId: account?.id ?? null, before: null, after: null, note } };
        };
      },
    },

    confirmPortalPasswordReset: {
      prepare: async ({ body }, { organizationId, origin }) => {
        const tokenHash = hashSecret(body.token);
        const owner = await realm.passwordResets.find(system, tokenHash);
        if (owner === null || owner.tenantId !== organizationId) throw usedLink();
        const user = await findAccountById(system, organizationId, owner.userId);
        if (user === null || !isActive(user)) throw usedLink();
        const { displayName: organization } = await findPortalPlace(system, organizationId, parts.publicUrl());
        refuseWeakPassword('newPassword', body.newPassword, { ...user, organization });
        const passwordHash = await hashPassword(body.newPassword);
        return (context) => own.setPasswordByLink(user, { tokenHash, passwordHash, origin }, context);
      },
    },

    startPortalMfa: own.startMfa,
    confirmPortalMfa: own.confirmMfa,
    removePortalMfa: own.removeMfa,
  };
}

/** Refuses a password where the developer account’s provider is enforced. */
async function refuseEnforced(database: Kysely<Schema>, organizationId: string, developerId: string): Promise<void> {
  const provider = await findProvider(database, organizationId, developerId);
  if (provider?.enforced) throw passwordRefused(provider.name);
}

function isActive({ state, developer_state }: PortalAccountRow): boolean {
  return state === 'active' && developer_state === 'active';
}
