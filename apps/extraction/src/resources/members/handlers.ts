import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import { newSecret } from '@millrace/sign-in/secrets';
import { countAttempt, mailCounter } from '@millrace/sign-in/throttle';
import type { ExtractionDatabase, TenantTransaction } from '../../database/schema.ts';
import type { DashboardCaller } from '../../http/dashboard-caller.ts';
import { refuseFor } from '../../http/dashboard-frame.ts';
import { pageOf } from '../../http/dashboard-page.ts';
import { sessions } from '../../http/dashboard-sessions.ts';
import { ApiError, fieldError } from '../../http/errors.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { findAccount } from '../account/store.ts';
import { refuseLossOfBreakGlass } from '../identity-provider/rules.ts';
import { isBreakGlass } from '../identity-provider/store.ts';
import { deletePasswordResets } from '../sessions/store.ts';
import type { memberOperations } from './contract.ts';
import { invitationDays, invitationMail, memberAnswer, mostMembers, refuseLockingOut } from './rules.ts';
import {
  countMembers,
  countOtherAdministrators,
  findMember,
  isInvitationId,
  isMember,
  listMembers,
  lockMembers,
  putInvitation,
  removeMember,
  type StoredMember,
  setDisabled,
  setRole,
} from './store.ts';

export interface MemberParts {
  readonly database: ExtractionDatabase;
  readonly outbox: Outbox;
  /** Called after a commit that put mail into the outbox. */
  readonly onMail: () => void;
  /** Where people reach the dashboard, without a slash at the end; for the links in e-mails. */
  readonly dashboardUrl: () => string;
}

export function memberHandlers(parts: MemberParts): Handlers<typeof memberOperations, DashboardCaller> {
  const { database, outbox } = parts;
  const within = <Result>(
    { accountId }: DashboardCaller,
    work: (transaction: TenantTransaction) => Promise<Result>,
  ): Promise<Result> => tenantTransaction(database, accountId, work);

  return {
    async listMembers({ query: { cursor, limit } }, caller) {
      const members = await within(caller, (transaction) =>
        listMembers(transaction, { after: cursor ?? null, limit: limit + 1 }),
      );
      return {
        status: 200,
        body: pageOf(
          members.map((member) => memberAnswer(member)),
          limit,
        ),
      };
    },

    async inviteMember({ body: { email, role } }, caller) {
      const counter = mailCounter('invitation', `${caller.accountId} ${email}`);
      refuseFor(await countAttempt(database.system, [counter]), 'This address was sent many invitations');
      const { secret, hash } = newSecret();
      const link = `${parts.dashboardUrl()}/accept-invitation?token=${secret}`;
      const invitation = { email, role, tokenHash: hash, invitedBy: caller.userId, days: invitationDays };
      const invited = await within(caller, async (transaction) => {
        await lockMembers(transaction);
        if (await isMember(transaction, email)) throw fieldError('email', 'This person is already a member.');
        if ((await countMembers(transaction)) >= mostMembers) {
          throw new ApiError('conflict', { message: `An account has at most ${mostMembers} members.` });
        }
        const inviter = await findMember(transaction, caller.userId);
        const { name: accountName } = await findAccount(transaction);
        const from = inviter?.name || inviter?.email || 'An administrator';
        await outbox.put(transaction, caller.accountId, invitationMail({ email, inviter: from, accountName }, link));
        return putInvitation(transaction, invitation);
      });
      parts.onMail();
      return { status: 201, body: memberAnswer(invited) };
    },

    async updateMember({ params: { id }, body: { role, disabled } }, caller) {
      const changed = await within(caller, async (transaction) => {
        const member = await lockedMember(transaction, id);
        if (isInvitationId(id) && disabled !== undefined) {
          throw fieldError('disabled', 'Withdraw the invitation instead.');
        }
        if (role === 'member' || disabled === true) await refuseLockout(transaction, member, caller);
        if (role !== undefined && role !== member.role) await setRole(transaction, id, role);
        if (disabled !== undefined) await setDisabled(transaction, id, disabled);
        if (disabled === true) await signOutEverywhere(transaction, id);
        return findMember(transaction, id);
      });
      if (changed === null) throw new ApiError('not_found');
      return { status: 200, body: memberAnswer(changed) };
    },

    async removeMember({ params: { id } }, caller) {
      await within(caller, async (transaction) => {
        await refuseLockout(transaction, await lockedMember(transaction, id), caller);
        await removeMember(transaction, id);
        await signOutEverywhere(transaction, id);
      });
      return { status: 200, body: {} };
    },
  };
}

async function lockedMember(transaction: TenantTransaction, id: string): Promise<StoredMember> {
  await lockMembers(transaction);
  const member = await findMember(transaction, id);
  if (member === null) throw new ApiError('not_found');
  return member;
}

async function refuseLockout(
  transaction: TenantTransaction,
  member: StoredMember,
  { userId }: DashboardCaller,
): Promise<void> {
  const otherAdministrators = await countOtherAdministrators(transaction, member.id);
  refuseLockingOut(member, { callerId: userId, otherAdministrators });
  refuseLossOfBreakGlass(await isBreakGlass(transaction, member.id));
}

async function signOutEverywhere(transaction: TenantTransaction, userId: string): Promise<void> {
  await sessions.endAll(transaction, transaction.tenantId, userId);
  await deletePasswordResets(transaction, userId);
}
