import { maxSecretsSizeBytes } from '@millrace/gateway-configuration/manifest';
import { CountedPer, isPerCaller } from '@millrace/policies/counting';
import { policiesFor, type RevisionContent, type RevisionRoute } from '@millrace/revision/content';
import type * as z from 'zod';
import type { Caller } from '../../frame/caller.ts';
import { ApiError, fieldError, permissionRequired } from '../../frame/errors.ts';
import type { Deployment, DeploymentBudget, DeploymentProblem } from './contract.ts';

type Problem = z.infer<typeof DeploymentProblem>;

/** A live deployment, as far as the rules need it. */
export interface Serving {
  readonly id: string;
  readonly revision: number;
  readonly weight: number;
  readonly split: Split;
  /** The deployment that it replaced, or was put next to. */
  readonly previousId: string | null;
}

type Split = z.infer<typeof Deployment>['split'];

/** The requested deployment. */
export interface Wanted {
  readonly revision: number;
  readonly strategy: 'direct' | 'canary';
  readonly weight?: number | undefined;
  readonly split?: Split | undefined;
}

/** A product that bundles a proxy, and sets a quota itself or in a subscription to it. */
export interface SoldQuota {
  readonly product: string;
  /** Routes that it bundles; null: all of them. */
  readonly routeIds: readonly string[] | null;
}

/** Everything that decides about a deployment. */
export interface Situation {
  readonly environment: { readonly name: string; readonly production: boolean };
  readonly proxy: { readonly name: string; readonly stage: string; readonly approvedHash: string | null };
  readonly revision: { readonly contentHash: string; readonly approved: boolean; readonly content: RevisionContent };
  /** Deployments of the proxy in the environment, the heaviest first. */
  readonly serving: readonly Serving[];
  /** Target servers of the environment by name, and whether they are enabled. */
  readonly targets: ReadonlyMap<string, boolean>;
  /** Names of the environment's variables. */
  readonly variables: ReadonlySet<string>;
  /** Variables with values that no header can contain, of those used by it or the deployment next to it. */
  readonly unwritable: ReadonlySet<string>;
  /** Total size of the secrets that nodes would get. */
  readonly secretsSizeBytes: number;
  /** Whether a gateway node is registered there. */
  readonly hasGatewayNode: boolean;
  /** Another proxy that is live with the revision's base path there; null if there is none. */
  readonly basePathHolder: string | null;
  readonly soldQuotas: readonly SoldQuota[];
  /** Governance findings of the revision that are not waived. */
  readonly findings: readonly Problem[];
}

const defaultCanaryWeight = 10;
/** Like weights elsewhere: 10 % of a single caller's calls too, from the start. */
const defaultSplit = 'requests';
const approvedStages: readonly string[] = ['approved', 'published'];

/** The share of calls that a new deployment gets. */
export function weightOf(wanted: Wanted): number {
  if (wanted.strategy === 'canary') return wanted.weight ?? defaultCanaryWeight;
  if (wanted.weight !== undefined) {
    throw fieldError('weight', 'Only a canary has a weight. A direct deployment gets all calls.');
  }
  return 100;
}

/** What a new deployment's weight is a share of. */
export function splitOf(wanted: Wanted): Split {
  if (wanted.strategy === 'direct' && wanted.split !== undefined) {
    throw fieldError('split', 'Only a canary splits traffic. A direct deployment gets all calls.');
  }
  return wanted.split ?? defaultSplit;
}

/** Rejects a caller who may not change what is live in the environment. */
export function refuseDeployer(
  environment: { readonly production: boolean },
  { permissions }: Pick<Caller, 'permissions'>,
): void {
  if (environment.production && !permissions.has('deployment.prod')) {
    throw new ApiError('forbidden', {
      message: permissionRequired(['deployment.prod'], 'the environment is production'),
    });
  }
}

/** Problems with a deployment, blocking ones first. */
export function findProblems(situation: Situation, wanted: Wanted): readonly Problem[] {
  const problems = [
    ...approvalProblems(situation),
    ...placeProblems(situation, wanted),
    ...targetProblems(situation),
    ...variableProblems(situation),
    ...quotaProblems(situation),
    ...governanceProblems(situation),
    ...nodeProblems(situation),
  ];
  return problems.toSorted((first, second) => Number(second.blocking) - Number(first.blocking));
}

/** Rejects a deployment with a blocking problem. */
export function refuseBlocked(problems: readonly Problem[]): void {
  const blocking = problems.filter((problem) => problem.blocking);
  if (blocking.length === 0) return;
  const shown = blocking.slice(0, 5).map(({ message, remedy }) => `${message} ${remedy}`);
  const more = blocking.length > shown.length ? ` And ${blocking.length - shown.length} more; see the preflight.` : '';
  throw new ApiError('conflict', { message: `${shown.join(' ')}${more}` });
}

function* approvalProblems({ environment, proxy, revision }: Situation): Generator<Problem> {
  if (proxy.stage === 'retired') {
    yield blocking('stage-retired', `The proxy ${proxy.name} is retired.`, 'Deploy another proxy.');
    return;
  }
  if (!environment.production) return;
  if (!approvedStages.includes(proxy.stage)) {
    yield blocking(
      'stage-not-approved',
      `The proxy ${proxy.name} is in stage ${proxy.stage}.`,
      `Production requires the stage ${approvedStages.join(' or ')}. Request the move and have it approved.`,
    );
  }
  if (!revision.approved || revision.contentHash !== proxy.approvedHash) {
    yield blocking(
      'revision-not-approved',
      'This revision is not the approved one.',
      'Deploy the approved revision, or get this one approved.',
    );
  }
}

function* placeProblems(situation: Situation, wanted: Wanted): Generator<Problem> {
  const { environment, serving, revision, basePathHolder: holder } = situation;
  const { basePath } = revision.content.proxy;
  if (holder !== null) {
    yield blocking(
      'base-path-taken',
      `The proxy ${holder} already serves ${basePath} in ${environment.name}.`,
      'Undeploy it, or deploy a revision with another base path.',
    );
  }
  if (wanted.strategy === 'direct') {
    if (serving.length > 1) {
      yield {
        code: 'canary-ends',
        blocking: false,
        message: 'A canary is in progress there.',
        remedy: 'This deployment replaces both. To keep one of them, promote the canary or roll it back.',
      };
    }
    return;
  }
  const [stable] = serving;
  if (stable === undefined) {
    yield blocking(
      'canary-without-stable',
      `This proxy has no live deployment in ${environment.name} to put a canary next to.`,
      'Deploy it directly.',
    );
  } else if (serving.length > 1) {
    yield blocking(
      'canary-under-way',
      'A canary is in progress there.',
      'Promote it, roll it back or undeploy it first.',
    );
  } else if (stable.revision === wanted.revision) {
    yield blocking('revision-serves', `Revision ${wanted.revision} is already live there.`, 'Choose another revision.');
  }
}

function* targetProblems({ environment, revision, targets }: Situation): Generator<Problem> {
  const names = new Set(revision.content.routes.map(({ targetServer }) => targetServer));
  for (const name of [...names].sort()) {
    const enabled = targets.get(name);
    if (enabled === undefined) {
      yield blocking(
        'target-missing',
        `The environment ${environment.name} has no target server ${name}.`,
        `Register the target server ${name} in this environment.`,
      );
    } else if (!enabled) {
      yield {
        code: 'target-disabled',
        blocking: false,
        message: `The target server ${name} is disabled in ${environment.name}: calls to it fail.`,
        remedy: 'Enable it.',
      };
    }
  }
  if (names.size === 0) {
    yield {
      code: 'no-routes',
      blocking: false,
      message: 'The revision has no routes: every call gets 404.',
      remedy: 'Add a route and cut another revision.',
    };
  }
}

function* variableProblems(situation: Situation): Generator<Problem> {
  const { environment, revision, variables, unwritable, secretsSizeBytes } = situation;
  for (const name of variablesOf(revision.content)) {
    if (!variables.has(name)) {
      yield blocking(
        'variable-missing',
        `A policy uses the variable ${name}, which the environment ${environment.name} does not have.`,
        `Set the variable ${name} there.`,
      );
    } else if (unwritable.has(name)) {
      yield blocking(
        'variable-unwritable',
        `The value of the variable ${name} in ${environment.name} contains line breaks or other control characters, which headers can't contain.`,
        `Set the variable ${name} there again, without them.`,
      );
    }
  }
  if (secretsSizeBytes > maxSecretsSizeBytes) {
    yield blocking(
      'secrets-too-large',
      `Gateway nodes of ${environment.name} would get ${secretsSizeBytes.toLocaleString('en')} bytes of secrets; the maximum is ${maxSecretsSizeBytes.toLocaleString('en')}.`,
      'Shorten secret variables there, or make those that are not secret plain.',
    );
  }
}

/** Only Quota policies enforce the quota of a product or a subscription. */
function* quotaProblems({ revision: { content }, soldQuotas }: Situation): Generator<Problem> {
  const isCounted = (route: RevisionRoute) =>
    policiesFor(content, route, 'request', ['quota']).some(({ configuration }) =>
      isPerCaller(CountedPer.parse(configuration.per)),
    );
  const uncounted = soldQuotas.length === 0 ? [] : content.routes.filter((route) => !isCounted(route));
  for (const { product, routeIds } of soldQuotas) {
    const isBundled = ({ id }: RevisionRoute) => routeIds === null || routeIds.includes(id);
    const [open, all] = [uncounted.filter(isBundled).length, content.routes.filter(isBundled).length];
    if (open === 0) continue;
    const where = open === all ? 'No policy' : `On ${open} of ${all} routes, no policy`;
    yield {
      code: 'quota-uncounted',
      blocking: false,
      message: `${where} enforces the quota of the product ${product}: calls can exceed it.`,
      remedy:
        'Attach Quota, counted per app, product or key, to the request flow of these routes and cut another revision.',
    };
  }
}

function* nodeProblems({ environment: { name }, hasGatewayNode }: Situation): Generator<Problem> {
  if (hasGatewayNode) return;
  yield {
    code: 'no-gateway-node',
    blocking: false,
    message: `No gateway node is registered in ${name}: the deployment waits for one, and callers can't reach it until then.`,
    remedy: 'Register a gateway node in this environment.',
  };
}

/** A finding blocks a production deployment; elsewhere it is a warning. */
function governanceProblems({ environment, findings }: Situation): readonly Problem[] {
  return findings.map((finding) => ({ ...finding, blocking: finding.blocking && environment.production }));
}

/** Names of the variables that a content's policies and routes use, as `{{variables.NAME}}`, in order. */
function variablesOf({ policies, routes }: RevisionContent): readonly string[] {
  const enabled = policies.filter((policy) => policy.enabled).map(({ configuration }) => configuration);
  const text = JSON.stringify([enabled, routes.map(({ targetPath }) => targetPath)]);
  const names = [...text.matchAll(/\{\{variables\.([A-Za-z_][A-Za-z0-9_]{0,62})\}\}/g)].map(([, name]) => name!);
  return [...new Set(names)].sort();
}

type Budget = z.infer<typeof DeploymentBudget>;

/** Rejects a budget for anything but a canary. */
export function refuseBudget({
  strategy,
  budget,
}: {
  readonly strategy: string;
  readonly budget: Budget | null;
}): void {
  if (budget === null || strategy === 'canary') return;
  throw fieldError('budget', 'Only a canary has a budget.');
}

/** What is counted for a canary and the deployment next to it. */
interface Counted {
  readonly requests: number;
  readonly errorRate: number | null;
  readonly latencyMs: { readonly p95: number | null };
}

/** Why the canary has exceeded its budget, as a sentence; null if it has not, or there are too few calls. */
export function spentBudget(budget: Budget, canary: Counted, stable: Counted): string | null {
  if (canary.requests < budget.minimumRequests) return null;
  const percent = (share: number) => `${Math.round(share * 10_000) / 100} %`;
  const errorRate = canary.errorRate ?? 0;
  const stableRate = stable.errorRate ?? 0;
  if (errorRate - stableRate > budget.maxErrorRateIncrease) {
    return `Its budget is spent: ${percent(errorRate)} of its responses were errors, compared with ${percent(stableRate)} of the stable deployment.`;
  }
  const [latency, stableLatency] = [canary.latencyMs.p95, stable.latencyMs.p95];
  if (budget.maxLatencyIncreasePercent === null || latency === null || stableLatency === null) return null;
  if (latency <= stableLatency * (1 + budget.maxLatencyIncreasePercent / 100)) return null;
  return `Its budget is spent: its 95th percentile was ${latency} ms, compared with ${stableLatency} ms of the stable deployment.`;
}

/** A node that has not loaded a deployment, and what it rejected since then; null if it rejected nothing. */
export interface NotLoaded {
  readonly nodeName: string;
  readonly refusedSequence: number | null;
  readonly reason: string | null;
  /** Whether the deployment is the cause. */
  readonly atFault: boolean;
}

/** How many nodes a failure lists. */
const mostNamed = 3;
const longestFailure = 2_000;

/** Why a deployment failed, in sentences: what a node found wrong with it, or which nodes had not loaded it in time. */
export function failureOf(notLoaded: readonly NotLoaded[], timeoutMs: number): string {
  const refusals = notLoaded.filter(({ atFault }) => atFault);
  const describe = ({ nodeName, refusedSequence, reason }: NotLoaded) =>
    refusedSequence === null
      ? `${nodeName} has not loaded it.`
      : `${nodeName} rejected configuration ${refusedSequence}: ${reason}`;
  const reasons = refusals.length > 0 ? refusals : notLoaded;
  const more = reasons.length > mostNamed ? [`And ${reasons.length - mostNamed} more.`] : [];
  const sentences = [...reasons.slice(0, mostNamed).map(describe), ...more];
  const late = `Not every gateway node has loaded it within ${timeoutMs / 1_000} seconds.`;
  return (refusals.length > 0 ? sentences : [late, ...sentences]).join(' ').slice(0, longestFailure);
}

/** What a content needs of the environment in which it is live, as stored with its deployment. */
export function usesOf(content: RevisionContent) {
  return {
    base_path: content.proxy.basePath,
    target_servers: [...new Set(content.routes.map(({ targetServer }) => targetServer))].sort(),
    variables: [...variablesOf(content)],
  };
}

function blocking(code: string, message: string, remedy: string): Problem {
  return { code, blocking: true, message, remedy };
}

/** The deployment's share of the traffic: all, or some. */
export interface Place {
  readonly deployment: Serving & { readonly state: string };
  /** Every live deployment of the proxy in the environment, including this one, the heaviest first. */
  readonly serving: readonly Serving[];
}

/** Rejects every move of a deployment that is no longer live. */
export function refuseEnded({ deployment, serving }: Place): void {
  if (serving.some(({ id }) => id === deployment.id)) return;
  throw new ApiError('conflict', {
    message: `This deployment is ${deployment.state.replace('_', ' ')}: it no longer serves. Deploy its revision again.`,
  });
}

/** The deployment next to a canary; null if it is not a canary, or alone. */
function besideCanary({ deployment, serving }: Place): Serving | null {
  return serving.find(({ id }) => id !== deployment.id && id === deployment.previousId) ?? null;
}

/**
 * What gets all calls when this deployment ends: the deployment next to a canary. Null if it is alone; rejected for a
 * deployment that has a canary next to it.
 */
export function remaining(place: Place): Serving | null {
  const beside = besideCanary(place);
  if (beside === null && place.serving.length > 1) {
    throw new ApiError('conflict', {
      message: 'There is a canary next to this deployment. Promote it, roll it back or undeploy it first.',
    });
  }
  return beside;
}

/** Rejects promoting anything but a canary next to another deployment. */
export function refusePromotion(place: Place): void {
  if (besideCanary(place) !== null) return;
  throw new ApiError('conflict', {
    message: 'Only a canary can be promoted. This deployment can be rolled back or undeployed.',
  });
}

/** Rejects weights that omit a live deployment, include another one, or don't add up to 100. */
export function refuseWeights(
  weights: readonly { readonly deploymentId: string; readonly weight: number }[],
  serving: readonly Serving[],
): void {
  const named = new Set(weights.map(({ deploymentId }) => deploymentId));
  if (named.size !== weights.length) throw fieldError('weights', 'List each deployment once.');
  const unknown = weights.findIndex(({ deploymentId }) => serving.every(({ id }) => id !== deploymentId));
  if (unknown >= 0) {
    throw fieldError(
      `weights.${unknown}.deploymentId`,
      'This deployment does not serve the proxy in this environment.',
    );
  }
  const missing = serving.find(({ id }) => !named.has(id));
  if (missing !== undefined) {
    throw fieldError('weights', `Add the weight of revision ${missing.revision} (${missing.id}).`);
  }
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  if (total !== 100) throw fieldError('weights', `The weights add up to ${total}. They must add up to 100.`);
}
