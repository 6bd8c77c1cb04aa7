import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import { conflictsAt } from '../../frame/database-errors.ts';
import { found } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { organizationOperations } from './contract.ts';
import {
  refuseChangeOfPlatform,
  refuseForeignOrganization,
  refuseNumbering,
  refuseState,
  refuseUnlessEmpty,
} from './rules.ts';
import {
  countHeld,
  deleteOrganization,
  findOrganization,
  insertOrganization,
  lastNumber,
  listOrganizations,
  updateOrganization,
} from './store.ts';

export function organizationHandlers(): Handlers<typeof organizationOperations> {
  return {
    listOrganizations: ({ query }, { transaction }) => listOrganizations(transaction, query),
    createOrganization: async ({ body }, { transaction }) => {
      const created = await conflictsAt(insertOrganization(transaction, body), {
        organizations_name_key: ['name', 'Another organization has this name.'],
      });
      return {
        data: created,
        change: { entityId: created.id, before: null, after: created, organizationId: created.id },
      };
    },
    getOrganization: async ({ params: { organizationId } }, { caller, transaction }) => {
      refuseForeignOrganization(caller, organizationId);
      return found(await findOrganization(transaction, organizationId)).organization;
    },
    updateOrganization: async ({ params: { organizationId }, body }, { caller, transaction }) => {
      refuseForeignOrganization(caller, organizationId);
      const { organization: before } = found(await findOrganization(transaction, organizationId, { lock: true }));
      const after = await updateOrganization(transaction, organizationId, body);
      return { data: after, change: { entityId: organizationId, before, after, organizationId } };
    },
    deleteOrganization: async ({ params: { organizationId } }, { caller, transaction }) => {
      const { organization } = found(await findOrganization(transaction, organizationId, { lock: true }));
      refuseChangeOfPlatform(organization, 'deleted');
      refuseUnlessEmpty(await countHeld(transaction, organizationId));
      await deleteOrganization(transaction, organizationId);
      return {
        data: {},
        change: {
          entityId: organizationId,
          before: organization,
          after: null,
          organizationId: caller.homeOrganizationId,
        },
      };
    },
    suspendOrganization: ({ params }, { transaction }) => move(transaction, params.organizationId, 'suspended'),
    activateOrganization: ({ params }, { transaction }) => move(transaction, params.organizationId, 'active'),
    getOrganizationSettings: async ({ params: { organizationId } }, { caller, transaction }) => {
      refuseForeignOrganization(caller, organizationId);
      const { settings, organization } = found(await findOrganization(transaction, organizationId));
      return { ...settings, version: organization.version };
    },
    updateOrganizationSettings: async ({ params: { organizationId }, body }, { caller, transaction }) => {
      refuseForeignOrganization(caller, organizationId);
      const { settings, organization } = found(await findOrganization(transaction, organizationId, { lock: true }));
      const approval = { ...settings.approval, ...given(body.approval ?? {}) };
      const { invoiceNumbering: numbering } = body;
      if (numbering !== undefined) {
        const last = await lastNumber(transaction, organizationId, 'invoices', numbering.prefix);
        refuseNumbering(numbering, last, 'invoiceNumbering');
      }
      const changed = { ...settings, ...given(body), approval };
      const { version } = await updateOrganization(transaction, organizationId, { settings: changed });
      const before = { ...settings, version: organization.version };
      const after = { ...changed, version };
      return { data: after, change: { entityId: organizationId, before, after, organizationId } };
    },
  };
}

async function move(transaction: Kysely<Schema>, organizationId: string, state: 'active' | 'suspended') {
  const { organization: before } = found(await findOrganization(transaction, organizationId, { lock: true }));
  if (state === 'suspended') refuseChangeOfPlatform(before, 'suspended');
  refuseState(before.state, state);
  const after = await updateOrganization(transaction, organizationId, { state });
  return { data: after, change: { entityId: organizationId, before, after, organizationId } };
}
