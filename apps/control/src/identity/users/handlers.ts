import { newId } from '@millrace/identifiers';
import { hashPassword } from '@millrace/sign-in/passwords';
import { newSecret } from '@millrace/sign-in/secrets';
import type { TenantTransaction } from '../../database/schema.ts';
import { found } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { CallerContext, Handlers } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import { addMakers } from '../../frame/persons.ts';
import { sessions } from '../../frame/sessions.ts';
import { securityMail } from '../auth/mails.ts';
import { refuseWeakPassword } from '../auth/rules.ts';
import { listSessions, passwordResets } from '../auth/store.ts';
import { refuseLossOfBreakGlass } from '../identity-providers/rules.ts';
import { isBreakGlass } from '../identity-providers/store.ts';
import { refuseHolderAboveCaller, refuseRoles } from '../roles/rules.ts';
import { findGrants, lockAccess } from '../roles/store.ts';
import { refuseAddressGuessing, refuseOwnAddress, refuseTakenAddress } from './addresses.ts';
import type { userOperations } from './contract.ts';
import { welcomeLifetimeDays, welcomeMail } from './mails.ts';
import { refuseLossOfAdministrator, refuseSelf, refuseState } from './rules.ts';
import {
  countOtherAdministrators,
  deleteUser,
  findUser,
  insertUser,
  listUsers,
  replaceRoles,
  rotateSessions,
  updateUser,
} from './store.ts';

export function userHandlers(parts: Parts): Handlers<typeof userOperations> {
  return {
    listUsers: ({ query }, { transaction }) => listUsers(transaction, query),

    createUser: {
      prepare: async ({ body }, call) => {
        const { caller } = call;
        await refuseAddressGuessing(parts, call, body.email);
        const { password } = body;
        if (password !== undefined) refuseWeakPassword('password', password, body);
        const passwordHash = password === undefined ? null : await hashPassword(password);
        return async ({ organizationId, transaction, now, mail }) => {
          const organization = await lockAccess(transaction, organizationId);
          if (password !== undefined) {
            refuseWeakPassword('password', password, { ...body, organization: organization.displayName });
          }
          const roles = await findGrants(transaction, organizationId, body.roleIds);
          refuseRoles(caller, body.roleIds, roles, organization);
          await refuseOwnAddress(transaction, body.email);
          const insertion = insertUser(transaction, organizationId, { ...body, passwordHash }, roles);
          const after = await refuseTakenAddress(insertion);
          await addMakers(transaction, { organizationId, userId: after.id }, caller.userIds);
          if (passwordHash === null) {
            const { secret, hash } = newSecret();
            const expiresAt = new Date(now.getTime() + welcomeLifetimeDays * 24 * 3_600_000);
            const owner = { tenantId: organizationId, userId: after.id };
            await passwordResets.insert(transaction, owner, { id: newId('pwr'), tokenHash: hash, expiresAt });
            const link = `${parts.publicUrl()}/reset-password?token=${secret}`;
            await mail(welcomeMail(after.email, organization.displayName, link));
          }
          return { data: after, change: { entityId: after.id, before: null, after } };
        };
      },
    },

    getUser: async ({ params }, { transaction }) => found(await findUser(transaction, params.userId)),

    updateUser: {
      prepare: async ({ params: { userId }, body }, call) => {
        if (body.email !== undefined) await refuseAddressGuessing(parts, call, body.email);
        return async (context) => {
          const { caller, organizationId, transaction, mail } = context;
          const { before } = await lockUser(context, userId);
          const newAddress = body.email === before.email ? undefined : body.email;
          if (newAddress !== undefined) await refuseOwnAddress(transaction, newAddress);
          const after = await refuseTakenAddress(updateUser(transaction, userId, given(body)));
          if (newAddress !== undefined) {
            await passwordResets.deleteAll(transaction, { tenantId: organizationId, userId });
            await addMakers(transaction, { organizationId, userId }, caller.userIds);
            const happened = `The e-mail address of your account was changed to ${newAddress}`;
            await mail(securityMail({ email: before.email, organizationId }, happened));
          }
          return { data: after, change: { entityId: userId, before, after } };
        };
      },
    },

    deleteUser: async ({ params: { userId } }, context) => {
      const { caller, transaction } = context;
      const { organization, before } = await lockUser(context, userId);
      refuseSelf(caller, userId, 'deletes themselves');
      refuseLossOfBreakGlass(await isBreakGlass(transaction, transaction.tenantId, userId), 'deleted');
      // Nobody can use a suspended organization, which is emptied before it is deleted.
      if (organization.state === 'active') {
        refuseLossOfAdministrator(before, [], await countOtherAdministrators(transaction, userId), 'deleted');
      }
      await deleteUser(transaction, userId);
      return { data: {}, change: { entityId: userId, before, after: null } };
    },

    suspendUser: async ({ params: { userId } }, context) => {
      const { caller, organizationId, transaction } = context;
      const { before } = await lockUser(context, userId);
      refuseSelf(caller, userId, 'suspends themselves');
      refuseState(before, 'suspended');
      refuseLossOfBreakGlass(await isBreakGlass(transaction, organizationId, userId), 'suspended');
      refuseLossOfAdministrator(before, [], await countOtherAdministrators(transaction, userId), 'suspended');
      const after = await updateUser(transaction, userId, { state: 'suspended' });
      const endedSessions = await sessions.endAll(transaction, organizationId, userId);
      await passwordResets.deleteAll(transaction, { tenantId: organizationId, userId });
      return { data: after, change: { entityId: userId, before, after, note: `${endedSessions} sessions ended.` } };
    },

    activateUser: async ({ params: { userId } }, context) => {
      const { before } = await lockUser(context, userId);
      refuseSelf(context.caller, userId, 'activates themselves');
      refuseState(before, 'active');
      const after = await updateUser(context.transaction, userId, { state: 'active' });
      return { data: after, change: { entityId: userId, before, after } };
    },

    setUserRoles: async ({ params: { userId }, body: { roleIds } }, context) => {
      const { caller, organizationId, transaction } = context;
      const { organization, before } = await lockUser(context, userId);
      refuseSelf(caller, userId, 'changes their own roles');
      const roles = await findGrants(transaction, organizationId, roleIds);
      refuseRoles(caller, roleIds, roles, organization);
      const others = await countOtherAdministrators(transaction, userId);
      refuseLossOfAdministrator(before, roleIds, others, 'given other roles');
      refuseLossOfBreakGlass(await isBreakGlass(transaction, organizationId, userId), 'given other roles');
      const after = await replaceRoles(transaction, userId, roles);
      await rotateSessions(transaction, userId);
      return { data: after, change: { entityId: userId, before, after } };
    },

    listUserSessions: async ({ params: { userId }, query }, { caller, transaction }) => {
      found(await findUser(transaction, userId));
      return listSessions(transaction, { sessionTable: 'sessions', sessions }, userId, query, caller.sessionId);
    },

    endUserSessions: async ({ params: { userId } }, context) => {
      const { before } = await lockUser(context, userId);
      const { organizationId, transaction } = context;
      const endedSessions = await sessions.endAll(transaction, organizationId, userId);
      const note = `${endedSessions} sessions ended.`;
      return { data: { endedSessions }, change: { entityId: userId, before, after: before, note } };
    },
  };
}

/** A user, kept as it is until the commit, whom the caller may change. */
async function lockUser(
  {
    caller,
    organizationId,
    transaction,
  }: Pick<CallerContext<TenantTransaction>, 'caller' | 'organizationId' | 'transaction'>,
  userId: string,
) {
  const organization = await lockAccess(transaction, organizationId);
  const before = found(await findUser(transaction, userId));
  const roles = await findGrants(
    transaction,
    organizationId,
    before.roles.map(({ id }) => id),
  );
  refuseHolderAboveCaller(caller, 'user', roles);
  return { organization, before };
}
