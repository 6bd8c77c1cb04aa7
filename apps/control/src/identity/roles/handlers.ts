import { conflictsAt } from '../../frame/database-errors.ts';
import { found } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { roleOperations } from './contract.ts';
import {
  inCatalogueOrder,
  pageOfCatalogue,
  refuseAboveCaller,
  refuseBeyondCaller,
  refuseBuiltIn,
  refuseBuiltInName,
  refuseChangeOfOwnRole,
  refuseDeletionOfUsed,
} from './rules.ts';
import {
  countInvitations,
  deleteRole,
  findRole,
  hasRole,
  insertRole,
  listRoles,
  lockAccess,
  rotateSessionsOfRole,
  updateRole,
} from './store.ts';

const nameTaken = { roles_organization_id_name_key: ['name', 'Another role has this name.'] } as const;

export function roleHandlers(): Handlers<typeof roleOperations> {
  return {
    listRoles: ({ query }, { transaction }) => listRoles(transaction, query),
    createRole: async ({ body }, { caller, organizationId, transaction }) => {
      await lockAccess(transaction, organizationId);
      refuseBuiltInName(body.name);
      refuseBeyondCaller(caller, body.permissions);
      const permissions = inCatalogueOrder(body.permissions);
      const after = await conflictsAt(insertRole(transaction, { ...body, permissions }), nameTaken);
      return { data: after, change: { entityId: after.id, before: null, after } };
    },
    getRole: async ({ params }, { transaction }) => found(await findRole(transaction, params.roleId)),
    updateRole: async ({ params: { roleId }, body }, { caller, organizationId, transaction }) => {
      await lockAccess(transaction, organizationId);
      const before = found(await findRole(transaction, roleId));
      refuseBuiltIn(before);
      refuseBuiltInName(body.name);
      refuseAboveCaller(caller, 'role', before.permissions);
      const { permissions: wanted, ...texts } = given(body);
      const permissions = wanted && inCatalogueOrder(wanted);
      const changed = permissions !== undefined && permissions.join() !== before.permissions.join();
      refuseChangeOfOwnRole(await hasRole(transaction, caller.userIds, roleId), { permissions: changed });
      refuseBeyondCaller(caller, permissions ?? []);
      const changes = changed ? { ...texts, permissions } : texts;
      const after = await conflictsAt(updateRole(transaction, before, changes), nameTaken);
      if (changed) await rotateSessionsOfRole(transaction, roleId);
      return { data: after, change: { entityId: roleId, before, after } };
    },
    deleteRole: async ({ params: { roleId } }, { caller, organizationId, transaction }) => {
      await lockAccess(transaction, organizationId);
      const before = found(await findRole(transaction, roleId));
      refuseBuiltIn(before);
      refuseAboveCaller(caller, 'role', before.permissions);
      refuseDeletionOfUsed({ users: before.users, invitations: await countInvitations(transaction, roleId) });
      await deleteRole(transaction, roleId);
      return { data: {}, change: { entityId: roleId, before, after: null } };
    },
    listPermissions: async ({ query }, { caller }) => pageOfCatalogue(caller, query),
  };
}
