import { ApiError, found, foundAt } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { Handlers } from '../../frame/handler.ts';
import { pageOf } from '../../frame/listing.ts';
import type { Parts } from '../../frame/parts.ts';
import { lockProxy } from '../proxies/content.ts';
import { findProxy } from '../proxies/store.ts';
import type { governanceOperations } from './contract.ts';
import { applyWaivers, evaluateProxy, refreshScores, runRulesetsAhead, settleExpiredWaivers } from './evaluate.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

/** Each evaluation runs all of them over a whole document. */
const mostCustomStandards = 20;
const mostAnswered = 100;

export function governanceHandlers({ database }: Parts): Handlers<typeof governanceOperations> {
  return {
    listGovernanceStandards: async ({ query }, { transaction }) => {
      const standards = (await store.loadStandards(transaction))
        .map(({ ruleset, ...standard }) => standard)
        .filter(({ kind }) => query.kind === undefined || kind === query.kind)
        .filter(({ severity }) => query.severity === undefined || severity === query.severity)
        .filter(({ blocking }) => query.blocking === undefined || blocking === query.blocking)
        .filter(({ enabled }) => query.enabled === undefined || enabled === query.enabled);
      const { rows, total } = pageOf(standards, query, ['code', 'name', 'description']);
      return { standards: [...rows], total };
    },
    createGovernanceStandard: async ({ body }, { transaction }) => {
      rules.refuseCode(body.code);
      const ruleset = (await rules.readRuleset(body.ruleset)) as rules.Standard['ruleset'];
      await store.lockStandards(transaction);
      if ((await store.countCustomStandards(transaction)) >= mostCustomStandards) {
        throw new ApiError('conflict', {
          message: `An organization can have at most ${mostCustomStandards} custom rules. Delete one, or combine several in one ruleset.`,
        });
      }
      await store.insertStandard(transaction, { ...body, ruleset });
      if (body.enabled) await store.outdateEvaluations(transaction);
      const created = found(await store.findStandard(transaction, body.code));
      return { data: created, change: { entityId: body.code, before: null, after: created } };
    },
    getGovernanceStandard: async ({ params }, { transaction }) =>
      found(await store.findStandard(transaction, params.code)),
    updateGovernanceStandard: async ({ params: { code }, body }, { transaction, now }) => {
      const before = await store.lockStandard(transaction, code);
      rules.refuseBuiltInChange(before, body);
      const { ruleset: text, ...fields } = given(body);
      const ruleset = text === undefined ? before.ruleset : ((await rules.readRuleset(text)) as typeof before.ruleset);
      const wanted = { ...before, ...fields, ruleset };
      await store.writeStandard(transaction, wanted, now);
      await store.adjustFindings(transaction, wanted);
      await refreshScores(transaction, null);
      if (wanted.enabled && (!before.enabled || text !== undefined)) await store.outdateEvaluations(transaction);
      const after = found(await store.findStandard(transaction, code));
      return { data: after, change: { entityId: code, before, after } };
    },
    deleteGovernanceStandard: async ({ params: { code } }, { transaction, now }) => {
      const before = await store.lockStandard(transaction, code);
      rules.refuseBuiltInDelete(before);
      await store.deleteStandard(transaction, code, now);
      await refreshScores(transaction, null);
      return { data: {}, change: { entityId: code, before, after: null } };
    },
    getProxyGovernance: {
      prepare: async ({ params: { proxyId }, query }, { organizationId, now }) => {
        await settleExpiredWaivers(database, organizationId, now);
        return async ({ transaction }) => {
          const { score, evaluatedAt, current, blocking } = found(await store.findSummary(transaction, proxyId));
          const { findings, total } = await store.listFindings(transaction, { ...query, proxyId });
          return { proxyId, score, evaluatedAt, current, blocking, findings, total };
        };
      },
    },
    evaluateProxyGovernance: {
      prepare: async ({ params: { proxyId } }, { organizationId, now }) => {
        await runRulesetsAhead(database, organizationId, proxyId);
        return async ({ transaction }) => {
          const before = await store.findSummary(transaction, proxyId);
          const { findings, score, blocking } = await evaluateProxy(transaction, proxyId, now);
          const after = { score, blocking: blocking.length, findings: findings.length };
          return {
            data: {
              proxyId,
              score,
              evaluatedAt: now.toISOString(),
              current: true,
              blocking: blocking.length,
              findings: findings.slice(0, mostAnswered),
              total: findings.length,
            },
            change: {
              entityId: proxyId,
              before: before && { score: before.score, blocking: before.blocking, findings: before.findings },
              after,
              note: `Score ${score}, ${findings.length} findings, ${blocking.length} of them blocking`,
            },
          };
        };
      },
    },
    listGovernanceFindings: {
      prepare: async ({ query }, { organizationId, now }) => {
        await settleExpiredWaivers(database, organizationId, now);
        return ({ transaction }) => store.listFindings(transaction, query);
      },
    },
    getGovernanceSummary: {
      prepare: async ({ query }, { organizationId, now }) => {
        await settleExpiredWaivers(database, organizationId, now);
        return ({ transaction }) => store.loadSummary(transaction, query);
      },
    },
    listGovernanceWaivers: ({ query }, { transaction, now }) => store.listWaivers(transaction, query, now),
    createGovernanceWaiver: async ({ body }, { transaction, caller, now }) => {
      const endsAt = new Date(body.endsAt);
      rules.refuseWaiverEnd(endsAt, now);
      foundAt('proxyId', 'API proxy', await findProxy(transaction, body.proxyId));
      foundAt('code', 'Rule', await store.findStandard(transaction, body.code));
      await lockProxy(transaction, body.proxyId);
      const id = await store.insertWaiver(transaction, { ...body, endsAt, createdBy: caller.id });
      await applyWaivers(transaction, [body.proxyId], now);
      const created = found(await store.findWaiver(transaction, id, now));
      return { data: created, change: { entityId: id, before: null, after: created, note: body.reason } };
    },
    endGovernanceWaiver: async ({ params: { waiverId } }, { transaction, now }) => {
      const { proxyId } = found(await store.findWaiver(transaction, waiverId, now));
      await lockProxy(transaction, proxyId);
      const before = found(await store.findWaiver(transaction, waiverId, now));
      rules.refuseEndedWaiver(before);
      await store.endWaiver(transaction, waiverId, now);
      await applyWaivers(transaction, [proxyId], now);
      const after = await store.findWaiver(transaction, waiverId, now);
      return { data: {}, change: { entityId: waiverId, before, after } };
    },
  };
}
