import { ScimError } from './errors.ts';
import type { ScimObject } from './patch.ts';
import { readGroup, readUser, type ScimUser } from './resources.ts';
import type { ScimResources, ScimService } from './server.ts';
import type { ScimStore, ScimTransaction } from './store.ts';

/** What a client wrote, for the application’s records. */
export interface ScimWrite {
  /** Such as `createUserByProvisioning`. */
  readonly operation: string;
  readonly entityType: 'user' | 'group';
  readonly id: string;
  readonly before: ScimObject | null;
  readonly after: ScimObject | null;
}

/** The users of an application, as far as clients provision them. */
export interface ScimApplication<Client, Transaction extends ScimTransaction> {
  readonly store: ScimStore;
  /** Where clients reach it, without a slash at the end. */
  baseUrl(): string;
  /** The client that a bearer token is of; null if it is of none. */
  authenticate(token: string): Promise<Client | null>;
  read<Result>(client: Client, work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Writes in a transaction that keeps others off the tenant’s users until the commit, and records it there.
   *
   * @param work null: nothing was written
   */
  write(client: Client, work: (transaction: Transaction) => Promise<ScimWrite | null>): Promise<void>;
  /** Adds a user; returns the id. */
  insertUser(transaction: Transaction, user: ScimUser, client: Client): Promise<string>;
  /** Writes name, address and state; one who is deactivated is signed out everywhere, in the same transaction. */
  updateUser(transaction: Transaction, id: string, user: ScimUser): Promise<void>;
  removeUser(transaction: Transaction, id: string): Promise<void>;
  /** Gives a user the roles that follow from the names of their groups. */
  assignRoles(transaction: Transaction, userId: string, groups: readonly string[]): Promise<void>;
  /** A failure of the application as one of SCIM; null if it is none that the client may read. */
  translate(error: unknown): ScimError | null;
}

/** Users and groups of an application, as identity providers provision them. */
export function createScimService<Client extends { readonly tokenId: string }, Transaction extends ScimTransaction>(
  application: ScimApplication<Client, Transaction>,
): ScimService<Client> {
  const { baseUrl, authenticate } = application;
  return {
    baseUrl,
    authenticate,
    users: scimUsers(application),
    groups: scimGroups(application),
    translate: (error) => {
      if (isNameTaken(error)) {
        return new ScimError(409, 'uniqueness', 'Another resource has this name.', { cause: error });
      }
      return application.translate(error);
    },
  };
}

function scimUsers<Client, Transaction extends ScimTransaction>(
  application: ScimApplication<Client, Transaction>,
): ScimResources<Client> {
  const { store, baseUrl } = application;
  const find = (transaction: Transaction, id: string) => store.findUser(transaction, id, baseUrl());
  return {
    list: (client, query) => application.read(client, (transaction) => store.listUsers(transaction, query, baseUrl())),
    find: (client, id) => application.read(client, (transaction) => find(transaction, id)),

    create: async (client, resource) => {
      const given = readUser(resource);
      return created(application, client, async (transaction) => {
        const id = await application.insertUser(transaction, given, client);
        await store.upsertUser(transaction, id, given);
        const after = await find(transaction, id);
        return { operation: 'createUserByProvisioning', entityType: 'user', id, before: null, after };
      });
    },

    update: (client, id, change) =>
      written(application, client, async (transaction) => {
        const before = await find(transaction, id);
        if (before === null) return null;
        const next = readUser(change(before));
        await application.updateUser(transaction, id, next);
        await store.upsertUser(transaction, id, next);
        const after = await find(transaction, id);
        return { operation: 'updateUserByProvisioning', entityType: 'user', id, before, after };
      }),

    remove: async (client, id, check) => {
      const removed = await written(application, client, async (transaction) => {
        const before = await find(transaction, id);
        if (before === null) return null;
        check(before);
        await application.removeUser(transaction, id);
        return { operation: 'deleteUserByProvisioning', entityType: 'user', id, before, after: null };
      });
      return removed !== null;
    },
  };
}

function scimGroups<Client, Transaction extends ScimTransaction>(
  application: ScimApplication<Client, Transaction>,
): ScimResources<Client> {
  const { store, baseUrl } = application;
  const find = (transaction: Transaction, id: string, lock = false) =>
    store.findGroup(transaction, id, baseUrl(), { lock });
  const assignRolesOf = async (transaction: Transaction, userIds: readonly string[]) => {
    for (const userId of userIds) {
      await application.assignRoles(transaction, userId, await store.listGroupNames(transaction, userId));
    }
  };
  return {
    list: (client, query) => application.read(client, (transaction) => store.listGroups(transaction, query, baseUrl())),
    find: (client, id) => application.read(client, (transaction) => find(transaction, id)),

    create: async (client, resource) => {
      const given = readGroup(resource);
      return created(application, client, async (transaction) => {
        const id = await store.insertGroup(transaction, given);
        await assignRolesOf(transaction, await store.replaceMembers(transaction, id, given.memberIds));
        const after = await find(transaction, id);
        return { operation: 'createGroupByProvisioning', entityType: 'group', id, before: null, after };
      });
    },

    update: (client, id, change) =>
      written(application, client, async (transaction) => {
        const before = await find(transaction, id, true);
        if (before === null) return null;
        const next = readGroup(change(before));
        const former = await store.listMemberIds(transaction, id);
        await store.updateGroup(transaction, id, next);
        const moved = await store.replaceMembers(transaction, id, next.memberIds);
        const isRenamed = next.displayName !== before.displayName;
        await assignRolesOf(transaction, isRenamed ? [...new Set([...former, ...moved])] : moved);
        const after = await find(transaction, id);
        return { operation: 'updateGroupByProvisioning', entityType: 'group', id, before, after };
      }),

    remove: async (client, id, check) => {
      const removed = await written(application, client, async (transaction) => {
        const before = await find(transaction, id, true);
        if (before === null) return null;
        check(before);
        const former = await store.listMemberIds(transaction, id);
        await store.deleteGroup(transaction, id);
        await assignRolesOf(transaction, former);
        return { operation: 'deleteGroupByProvisioning', entityType: 'group', id, before, after: null };
      });
      return removed !== null;
    },
  };
}

/** A write of a client; returns the resource afterwards, or as it was if it was removed; null if there was none. */
async function written<Client, Transaction extends ScimTransaction>(
  application: ScimApplication<Client, Transaction>,
  client: Client,
  work: (transaction: Transaction) => Promise<ScimWrite | null>,
): Promise<ScimObject | null> {
  const results: ScimWrite[] = [];
  await application.write(client, async (transaction) => {
    const result = await work(transaction);
    // A transaction that is tried again leaves the last result.
    results.splice(0, results.length, ...(result === null ? [] : [result]));
    return result;
  });
  const [result] = results;
  return result === undefined ? null : (result.after ?? result.before);
}

async function created<Client, Transaction extends ScimTransaction>(
  application: ScimApplication<Client, Transaction>,
  client: Client,
  work: (transaction: Transaction) => Promise<ScimWrite>,
): Promise<ScimObject> {
  const resource = await written(application, client, work);
  if (resource === null) throw new Error('A resource that was just created is not there.');
  return resource;
}

function isNameTaken(error: unknown): boolean {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : null;
  return constraint === 'scim_users_user_name' || constraint === 'scim_groups_display_name';
}
