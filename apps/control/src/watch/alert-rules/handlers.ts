import { newId } from '@millrace/identifiers';
import { findApp } from '../../consumers/apps/store.ts';
import { findProduct } from '../../consumers/products/store.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { findEnvironment } from '../../design/environments/store.ts';
import { findProxy } from '../../design/proxies/store.ts';
import { conflictsAt } from '../../frame/database-errors.ts';
import { found, foundAt } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { Handlers } from '../../frame/handler.ts';
import { findIntegration } from '../integrations/store.ts';
import type { alertRuleOperations } from './contract.ts';
import { tryOnPast } from './past.ts';
import {
  isOtherCondition,
  type RuleFields,
  refuseContradictions,
  refuseTooManyRules,
  refuseUntestable,
} from './rules.ts';
import {
  countAlertRules,
  deleteAlertRule,
  findAlertRule,
  insertAlertRule,
  listAlertRules,
  listAlerts,
  listEvaluations,
  recordEdit,
  updateAlertRule,
} from './store.ts';

export function alertRuleHandlers(): Handlers<typeof alertRuleOperations> {
  return {
    listAlertRules: ({ query }, { transaction, now }) => listAlertRules(transaction, query, now),
    createAlertRule: async ({ body }, { transaction, now }) => {
      refuseContradictions(body);
      await refuseUnknown(transaction, body);
      refuseTooManyRules(await countAlertRules(transaction));
      const after = await conflictsAt(insertAlertRule(transaction, body, now), nameTaken);
      return { data: after, change: { entityId: after.id, before: null, after } };
    },
    previewAlertRule: async ({ body: { rule, from, to } }, { transaction, now }) =>
      tryRule(transaction, { id: newId('alr'), ...rule }, { from, to }, now),
    getAlertRule: async ({ params: { alertRuleId } }, { transaction, now }) => ({
      ...found(await findAlertRule(transaction, alertRuleId, now)),
      alerts: await listAlerts(transaction, alertRuleId),
    }),
    updateAlertRule: async ({ params: { alertRuleId }, body }, { transaction, now }) => {
      const before = await lockRule(transaction, alertRuleId, now);
      const fields = { ...before, ...given(body) };
      refuseContradictions(fields);
      await refuseUnknown(transaction, given(body));
      const begins = isOtherCondition(before, fields);
      const after = await conflictsAt(updateAlertRule(transaction, before, fields, now, { begins }), nameTaken);
      return { data: after, change: { entityId: alertRuleId, before, after } };
    },
    deleteAlertRule: async ({ params: { alertRuleId } }, { transaction, now }) => {
      const before = await lockRule(transaction, alertRuleId, now);
      await deleteAlertRule(transaction, before);
      return { data: {}, change: { entityId: alertRuleId, before, after: null } };
    },
    testAlertRule: async ({ params: { alertRuleId }, body: { changes, from, to } }, { transaction, now }) => {
      const rule = found(await findAlertRule(transaction, alertRuleId, now));
      return tryRule(transaction, { ...rule, ...given(changes) }, { from, to }, now);
    },
    listAlertRuleEvaluations: async ({ params: { alertRuleId }, query }, { transaction, now }) => {
      found(await findAlertRule(transaction, alertRuleId, now));
      return listEvaluations(transaction, alertRuleId, query);
    },
  };
}

const nameTaken = {
  alert_rules_organization_id_name_key: ['name', 'Another alert rule has this name.'],
} as const;

/** A rule that nobody else changes or evaluates until the commit. */
async function lockRule(transaction: TenantTransaction, alertRuleId: string, now: Date) {
  // An evaluation locks the clock before it writes about rules.
  await recordEdit(transaction);
  return found(await findAlertRule(transaction, alertRuleId, now, { lock: true }));
}

async function tryRule(
  transaction: TenantTransaction,
  rule: RuleFields & { readonly id: string },
  range: { readonly from: string; readonly to: string },
  now: Date,
) {
  const [from, to] = [new Date(range.from), new Date(range.to)];
  refuseContradictions(rule);
  refuseUntestable(rule, from, to, now);
  return tryOnPast(transaction, rule, { from, to }, now);
}

/** Rejects ids of what doesn't exist. */
async function refuseUnknown(transaction: TenantTransaction, rule: Partial<RuleFields>): Promise<void> {
  const { environmentId, proxyId, appId, productId, integrationIds = [] } = rule;
  if (environmentId) foundAt('environmentId', 'Environment', await findEnvironment(transaction, environmentId));
  if (proxyId) foundAt('proxyId', 'API proxy', await findProxy(transaction, proxyId));
  if (appId) foundAt('appId', 'App', await findApp(transaction, appId));
  if (productId) foundAt('productId', 'API product', await findProduct(transaction, productId));
  for (const [index, id] of integrationIds.entries()) {
    foundAt(`integrationIds.${index}`, 'Integration', await findIntegration(transaction, id));
  }
}
