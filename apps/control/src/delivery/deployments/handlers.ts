import { diffDocuments } from '@millrace/openapi/diff';
import { type ContentDiff, diffContent } from '@millrace/revision/diff';
import type { TenantTransaction } from '../../database/schema.ts';
import { findEnvironment } from '../../design/environments/store.ts';
import { evaluateProxy, findUnwaived } from '../../design/governance/evaluate.ts';
import { presentDiff } from '../../design/revisions/store.ts';
import type { Caller } from '../../frame/caller.ts';
import { ApiError, found, foundAt, permissionRequired } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import type { Permission } from '../../frame/permissions.ts';
import type { SnapshotSigner } from '../configuration/signing.ts';
import { measureSplit, readTraffic, type Traffic } from './comparison.ts';
import type { deploymentOperations } from './contract.ts';
import {
  findProblems,
  type Place,
  refuseBlocked,
  refuseBudget,
  refuseDeployer,
  refuseEnded,
  refusePromotion,
  refuseWeights,
  remaining,
  type Situation,
  type SoldQuota,
  spentBudget,
  splitOf,
  usesOf,
  weightOf,
} from './rules.ts';
import {
  endDeployments,
  environmentOf,
  findDeployment,
  findDeploymentWithDiff,
  findLastServed,
  findProxy,
  findRevision,
  findServing,
  insertDeployment,
  listDeployments,
  loadSurroundings,
  type PresentedDeployment,
  setWeight,
  takeBackCanary,
} from './store.ts';
import { loadValues } from './values.ts';

/** What deciding about a deployment needs. */
interface DeploymentParts extends Pick<Parts, 'sealer'> {
  readonly signer: SnapshotSigner;
  /** Quotas that apply to calls of a proxy, by the products that bundle it. */
  listSoldQuotas(transaction: TenantTransaction, proxyId: string): Promise<readonly SoldQuota[]>;
}

export function deploymentHandlers(parts: DeploymentParts): Handlers<typeof deploymentOperations> {
  return {
    listDeployments: ({ query }, { transaction }) => listDeployments(transaction, query),
    createDeployment: async ({ body }, { transaction, caller, now, settle }) => {
      const { environmentId, proxyId, revision, strategy, note, budget } = body;
      const weight = weightOf(body);
      const split = splitOf(body);
      refuseBudget(body);
      const situation = await loadSituation(transaction, parts, body, { lock: true, now });
      refuseDeployer(situation.environment, caller);
      refuseBlocked(findProblems(situation, body));
      const diff = await diffToServing(transaction, body, situation);
      const [heaviest] = situation.serving;
      if (strategy === 'canary') await setWeight(transaction, heaviest!.id, 100 - weight, { split });
      else
        await endDeployments(
          transaction,
          situation.serving.map(({ id }) => id),
          'superseded',
        );
      const id = await insertDeployment(transaction, caller, {
        environmentId,
        proxyId,
        revision,
        contentHash: situation.revision.contentHash,
        content: situation.revision.content,
        strategy,
        weight,
        split,
        previousId: heaviest?.id ?? (await findLastServed(transaction, environmentId, proxyId)),
        replacesId: heaviest?.id ?? null,
        rolledBackFrom: null,
        diff,
        note,
        budget,
      });
      await settle();
      const after = found(await findDeployment(transaction, id));
      return {
        data: { ...after, diff: presentDiff(diff) },
        change: { entityId: id, before: null, after, ...severityIn(situation.environment) },
      };
    },
    preflightDeployment: async ({ body }, { transaction, caller, now }) => {
      weightOf(body);
      splitOf(body);
      const situation = await loadSituation(transaction, parts, body, { lock: false, now });
      const problems = [
        ...permissionProblems(situation.environment.production, caller),
        ...findProblems(situation, body),
      ];
      const diff = await diffToServing(transaction, body, situation);
      return { deployable: problems.every(({ blocking }) => !blocking), problems, diff: presentDiff(diff) };
    },
    getDeployment: async ({ params }, { transaction }) =>
      found(await findDeploymentWithDiff(transaction, params.deploymentId)),
    rollBackDeployment: async ({ params: { deploymentId }, body }, { transaction, caller, settle }) => {
      const { before, environment, place } = await lockDeployment(transaction, deploymentId);
      refuseDeployer(environment, caller);
      refuseEnded(place);
      const beside = remaining(place);
      let servingId: string;
      if (beside === null) {
        await endDeployments(transaction, [deploymentId], 'rolled_back');
        servingId = await deployPrevious(transaction, caller, before, environment, body.note);
      } else {
        servingId = beside.id;
        await takeBackCanary(transaction, before, servingId, 'rolled_back');
      }
      await settle();
      const serving = found(await findDeployment(transaction, servingId));
      const outcome = `Revision ${serving.revision} serves all calls again (${servingId}).`;
      return {
        data: serving,
        change: {
          ...(await changeOf(transaction, before, environment)),
          note: body.note === '' ? outcome : `${outcome} ${body.note}`,
        },
      };
    },
    setDeploymentTraffic: async ({ params: { deploymentId }, body: { weights, split } }, { transaction, caller }) => {
      const { before, environment, place } = await lockDeployment(transaction, deploymentId);
      refuseDeployer(environment, caller);
      refuseEnded(place);
      refuseWeights(weights, place.serving);
      // The one that gets all calls comes last: the database rejects two with all of them.
      for (const { deploymentId: id, weight } of weights.toSorted((first, second) => first.weight - second.weight)) {
        const before = place.serving.find((serving) => serving.id === id)!;
        const isSame = before.weight === weight && (split ?? before.split) === before.split;
        if (!isSame) await setWeight(transaction, id, weight, split === undefined ? {} : { split });
      }
      const change = await changeOf(transaction, before, environment);
      const shares = place.serving.map(({ id, revision, weight }) => {
        const after = weights.find((given) => given.deploymentId === id)?.weight;
        return `revision ${revision}: ${weight} → ${after}`;
      });
      const note = split === undefined ? shares.join(', ') : `${shares.join(', ')}, split by ${split}`;
      return { data: change.after, change: { ...change, note } };
    },
    promoteDeployment: async ({ params: { deploymentId } }, { transaction, caller }) => {
      const { before, environment, place } = await lockDeployment(transaction, deploymentId);
      refuseDeployer(environment, caller);
      refuseEnded(place);
      refusePromotion(place);
      const others = place.serving.map(({ id }) => id).filter((id) => id !== deploymentId);
      await endDeployments(transaction, others, 'superseded');
      await setWeight(transaction, deploymentId, 100);
      const change = await changeOf(transaction, before, environment);
      return { data: change.after, change };
    },
    undeployDeployment: async ({ params: { deploymentId } }, { transaction, caller }) => {
      const { before, environment, place } = await lockDeployment(transaction, deploymentId);
      refuseDeployer(environment, caller);
      refuseEnded(place);
      const beside = remaining(place);
      await endDeployments(transaction, [deploymentId], 'undeployed');
      if (beside !== null) await setWeight(transaction, beside.id, 100);
      const change = await changeOf(transaction, before, environment);
      return { data: change.after, change };
    },
    compareDeployment: async ({ params }, { transaction }) => {
      const asked = found(await findDeployment(transaction, params.deploymentId));
      const serving = await findServing(transaction, asked.environmentId, asked.proxyId);
      const canaryId = serving.find(({ previousId }) => previousId === asked.id)?.id;
      const canary = canaryId === undefined ? asked : found(await findDeployment(transaction, canaryId));
      const stable = canary.previousId === null ? null : await findDeployment(transaction, canary.previousId);
      const since = canary.createdAt;
      const ofCanary = await readTraffic(transaction, canary.id, since);
      const ofStable = stable && (await readTraffic(transaction, stable.id, since));
      const { budget, split } = canary;
      const measured = await measureSplit(transaction, canary.id, stable?.id ?? null);
      return {
        since,
        split,
        measuredSince: measured.since,
        canary: { ...trafficShare(canary, ofCanary), measured: measured.canary },
        stable: stable && ofStable && { ...trafficShare(stable, ofStable), measured: measured.stable },
        budget,
        spent: budget && ofStable && spentBudget(budget, ofCanary, ofStable),
      };
    },
    listServingDeployments: async ({ params: { environmentId }, query }, { transaction }) => {
      found(await findEnvironment(transaction, environmentId));
      return listDeployments(transaction, { ...query, environmentId, serving: true });
    },
    listRevisionDeployments: async ({ params, query }, { transaction }) => {
      found(await findProxy(transaction, params.proxyId, { lock: false }));
      found(await findRevision(transaction, params.proxyId, params.revision));
      return listDeployments(transaction, { ...query, ...params });
    },
  };
}

interface Wanted {
  readonly environmentId: string;
  readonly proxyId: string;
  readonly revision: number;
  readonly strategy: 'direct' | 'canary';
}

/**
 * Everything that decides about a deployment.
 *
 * @param lock blocks other deployments in the environment and changes of the proxy until the commit; without it nothing is written
 */
async function loadSituation(
  transaction: TenantTransaction,
  parts: DeploymentParts,
  { environmentId, proxyId, revision, strategy }: Wanted,
  { lock, now }: { readonly lock: boolean; readonly now: Date },
): Promise<Situation> {
  const environment = foundAt(
    'environmentId',
    'Environment',
    await findEnvironment(transaction, environmentId, { lock }),
  );
  const proxy = foundAt('proxyId', 'API proxy', await findProxy(transaction, proxyId, { lock }));
  const wanted = foundAt('revision', `Revision ${revision}`, await findRevision(transaction, proxyId, revision));
  return {
    environment,
    proxy,
    revision: wanted,
    serving: await findServing(transaction, environmentId, proxyId),
    // The working copy is what gets evaluated.
    findings: proxy.contentHash === wanted.contentHash ? await openFindings(transaction, proxyId, { lock, now }) : [],
    soldQuotas: await parts.listSoldQuotas(transaction, proxyId),
    ...(await loadSurroundings(transaction, environmentId, proxyId, wanted.content.proxy.basePath)),
    ...(await loadValues(transaction, parts, { environmentId, proxyId, strategy }, usesOf(wanted.content))),
  };
}

/** The proxy's current governance findings without waived ones; stored if the proxy is locked. */
async function openFindings(
  transaction: TenantTransaction,
  proxyId: string,
  { lock, now }: { readonly lock: boolean; readonly now: Date },
) {
  const findings = lock
    ? (await evaluateProxy(transaction, proxyId, now)).findings.filter(({ waiver }) => waiver === null)
    : await findUnwaived(transaction, proxyId, now);
  return findings.map(({ code, blocking, message, remedy }) => ({ code, blocking, message, remedy }));
}

/** The revision's differences from the live revision with most of the calls there. */
async function diffToServing(
  transaction: TenantTransaction,
  { proxyId }: Wanted,
  { serving: [heaviest], revision }: Situation,
): Promise<ContentDiff> {
  const before = heaviest && (await findRevision(transaction, proxyId, heaviest.revision));
  return diffContent(before?.content ?? null, revision.content, diffDocuments);
}

function permissionProblems(production: boolean, { permissions }: Caller) {
  const sufficient: readonly Permission[] = production ? ['deployment.prod'] : ['deployment.write', 'deployment.prod'];
  if (sufficient.some((permission) => permissions.has(permission))) return [];
  return [
    {
      code: 'permission-missing',
      blocking: true,
      message: permissionRequired(sufficient),
      remedy: 'Ask someone who has it to deploy.',
    },
  ];
}

/** A deployment and the live ones next to it, with the environment locked so that nothing else is deployed meanwhile. */
async function lockDeployment(transaction: TenantTransaction, deploymentId: string) {
  const environmentId = found(await environmentOf(transaction, deploymentId));
  const environment = found(await findEnvironment(transaction, environmentId, { lock: true }));
  const before = found(await findDeployment(transaction, deploymentId));
  const place: Place = {
    deployment: before,
    serving: await findServing(transaction, environmentId, before.proxyId),
  };
  return { before, environment, place };
}

/** Deploys what was live before the deployment; another rollback goes one step further back. */
async function deployPrevious(
  transaction: TenantTransaction,
  caller: Caller,
  from: PresentedDeployment,
  environment: { readonly name: string; readonly production: boolean },
  note: string,
): Promise<string> {
  const previous = from.previousId === null ? null : await findDeployment(transaction, from.previousId);
  if (previous === null) {
    throw new ApiError('conflict', {
      message: 'No revision was live here before this one. Undeploy it, or deploy another.',
    });
  }
  const target = found(await findRevision(transaction, previous.proxyId, previous.revision));
  if (environment.production && !target.approved) {
    throw new ApiError('conflict', {
      message: `Revision ${previous.revision} was never approved, and ${environment.name} is now production. Deploy an approved revision.`,
    });
  }
  const present = await findRevision(transaction, from.proxyId, from.revision);
  return insertDeployment(transaction, caller, {
    environmentId: from.environmentId,
    proxyId: from.proxyId,
    revision: previous.revision,
    contentHash: target.contentHash,
    content: target.content,
    strategy: 'direct',
    weight: 100,
    split: previous.split,
    previousId: previous.previousId,
    replacesId: from.id,
    rolledBackFrom: { deploymentId: from.id, revision: from.revision },
    diff: diffContent(present?.content ?? null, target.content, diffDocuments),
    note,
    budget: null,
  });
}

/** A deployment before and after a move, for the audit row. */
async function changeOf(
  transaction: TenantTransaction,
  before: PresentedDeployment,
  environment: { readonly production: boolean },
) {
  const after = found(await findDeployment(transaction, before.id));
  return { entityId: before.id, before, after, ...severityIn(environment) };
}

function severityIn({ production }: { readonly production: boolean }): { readonly severity?: 'high' } {
  return production ? { severity: 'high' } : {};
}

function trafficShare({ id, revision, weight }: PresentedDeployment, traffic: Traffic) {
  return { deploymentId: id, revision, weight, ...traffic };
}
