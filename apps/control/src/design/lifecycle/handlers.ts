import { diffDocuments } from '@millrace/openapi/diff';
import { tenantTransaction } from '@millrace/postgres';
import { diffContent } from '@millrace/revision/diff';
import type { TenantTransaction } from '../../database/schema.ts';
import type { Caller } from '../../frame/caller.ts';
import { ApiError, found } from '../../frame/errors.ts';
import type { CallerContext, Handlers } from '../../frame/handler.ts';
import { pageOf } from '../../frame/listing.ts';
import type { Parts } from '../../frame/parts.ts';
import { loadPersons } from '../../frame/persons.ts';
import { type Evaluation, evaluateAhead, evaluateProxy } from '../governance/evaluate.ts';
import { findingSnapshot } from '../governance/store.ts';
import { loadContent, lockProxy } from '../proxies/content.ts';
import { cutRevision, findRevision } from '../revisions/store.ts';
import type { lifecycleOperations } from './contract.ts';
import { askApprovers, notifyDiscussion, notifyRequester } from './notices.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

type Context = CallerContext<TenantTransaction>;

export function lifecycleHandlers(parts: Parts): Handlers<typeof lifecycleOperations> {
  const sending = ({ transaction, now, mail }: Context) => ({ transaction, now, mail, publicUrl: parts.publicUrl() });

  return {
    listLifecycleStages: async ({ query }, { transaction }) => {
      const requiredFor = await store.loadRequiredFor(transaction);
      const stages = rules.stageDescriptions.map(({ stage, description, moves }, index) => ({
        position: index + 1,
        stage,
        description,
        moves: moves.map(({ toStage, by }) => ({
          toStage,
          by,
          approvalRequired:
            by === 'approval' || toStage === 'review' || requiredFor.some((required) => required === toStage),
        })),
      }));
      const { rows, total } = pageOf(stages, query, ['stage', 'description']);
      return { stages: [...rows], total };
    },
    getProxyLifecycle: async ({ params: { proxyId }, query }, { transaction }) => {
      const proxy = found(await store.findProxyRow(transaction, proxyId));
      const life = await store.loadLife(transaction, proxy);
      const requiredFor = await store.loadRequiredFor(transaction);
      return {
        proxyId,
        stage: proxy.stage,
        contentHash: proxy.content_hash,
        approvedRevision: proxy.approved_revision,
        contentApproved: proxy.approved_hash === proxy.content_hash,
        pendingRequest: await store.findPendingRequest(transaction, proxyId),
        moves: rules
          .possibleTargets(life)
          .map((toStage) => ({ toStage, approvalRequired: rules.needsApproval(toStage, requiredFor) })),
        ...(await store.listMoves(transaction, proxyId, query)),
      };
    },
    createLifecycleRequest: {
      prepare: async ({ params: { proxyId }, body }, { organizationId, now }) => {
        await evaluateAhead(parts.database, organizationId, proxyId, now);
        return async (context) => {
          const { transaction, caller } = context;
          const { toStage, note } = body;
          const proxy = await lockProxy(transaction, proxyId);
          const life = await store.loadLife(transaction, proxy);
          const circumstances = await loadCircumstances(transaction, proxyId);
          rules.refuseRequest(life, toStage, circumstances);
          const evaluation = await evaluateProxy(transaction, proxyId, now);
          if (rules.isGoverned(toStage)) refuseBlocking(evaluation, toStage);

          const { revision, diff } =
            toStage === 'approved'
              ? await freeze(transaction, caller, proxy, note)
              : { revision: await approvedRevision(transaction, proxy), diff: { changes: [], breaking: false } };
          const authorKeys = rules.authorsOf(life, await loadPersons(transaction, caller), revision.author_ids);
          const after = rules.requested(
            life,
            { toStage, contentHash: proxy.content_hash, requestedBy: caller.id, authorKeys },
            circumstances,
          );
          const waits = after.request !== null;
          const id = await store.insertRequest(
            transaction,
            {
              proxyId,
              fromStage: life.stage,
              toStage,
              state: waits ? 'pending' : 'approved',
              note,
              revision: revision.revision,
              contentHash: proxy.content_hash,
              requester: caller,
              authorKeys,
              findings: evaluation.findings.map(findingSnapshot),
              diff,
              reason: waits ? null : 'The organization doesn’t require approval for this move.',
            },
            now,
          );
          await store.writeLife(transaction, proxyId, life, after, {
            mover: caller,
            requestId: id,
            reason: note,
            revision: revision.revision,
          });
          const created = found(await store.findRequest(transaction, id));
          if (waits) await askApprovers(sending(context), created);
          return { data: created, change: { entityId: id, before: null, after: created, note } };
        };
      },
    },
    listLifecycleRequests: async ({ query }, { transaction, caller }) =>
      store.listRequests(transaction, query, await loadPersons(transaction, caller)),
    getLifecycleRequest: async ({ params: { requestId } }, { transaction, caller }) => {
      const request = found(await store.findRequest(transaction, requestId));
      const proxy = await store.findProxyRow(transaction, request.proxyId);
      const life = proxy && request.state === 'pending' ? await store.loadLife(transaction, proxy) : null;
      const mayApprove = caller.permissions.has('lifecycle.approve');
      const obstacle =
        life === null
          ? `The request is already ${request.state}.`
          : rules.approvalObstacle(life, await loadPersons(transaction, caller), mayApprove);
      return {
        ...request,
        ...(await store.findRecord(transaction, requestId)),
        approval: { allowed: obstacle === null, reason: obstacle },
      };
    },
    approveLifecycleRequest: {
      prepare: async ({ params: { requestId }, body }, { organizationId, now }) => {
        const pending = await tenantTransaction(
          parts.database,
          organizationId,
          async (transaction) => found(await store.findRequest(transaction, requestId)),
          { access: 'read only' },
        );
        if (pending.state === 'pending') await evaluateAhead(parts.database, organizationId, pending.proxyId, now);
        return async (context) => {
          const { transaction, caller } = context;
          const { before, life } = await lockRequest(transaction, requestId);
          const { proxyId, revision, toStage } = before;
          const { servingIn } = await loadCircumstances(transaction, proxyId);
          rules.refuseApproval(life, await loadPersons(transaction, caller), { servingIn });
          const evaluation = await evaluateProxy(transaction, proxyId, now);
          if (rules.isGoverned(toStage)) refuseBlocking(evaluation, toStage);
          const reason = body.reason === '' ? null : body.reason;
          await store.decideRequest(transaction, requestId, { state: 'approved', decider: caller, reason }, now);
          const move = { mover: caller, requestId, reason: body.reason, revision };
          await store.writeLife(transaction, proxyId, life, rules.approved(life), move);
          if (toStage === 'approved') await store.approveRevision(transaction, proxyId, revision, caller, now);
          return decided(sending(context), before);
        };
      },
    },
    rejectLifecycleRequest: async ({ params: { requestId }, body: { reason } }, context) => {
      const { transaction, caller, now } = context;
      const { before, life } = await lockRequest(transaction, requestId);
      const { proxyId, revision } = before;
      await store.decideRequest(transaction, requestId, { state: 'rejected', decider: caller, reason }, now);
      const move = { mover: caller, requestId, reason, revision };
      await store.writeLife(transaction, proxyId, life, rules.rejected(life), move);
      return decided(sending(context), before);
    },
    withdrawLifecycleRequest: async ({ params: { requestId } }, context) => {
      const { transaction, caller, now } = context;
      const { before, life } = await lockRequest(transaction, requestId);
      const { proxyId, revision } = before;
      rules.refuseWithdrawal(life, caller);
      await store.decideRequest(transaction, requestId, { state: 'withdrawn', decider: caller, reason: null }, now);
      const move = { mover: caller, requestId, reason: 'Withdrawn', revision };
      await store.writeLife(transaction, proxyId, life, rules.rejected(life), move);
      return decided(sending(context), before);
    },
    listLifecycleComments: async ({ params: { requestId }, query }, { transaction }) => {
      found(await store.findProxyId(transaction, requestId));
      return store.listComments(transaction, requestId, query);
    },
    createLifecycleComment: async ({ params: { requestId }, body }, { transaction, caller, now }) => {
      const request = found(await store.findRequest(transaction, requestId));
      await notifyDiscussion({ transaction, now }, request, caller);
      const created = await store.insertComment(transaction, requestId, caller, body.text);
      return { data: created, change: { entityId: requestId, before: null, after: { comment: created } } };
    },
  };
}

/** The working copy as a revision, existing or new, and its differences from what callers use. */
async function freeze(
  transaction: TenantTransaction,
  caller: Caller,
  { id, content_hash }: { readonly id: string; readonly content_hash: string },
  note: string,
) {
  const known = await store.findKnownContent(transaction, id);
  const diff = diffContent(known, await loadContent(transaction, id), diffDocuments);
  const revision =
    (await store.findRevisionOf(transaction, id, content_hash)) ??
    (await cutRevision(transaction, caller, id, note.slice(0, 1_000)));
  return { revision, diff };
}

/** The revision that a move after the approval is about. */
async function approvedRevision(
  transaction: TenantTransaction,
  proxy: { readonly id: string; readonly approved_revision: number | null },
) {
  return found(
    proxy.approved_revision === null ? null : await findRevision(transaction, proxy.id, proxy.approved_revision),
  );
}

async function loadCircumstances(transaction: TenantTransaction, proxyId: string): Promise<rules.Circumstances> {
  return {
    requiredFor: await store.loadRequiredFor(transaction),
    servingIn: await store.listServingEnvironments(transaction, proxyId),
  };
}

/** A pending request, its proxy locked until the commit. */
async function lockRequest(transaction: TenantTransaction, requestId: string) {
  const proxyId = found(await store.findProxyId(transaction, requestId));
  const proxy = await lockProxy(transaction, proxyId);
  const life = await store.loadLife(transaction, proxy);
  const before = found(await store.findRequest(transaction, requestId));
  if (before.state !== 'pending') {
    throw new ApiError('conflict', { message: `The request is ${before.state}. ${rules.possibleMoves(life)}` });
  }
  return { before, life };
}

/** The request after its decision; its requester is notified. */
async function decided(sending: Parameters<typeof notifyRequester>[0], before: store.PresentedRequest) {
  const after = found(await store.findRequest(sending.transaction, before.id));
  await notifyRequester(sending, after);
  return { data: after, change: { entityId: after.id, before, after, note: after.reason ?? '' } };
}

/** Rejects a move that findings block, with how to fix each of them. */
function refuseBlocking({ blocking }: Evaluation, toStage: rules.Target): void {
  if (blocking.length === 0) return;
  const [first] = blocking;
  const more = blocking.length > 1 ? ` And ${blocking.length - 1} more; see errors.` : '';
  throw new ApiError('conflict', {
    message: `Governance blocks the move to ${toStage}. ${first!.code}: ${first!.message} ${first!.remedy}${more}`,
    errors: Object.fromEntries(
      blocking
        .slice(0, 100)
        .map(({ code, location, message, remedy }) => [`${code} ${location}`, `${message} ${remedy}`]),
    ),
  });
}
