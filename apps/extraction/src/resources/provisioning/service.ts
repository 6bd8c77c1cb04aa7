import { tenantTransaction } from '@millrace/postgres';
import { ScimError } from '@millrace/scim/errors';
import type { ScimUser } from '@millrace/scim/resources';
import type { ScimService } from '@millrace/scim/server';
import { createScimService as createService } from '@millrace/scim/service';
import type { ScimClient } from '@millrace/scim/tokens';
import { scimStore } from '../../accounts/scim-store.ts';
import { insertUser, isAddressTaken } from '../../accounts/store.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { sessions } from '../../http/dashboard-sessions.ts';
import { ApiError } from '../../http/errors.ts';
import { refuseLossOfBreakGlass, roleOfGroups } from '../identity-provider/rules.ts';
import { findProvider, isBreakGlass } from '../identity-provider/store.ts';
import { mostMembers, refuseLockingOut } from '../members/rules.ts';
import {
  countMembers,
  countOtherAdministrators,
  findMember,
  lockMembers,
  removeMember,
  setDisabled,
  setRole,
} from '../members/store.ts';
import { deletePasswordResets } from '../sessions/store.ts';
import { type ProvisioningParts, scimUrlOf } from './handlers.ts';
import { forgetProvisioned, renameUser, scimTokens } from './store.ts';

/** Members and groups of the dashboard as identity providers provision them. */
export function createScimService(parts: ProvisioningParts): ScimService<ScimClient> {
  const { database, log } = parts;
  return createService<ScimClient, TenantTransaction>({
    store: scimStore,
    baseUrl: () => scimUrlOf(parts),
    authenticate: scimTokens.createAuthenticate(database),
    read: ({ tenantId }, work) => tenantTransaction(database, tenantId, work, { access: 'read only' }),
    write: async ({ tenantId, name }, work) => {
      const written = await tenantTransaction(database, tenantId, async (transaction) => {
        await lockMembers(transaction);
        return work(transaction);
      });
      if (written === null) return;
      const { operation, entityType, id } = written;
      log.info({ account: tenantId, token: name, operation, [entityType]: id }, 'an identity provider provisioned');
    },
    insertUser: async (transaction, { email, displayName: name, active }) => {
      if ((await countMembers(transaction)) >= mostMembers) {
        throw new ApiError('conflict', { message: `An account has at most ${mostMembers} members.` });
      }
      const id = await insertUser(transaction, { email, name, role: 'member', passwordHash: null });
      if (!active) await setDisabled(transaction, id, true);
      return id;
    },
    updateUser: changeUser,
    removeUser: async (transaction, id) => {
      await refuseLossOf(transaction, id);
      await removeMember(transaction, id);
      await forgetProvisioned(transaction, id);
      await signOutEverywhere(transaction, id);
    },
    assignRoles,
    translate: (error) => {
      if (isAddressTaken(error)) {
        return new ScimError(409, 'uniqueness', 'This e-mail address can’t be used here.', { cause: error });
      }
      return error instanceof ApiError ? new ScimError(error.status, null, error.message, { cause: error }) : null;
    },
  });
}

async function changeUser(transaction: TenantTransaction, id: string, next: ScimUser): Promise<void> {
  const member = await findMember(transaction, id);
  const isActive = member?.disabled_at === null;
  if (isActive && !next.active) {
    await refuseLossOf(transaction, id);
    await signOutEverywhere(transaction, id);
  }
  await renameUser(transaction, id, { email: next.email, name: next.displayName });
  if (isActive !== next.active) await setDisabled(transaction, id, !next.active);
}

/** Gives a member the role of their groups; the last administrator and the break-glass one keep theirs. */
async function assignRoles(transaction: TenantTransaction, userId: string, groups: readonly string[]): Promise<void> {
  const provider = await findProvider(transaction, transaction.tenantId);
  const member = await findMember(transaction, userId);
  const role = provider && roleOfGroups(provider, groups);
  if (role === null || member === null || role === member.role) return;
  const isKept =
    provider?.break_glass_user_id === userId ||
    (member.role === 'administrator' && (await countOtherAdministrators(transaction, userId)) === 0);
  if (!isKept) await setRole(transaction, userId, role);
}

async function refuseLossOf(transaction: TenantTransaction, id: string): Promise<void> {
  const member = await findMember(transaction, id);
  if (member === null) throw new ApiError('not_found');
  const otherAdministrators = await countOtherAdministrators(transaction, id);
  // A client of SCIM is no member.
  refuseLockingOut(member, { callerId: '', otherAdministrators });
  refuseLossOfBreakGlass(await isBreakGlass(transaction, id));
}

async function signOutEverywhere(transaction: TenantTransaction, userId: string): Promise<void> {
  await sessions.endAll(transaction, transaction.tenantId, userId);
  await deletePasswordResets(transaction, userId);
}
