import { tenantTransaction } from '@millrace/postgres';
import { ScimError } from '@millrace/scim/errors';
import type { ScimObject } from '@millrace/scim/patch';
import { readGroup, readUser, type ScimUser } from '@millrace/scim/resources';
import type { ScimResources, ScimService } from '@millrace/scim/server';
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
import {
  countOtherAdministrators,
  deleteUser,
  findUser as findMember,
  insertUser,
  updateUser,
} from '../users/store.ts';
import {
  deleteGroup,
  findGroup,
  findUser,
  insertGroup,
  listGroupNames,
  listGroups,
  listMemberIds,
  listUsers,
  replaceMembers,
  updateGroup,
  upsertScimUser,
} from './store.ts';
import { createAuthenticateScim, type ScimClient } from './tokens.ts';

type ProvisioningParts = Pick<Parts, 'database' | 'chain' | 'publicUrl'>;

/** Users and groups of the console as identity providers provision them. */
export function createScimService(parts: ProvisioningParts): ScimService<ScimClient> {
  const baseUrl = () => `${parts.publicUrl()}/scim/v2`;
  return {
    baseUrl,
    authenticate: createAuthenticateScim(parts.database),
    users: scimUsers(parts, baseUrl),
    groups: scimGroups(parts, baseUrl),
    translate: (error) => {
      if (isUniqueViolation(error)) return taken('Another resource has this name.', error);
      if (isTaken(error)) return taken('This e-mail address can’t be used here.', error);
      return error instanceof ApiError ? new ScimError(error.status, null, error.message, { cause: error }) : null;
    },
  };
}

function scimUsers(parts: ProvisioningParts, baseUrl: () => string): ScimResources<ScimClient> {
  return {
    list: (client, query) => reading(parts, client, (transaction) => listUsers(transaction, query, baseUrl())),
    find: (client, id) => reading(parts, client, (transaction) => findUser(transaction, id, baseUrl())),

    create: async (client, resource) => {
      const given = readUser(resource);
      return writing(parts, client, 'createUserByProvisioning', 'user', async (transaction) => {
        const { organizationId } = client;
        await lockAccess(transaction, organizationId);
        const provider = await findProvider(transaction, organizationId);
        const roles = await findGrants(transaction, organizationId, provider?.default_role_ids ?? []);
        const values = { email: given.email, name: given.displayName, passwordHash: null };
        const { id } = await insertUser(transaction, organizationId, values, roles);
        await addMakers(transaction, { organizationId, userId: id }, client.createdBy);
        await upsertScimUser(transaction, id, given);
        if (!given.active) await updateUser(transaction, id, { state: 'suspended' });
        return { before: null, after: await findUser(transaction, id, baseUrl()), id };
      });
    },

    update: async (client, id, change) =>
      writing(parts, client, 'updateUserByProvisioning', 'user', async (transaction) => {
        await lockAccess(transaction, client.organizationId);
        const before = await findUser(transaction, id, baseUrl());
        if (before === null) return null;
        await changeUser(transaction, id, readUser(change(before)));
        return { before, after: await findUser(transaction, id, baseUrl()), id };
      }),

    remove: async (client, id, check) => {
      const removed = await writing(parts, client, 'deleteUserByProvisioning', 'user', async (transaction) => {
        await lockAccess(transaction, client.organizationId);
        const before = await findUser(transaction, id, baseUrl());
        if (before === null) return null;
        check(before);
        await refuseLossOf(transaction, id, 'deleted');
        await deleteUser(transaction, id);
        return { before, after: null, id };
      });
      return removed !== null;
    },
  };
}

/** Writes what a client sent of a user; one who is deactivated is signed out everywhere, in the same transaction. */
async function changeUser(transaction: TenantTransaction, id: string, next: ScimUser): Promise<void> {
  const { tenantId } = transaction;
  const user = (await findMember(transaction, id))!;
  const state = next.active ? 'active' : 'suspended';
  if (user.state === 'active' && !next.active) {
    await refuseLossOf(transaction, id, 'deactivated');
    await sessions.endAll(transaction, tenantId, id);
    await passwordResets.deleteAll(transaction, { tenantId, userId: id });
  }
  // Of a user whom nobody has provisioned yet, the address stays: it may be another one than the user name.
  await updateUser(transaction, id, { email: next.email, name: next.displayName, state });
  await upsertScimUser(transaction, id, next);
}

async function refuseLossOf(transaction: TenantTransaction, id: string, change: string): Promise<void> {
  const user = (await findMember(transaction, id))!;
  refuseLossOfBreakGlass(await isBreakGlass(transaction, transaction.tenantId, id), change);
  refuseLossOfAdministrator(user, [], await countOtherAdministrators(transaction, id), change);
}

function scimGroups(parts: ProvisioningParts, baseUrl: () => string): ScimResources<ScimClient> {
  return {
    list: (client, query) => reading(parts, client, (transaction) => listGroups(transaction, query, baseUrl())),
    find: (client, id) => reading(parts, client, (transaction) => findGroup(transaction, id, baseUrl())),

    create: async (client, resource) => {
      const given = readGroup(resource);
      return writing(parts, client, 'createGroupByProvisioning', 'group', async (transaction) => {
        await lockAccess(transaction, client.organizationId);
        const id = await insertGroup(transaction, given);
        await assignRolesOf(transaction, await replaceMembers(transaction, id, given.memberIds));
        return { before: null, after: await findGroup(transaction, id, baseUrl()), id };
      });
    },

    update: async (client, id, change) =>
      writing(parts, client, 'updateGroupByProvisioning', 'group', async (transaction) => {
        await lockAccess(transaction, client.organizationId);
        const before = await findGroup(transaction, id, baseUrl(), { lock: true });
        if (before === null) return null;
        const next = readGroup(change(before));
        const former = await listMemberIds(transaction, id);
        await updateGroup(transaction, id, next);
        const moved = await replaceMembers(transaction, id, next.memberIds);
        const isRenamed = next.displayName !== before.displayName;
        await assignRolesOf(transaction, isRenamed ? [...new Set([...former, ...moved])] : moved);
        return { before, after: await findGroup(transaction, id, baseUrl()), id };
      }),

    remove: async (client, id, check) => {
      const removed = await writing(parts, client, 'deleteGroupByProvisioning', 'group', async (transaction) => {
        await lockAccess(transaction, client.organizationId);
        const before = await findGroup(transaction, id, baseUrl(), { lock: true });
        if (before === null) return null;
        check(before);
        const former = await listMemberIds(transaction, id);
        await deleteGroup(transaction, id);
        await assignRolesOf(transaction, former);
        return { before, after: null, id };
      });
      return removed !== null;
    },
  };
}

/** Gives users the roles that follow from the groups that they are members of now. */
async function assignRolesOf(transaction: TenantTransaction, userIds: readonly string[]): Promise<void> {
  const provider = await findProvider(transaction, transaction.tenantId);
  if (provider === null) return;
  for (const userId of userIds) {
    const user = await findMember(transaction, userId);
    if (user !== null) await assignRoles(transaction, provider, user, await listGroupNames(transaction, userId));
  }
}

function reading<Result>(
  { database }: ProvisioningParts,
  { organizationId }: ScimClient,
  work: (transaction: TenantTransaction) => Promise<Result>,
): Promise<Result> {
  return tenantTransaction(database, organizationId, work, { access: 'read only' });
}

interface Provisioned {
  readonly id: string;
  readonly before: ScimObject | null;
  readonly after: ScimObject | null;
}

/** A write of a client in a transaction with its audit row; returns the resource afterwards. */
async function writing<Work extends Provisioned | null>(
  parts: ProvisioningParts,
  client: ScimClient,
  operation: string,
  entityType: 'user' | 'group',
  work: (transaction: TenantTransaction) => Promise<Work>,
): Promise<Work extends null ? ScimObject | null : ScimObject> {
  let result: Provisioned | null = null;
  await writeAsSystem(parts, client.organizationId, async (transaction) => {
    result = await work(transaction);
    if (result === null) return null;
    const { id: entityId, before, after } = result;
    const note = `By the provisioning token ${client.name}.`;
    return { operation, entityType, entityId, before, after, note };
  });
  const done = result as Provisioned | null;
  return (done && (done.after ?? done.before)) as Work extends null ? ScimObject | null : ScimObject;
}

function isUniqueViolation(error: unknown): boolean {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : null;
  return constraint === 'scim_users_user_name' || constraint === 'scim_groups_display_name';
}

function taken(detail: string, cause: unknown): ScimError {
  return new ScimError(409, 'uniqueness', detail, { cause });
}
