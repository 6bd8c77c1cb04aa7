import { tenantTransaction } from '@millrace/postgres';
import { ScimError } from '@millrace/scim/errors';
import type { ScimUser } from '@millrace/scim/resources';
import type { ScimService } from '@millrace/scim/server';
import { createScimService as createService } from '@millrace/scim/service';
import type { ScimClient } from '@millrace/scim/tokens';
import type { TenantTransaction } from '../../database/schema.ts';
import { ApiError } from '../../frame/errors.ts';
import type { Parts } from '../../frame/parts.ts';
import { addMakers } from '../../frame/persons.ts';
import { sessions } from '../../frame/sessions.ts';
import { writeAsSystem } from '../../frame/system-write.ts';
import { passwordResets } from '../auth/store.ts';
import { refuseLossOfBreakGlass } from '../identity-providers/rules.ts';
import { findProvider, isBreakGlass } from '../identity-providers/store.ts';
import { assignRoles } from '../provider-sign-in/member.ts';
import { findGrants, lockAccess } from '../roles/store.ts';
import { isTaken } from '../users/addresses.ts';
import { refuseLossOfAdministrator } from '../users/rules.ts';
import { scimStore } from '../users/scim-store.ts';
import { countOtherAdministrators, deleteUser, findUser, insertUser, updateUser } from '../users/store.ts';
import { scimTokens } from './tokens.ts';

/** Users and groups of the console as identity providers provision them. */
export function createScimService(parts: Pick<Parts, 'database' | 'chain' | 'publicUrl'>): ScimService<ScimClient> {
  const { database } = parts;
  return createService<ScimClient, TenantTransaction>({
    store: scimStore,
    baseUrl: () => `${parts.publicUrl()}/scim/v2`,
    authenticate: scimTokens.createAuthenticate(database),
    read: ({ tenantId }, work) => tenantTransaction(database, tenantId, work, { access: 'read only' }),
    write: ({ tenantId, name }, work) =>
      writeAsSystem(parts, tenantId, async (transaction) => {
        await lockAccess(transaction, tenantId);
        const result = await work(transaction);
        if (result === null) return null;
        const { id: entityId, ...written } = result;
        return { ...written, entityId, note: `By the provisioning token ${name}.` };
      }),
    insertUser: async (transaction, given, { tenantId: organizationId, createdBy }) => {
      const provider = await findProvider(transaction, organizationId);
      const roles = await findGrants(transaction, organizationId, provider?.default_role_ids ?? []);
      const values = { email: given.email, name: given.displayName, passwordHash: null };
      const { id } = await insertUser(transaction, organizationId, values, roles);
      await addMakers(transaction, { organizationId, userId: id }, createdBy);
      if (!given.active) await updateUser(transaction, id, { state: 'suspended' });
      return id;
    },
    updateUser: changeUser,
    removeUser: async (transaction, id) => {
      await refuseLossOf(transaction, id, 'deleted');
      await deleteUser(transaction, id);
    },
    assignRoles: async (transaction, userId, groups) => {
      const provider = await findProvider(transaction, transaction.tenantId);
      const user = provider && (await findUser(transaction, userId));
      if (provider !== null && user !== null) await assignRoles(transaction, provider, user, groups);
    },
    translate: (error) => {
      if (isTaken(error)) {
        return new ScimError(409, 'uniqueness', 'This e-mail address can’t be used here.', { cause: error });
      }
      return error instanceof ApiError ? new ScimError(error.status, null, error.message, { cause: error }) : null;
    },
  });
}

async function changeUser(transaction: TenantTransaction, id: string, next: ScimUser): Promise<void> {
  const { tenantId } = transaction;
  const user = (await findUser(transaction, id))!;
  const state = next.active ? 'active' : 'suspended';
  if (user.state === 'active' && !next.active) {
    await refuseLossOf(transaction, id, 'deactivated');
    await sessions.endAll(transaction, tenantId, id);
    await passwordResets.deleteAll(transaction, { tenantId, userId: id });
  }
  // Of a user whom nobody has provisioned yet, the address stays: it may be another one than the user name.
  await updateUser(transaction, id, { email: next.email, name: next.displayName, state });
}

async function refuseLossOf(transaction: TenantTransaction, id: string, change: string): Promise<void> {
  const user = (await findUser(transaction, id))!;
  refuseLossOfBreakGlass(await isBreakGlass(transaction, transaction.tenantId, id), change);
  refuseLossOfAdministrator(user, [], await countOtherAdministrators(transaction, id), change);
}
