import type { TenantTransaction } from '../../database/schema.ts';
import { conflictsAt } from '../../frame/database-errors.ts';
import { found } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { Handlers } from '../../frame/handler.ts';
import { listApps } from '../apps/store.ts';
import { refuseState } from '../products/rules.ts';
import { hasTerms } from '../terms/store.ts';
import type { developerOperations } from './contract.ts';
import { refuseBilled, refuseHolding, usageDays } from './rules.ts';
import {
  deleteDeveloper,
  findDeveloper,
  insertDeveloper,
  listDevelopers,
  lockDeveloper,
  sumUnassigned,
  updateDeveloper,
} from './store.ts';
import { readUsage } from './usage.ts';

export function developerHandlers(): Handlers<typeof developerOperations> {
  return {
    listDevelopers: ({ query }, { transaction }) => listDevelopers(transaction, query),
    createDeveloper: async ({ body }, { transaction }) => {
      const after = await conflictsAt(insertDeveloper(transaction, body), emailTaken);
      return { data: after, change: { entityId: after.id, before: null, after } };
    },
    getDeveloper: async ({ params }, { transaction }) => found(await findDeveloper(transaction, params.developerId)),
    updateDeveloper: async ({ params: { developerId }, body }, { transaction }) => {
      const before = found(await lockDeveloper(transaction, developerId));
      const after = await conflictsAt(updateDeveloper(transaction, before, given(body)), emailTaken);
      return { data: after, change: { entityId: developerId, before, after } };
    },
    deleteDeveloper: async ({ params: { developerId } }, { transaction }) => {
      const before = found(await lockDeveloper(transaction, developerId));
      refuseHolding(before, await sumUnassigned(transaction, developerId));
      refuseBilled(await hasTerms(transaction, developerId));
      await deleteDeveloper(transaction, developerId);
      return { data: {}, change: { entityId: developerId, before, after: null } };
    },
    suspendDeveloper: ({ params }, { transaction }) => setState(transaction, params.developerId, 'suspended'),
    activateDeveloper: ({ params }, { transaction }) => setState(transaction, params.developerId, 'active'),
    listDeveloperApps: async ({ params: { developerId }, query }, { transaction }) => {
      found(await findDeveloper(transaction, developerId));
      return listApps(transaction, { ...query, developerId });
    },
    getDeveloperUsage: async ({ params: { developerId }, query }, { transaction, now }) => {
      found(await findDeveloper(transaction, developerId));
      return readUsage(transaction, { developerId }, usageDays(query, now));
    },
  };
}

const emailTaken = {
  developers_organization_id_email_key: ['email', 'Another developer has this e-mail address.'],
} as const;

async function setState(transaction: TenantTransaction, developerId: string, state: 'active' | 'suspended') {
  const before = found(await lockDeveloper(transaction, developerId));
  refuseState('developer', before.state, state);
  const after = await updateDeveloper(transaction, before, { state });
  return { data: after, change: { entityId: developerId, before, after } };
}
