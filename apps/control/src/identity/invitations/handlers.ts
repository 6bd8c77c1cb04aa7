import { hashPassword } from '@millrace/sign-in/passwords';
import { hashSecret, newSecret } from '@millrace/sign-in/secrets';
import { conflictsAt } from '../../frame/database-errors.ts';
import { found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import { addMakers } from '../../frame/persons.ts';
import { refuseWeakPassword } from '../auth/rules.ts';
import { refuseHolderAboveCaller, refuseRoles } from '../roles/rules.ts';
import { findGrants, lockAccess } from '../roles/store.ts';
import { isTaken, refuseOwnAddress } from '../users/addresses.ts';
import { insertUser } from '../users/store.ts';
import type { invitationOperations } from './contract.ts';
import { invitationMail } from './mails.ts';
import { addressInUse, expiryFrom, refuseInviter, refuseTooManyMails, refuseUnlessOpen, uselessLink } from './rules.ts';
import {
  findInvitation,
  findInviter,
  findOpenInvitation,
  insertInvitation,
  listInvitations,
  loadMailTimes,
  renewInvitation,
  takeInvitation,
  withdrawInvitation,
} from './store.ts';

const invitedAlready = {
  invitations_pending: ['email', 'This address is already invited. Send that invitation again.'],
} as const;

export function invitationHandlers(parts: Parts): Handlers<typeof invitationOperations> {
  const linkOf = (secret: string) => `${parts.publicUrl()}/accept-invitation?token=${secret}`;
  return {
    listInvitations: ({ query }, { transaction, now }) => listInvitations(transaction, query, now),

    createInvitation: async ({ body }, { caller, organizationId, transaction, now, mail }) => {
      const organization = await lockAccess(transaction, organizationId);
      const roles = await findGrants(transaction, organizationId, body.roleIds);
      refuseRoles(caller, body.roleIds, roles, organization);
      await refuseOwnAddress(transaction, body.email);
      refuseTooManyMails(body.email, await loadMailTimes(transaction, body.email), now);
      const { secret, hash } = newSecret();
      const invitation = {
        ...body,
        roleIds: roles.map(({ id }) => id),
        tokenHash: hash,
        invitedBy: caller.id,
        senderIds: caller.userIds,
        expiresAt: expiryFrom(now),
      };
      const after = await conflictsAt(insertInvitation(transaction, invitation, now), invitedAlready);
      const inviter = caller.name;
      await mail(
        invitationMail({ email: after.email, inviter, organizationName: organization.displayName }, linkOf(secret)),
      );
      return { data: after, change: { entityId: after.id, before: null, after } };
    },

    withdrawInvitation: async ({ params: { invitationId } }, { organizationId, transaction, now }) => {
      await lockAccess(transaction, organizationId);
      const before = found(await findInvitation(transaction, invitationId, now));
      refuseUnlessOpen(before, 'withdrawn');
      const after = await withdrawInvitation(transaction, invitationId, now);
      return { data: {}, change: { entityId: invitationId, before, after } };
    },

    resendInvitation: async ({ params: { invitationId } }, { caller, organizationId, transaction, now, mail }) => {
      const organization = await lockAccess(transaction, organizationId);
      const before = found(await findInvitation(transaction, invitationId, now));
      refuseUnlessOpen(before, 'sent again');
      const roleIds = before.roles.map(({ id }) => id);
      refuseHolderAboveCaller(caller, 'invitation', await findGrants(transaction, organizationId, roleIds));
      refuseTooManyMails(before.email, await loadMailTimes(transaction, before.email), now);
      const { secret, hash } = newSecret();
      const changes = {
        tokenHash: hash,
        expiresAt: expiryFrom(now),
        invitedBy: caller.id,
        senderIds: caller.userIds,
      };
      const after = await renewInvitation(transaction, invitationId, changes, now);
      const inviter = caller.name;
      await mail(
        invitationMail({ email: after.email, inviter, organizationName: organization.displayName }, linkOf(secret)),
      );
      return { data: after, change: { entityId: invitationId, before, after } };
    },

    acceptInvitation: {
      prepare: async ({ body }) => {
        const tokenHash = hashSecret(body.token);
        const open = await findOpenInvitation(parts.database.system, tokenHash);
        if (open === null) throw uselessLink();
        const { email, organization_id: organizationId } = open;
        refuseWeakPassword('password', body.password, { email, name: body.name });
        const passwordHash = await hashPassword(body.password);
        return async ({ transaction }) => {
          const { state, displayName: organization } = await lockAccess(transaction, organizationId);
          refuseWeakPassword('password', body.password, { email, name: body.name, organization });
          const taken = await takeInvitation(transaction, organizationId, tokenHash);
          if (taken === null || state !== 'active') throw uselessLink();
          const roles = await findGrants(transaction, organizationId, taken.role_ids);
          refuseInviter(await findInviter(transaction, taken), roles);
          const user = { ...body, email, passwordHash };
          const after = await insertUser(transaction, organizationId, user, roles).catch((error: unknown) => {
            throw isTaken(error) ? addressInUse() : error;
          });
          await addMakers(transaction, { organizationId, userId: after.id }, taken.sender_ids);
          return {
            data: after,
            change: {
              entityId: after.id,
              before: null,
              after,
              organizationId,
              actor: { kind: 'user', id: after.id, name: after.name },
              note: `Accepted the invitation ${taken.id} of ${taken.inviter_name ?? taken.invited_by}.`,
            },
          };
        };
      },
    },
  };
}
