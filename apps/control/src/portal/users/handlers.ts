import { hashPassword } from '@millrace/sign-in/passwords';
import { hashSecret, newSecret } from '@millrace/sign-in/secrets';
import { countAttempt, mailCounter } from '@millrace/sign-in/throttle';
import { findDeveloper, lockDeveloper } from '../../consumers/developers/store.ts';
import { refuseState } from '../../consumers/products/rules.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { found } from '../../frame/errors.ts';
import type { CallerContext, Handlers, Written } from '../../frame/handler.ts';
import type { PortalRole } from '../../frame/operation.ts';
import type { Parts } from '../../frame/parts.ts';
import { findPortalPlace } from '../../frame/portals.ts';
import { portalSessions } from '../../frame/sessions.ts';
import { ownAccount } from '../../identity/auth/own-account.ts';
import { refuseWaiting, refuseWeakPassword } from '../../identity/auth/rules.ts';
import { findInviter } from '../../identity/invitations/store.ts';
import type { PortalLocale } from '../auth/contract.ts';
import { portalPasswordResets, portalRealm } from '../auth/realm.ts';
import { findCurrentSession, findUser, updateUser } from '../auth/store.ts';
import { passwordRefused } from '../identity-providers/rules.ts';
import { findProvider } from '../identity-providers/store.ts';
import { textsIn } from '../mails/languages.ts';
import type { portalUserOperations } from './contract.ts';
import {
  accountInvitationCounter,
  invitationLifetimeDays,
  refuseLossOfOwner,
  refuseMember,
  refuseTooManyPending,
  uselessLink,
} from './rules.ts';
import {
  countOtherOwners,
  countPendingInvitations,
  deleteInvitation,
  deleteUser,
  findInvitation,
  findMember,
  type InvitationRow,
  insertUser,
  isMember,
  listUsers,
  presentInvitation,
  presentUser,
  putInvitation,
  rotateSessions,
  takeInvitation,
} from './store.ts';

type TenantContext = CallerContext<TenantTransaction>;
type Invited = { readonly email: string; readonly role: PortalRole; readonly locale: PortalLocale };

export function portalUserHandlers(parts: Parts): Handlers<typeof portalUserOperations> {
  const own = ownAccount(parts, portalRealm(parts));
  const { system } = parts.database;

  /** Counts an invitation before its transaction, so that one that fails counts as well. */
  async function countInvitation(organizationId: string, developerId: string, email: string): Promise<void> {
    const counters = [
      mailCounter('invitation', email, organizationId),
      accountInvitationCounter(organizationId, developerId),
    ];
    refuseWaiting(await countAttempt(system, counters));
  }

  /** @param inviterEmail null: the organization invites */
  async function invite(
    developerId: string,
    { email, role, locale }: Invited,
    inviterEmail: string | null,
    { caller, organizationId, transaction, mail, now }: TenantContext,
  ): Promise<Written<ReturnType<typeof presentInvitation>>> {
    found(await lockDeveloper(transaction, developerId));
    refuseMember(await isMember(transaction, developerId, email));
    refuseTooManyPending(await countPendingInvitations(transaction, developerId));
    const { secret, hash } = newSecret();
    const invitation = await putInvitation(transaction, {
      developerId,
      email,
      role,
      tokenHash: hash,
      inviter: { id: caller.id, kind: caller.kind as InvitationRow['invited_by_kind'], name: caller.name },
      expiresAt: new Date(now.getTime() + invitationLifetimeDays * 24 * 3_600_000),
    });
    const { displayName, url } = await findPortalPlace(transaction, organizationId, parts.publicUrl());
    const link = `${url}/accept-invitation?token=${secret}`;
    await mail({ to: email, ...textsIn(locale).invitation(displayName, inviterEmail, link, invitationLifetimeDays) });
    const after = presentInvitation(invitation);
    return {
      data: after,
      change: { entityId: after.id, before: null, after, note: `To the developer ${developerId}.` },
    };
  }

  async function withdraw(
    developerId: string,
    invitationId: string,
    { transaction }: TenantContext,
  ): Promise<Written<Record<string, never>>> {
    const before = presentInvitation(found(await deleteInvitation(transaction, developerId, invitationId)));
    return { data: {}, change: { entityId: invitationId, before, after: null } };
  }

  /** A portal user of a developer account, and the account, which stay as they are until the commit. */
  async function lockMember(transaction: TenantTransaction, developerId: string, userId: string) {
    found(await lockDeveloper(transaction, developerId));
    return found(await findMember(transaction, developerId, userId));
  }

  /** Removes a portal user, whose sessions end with the row. */
  async function remove(transaction: TenantTransaction, developerId: string, userId: string) {
    const before = await lockMember(transaction, developerId, userId);
    refuseLossOfOwner(before, null, await countOtherOwners(transaction, developerId, userId));
    await deleteUser(transaction, userId);
    return { data: {}, change: { entityId: userId, before: presentUser(before), after: null } };
  }

  return {
    listPortalUsers: ({ query }, { caller, transaction }) => listUsers(transaction, caller.developerId, query),

    invitePortalUser: {
      prepare: async ({ body }, { caller, organizationId }) => {
        await countInvitation(organizationId, caller.developerId, body.email);
        return async (context) => {
          const { email } = found(await findUser(context.transaction, caller.id));
          return invite(caller.developerId, body, email, context);
        };
      },
    },

    withdrawPortalInvitation: ({ params: { invitationId } }, context) =>
      withdraw(context.caller.developerId, invitationId, context),

    acceptPortalInvitation: {
      prepare: async ({ body }, { caller, organizationId, origin }) => {
        const tokenHash = hashSecret(body.token);
        const open = await findInvitation(system, organizationId, tokenHash);
        if (open === null) throw uselessLink();
        const { displayName: organization } = await findPortalPlace(system, organizationId, parts.publicUrl());
        refuseWeakPassword('password', body.password, { email: open.email, name: body.name, organization });
        const passwordHash = await hashPassword(body.password);
        return async (context) => {
          const { transaction, now } = context;
          const developer = await lockDeveloper(transaction, open.developer_id);
          const taken = await takeInvitation(transaction, tokenHash);
          if (taken === null || developer?.state !== 'active') throw uselessLink();
          if (!(await mayInvite(parts, transaction, taken))) throw uselessLink();
          const provider = await findProvider(transaction, organizationId, developer.id);
          if (provider?.enforced) throw passwordRefused(provider.name);
          const user = await insertUser(transaction, {
            developerId: developer.id,
            email: taken.email,
            name: body.name,
            role: taken.role,
            locale: body.locale,
            passwordHash,
          });
          const { sessionId } = await own.beginSession(user, { caller, origin, now, deviceId: null }, context);
          return {
            data: await findCurrentSession(transaction, user.id, sessionId),
            change: {
              entityId: user.id,
              before: null,
              after: presentUser(user),
              actor: { kind: 'portal_user', id: user.id, name: user.name },
              note: `Accepted the invitation ${taken.id} of ${taken.invited_by_name} to the developer ${developer.id}.`,
            },
          };
        };
      },
    },

    updatePortalUser: async ({ params: { portalUserId }, body: { role } }, context) => {
      const { caller, organizationId, transaction } = context;
      const before = await lockMember(transaction, caller.developerId, portalUserId);
      refuseLossOfOwner(before, role, await countOtherOwners(transaction, caller.developerId, portalUserId));
      const after = presentUser(await updateUser(transaction, { organizationId, userId: portalUserId }, { role }));
      await rotateSessions(transaction, portalUserId);
      return { data: after, change: { entityId: portalUserId, before: presentUser(before), after } };
    },

    removePortalUser: ({ params: { portalUserId } }, { caller, transaction }) =>
      remove(transaction, caller.developerId, portalUserId),

    leavePortalAccount: (_, { caller, transaction }) => remove(transaction, caller.developerId, caller.id),

    listDeveloperPortalUsers: async ({ params: { developerId }, query }, { transaction }) => {
      found(await findDeveloper(transaction, developerId));
      return listUsers(transaction, developerId, query);
    },

    inviteDeveloperPortalUser: {
      prepare: async ({ params: { developerId }, body }, { organizationId }) => {
        await countInvitation(organizationId, developerId, body.email);
        return (context) => invite(developerId, body, null, context);
      },
    },

    withdrawDeveloperPortalInvitation: ({ params: { developerId, invitationId } }, context) =>
      withdraw(developerId, invitationId, context),

    suspendDeveloperPortalUser: async ({ params: { developerId, portalUserId: userId } }, context) => {
      const { organizationId, transaction } = context;
      const before = await lockMember(transaction, developerId, userId);
      refuseState('portal user', before.state, 'suspended');
      const after = presentUser(await updateUser(transaction, { organizationId, userId }, { state: 'suspended' }));
      const endedSessions = await portalSessions.endAll(transaction, organizationId, userId);
      await portalPasswordResets.deleteAll(transaction, { tenantId: organizationId, userId });
      const note = `${endedSessions} sessions ended.`;
      return { data: after, change: { entityId: userId, before: presentUser(before), after, note } };
    },

    activateDeveloperPortalUser: async ({ params: { developerId, portalUserId: userId } }, context) => {
      const { organizationId, transaction } = context;
      const before = await lockMember(transaction, developerId, userId);
      refuseState('portal user', before.state, 'active');
      const after = presentUser(await updateUser(transaction, { organizationId, userId }, { state: 'active' }));
      return { data: after, change: { entityId: userId, before: presentUser(before), after } };
    },
  };
}

/** Whether who sent an invitation may still send it: someone who lost the right can’t leave a link behind. */
async function mayInvite(
  { database }: Parts,
  transaction: TenantTransaction,
  invitation: InvitationRow,
): Promise<boolean> {
  if (invitation.invited_by_kind === 'portal_user') {
    const inviter = await findMember(transaction, invitation.developer_id, invitation.invited_by);
    return inviter?.role === 'owner' && inviter.state === 'active';
  }
  const inviter = await findInviter(database.system, invitation);
  return inviter?.permissions.has('developer.write') ?? false;
}
