import { maxSecretsSizeBytes } from '@millrace/gateway-configuration/manifest';
import { CountedPer, isPerCaller } from '@millrace/policies/counting';
import { policiesFor, type RevisionContent, type RevisionRoute } from '@millrace/revision/content';
import type * as z from 'zod';
import type { SoldQuota } from '../../consumers/products/store.ts';
import type { Caller } from '../../frame/caller.ts';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { GatewayNode } from '../gateway-nodes/contract.ts';
import type { Deployment, DeploymentBudget, DeploymentProblem } from './contract.ts';

type Problem = z.infer<typeof DeploymentProblem>;

/** A deployment that serves, as far as the rules look at it. */
export interface Serving {
  readonly id: string;
  readonly revision: number;
  readonly weight: number;
  readonly split: Split;
  /** What it took the place of, or was put beside. */
  readonly previousId: string | null;
}

type Split = z.infer<typeof Deployment>['split'];

/** What is asked for. */
export interface Wanted {
  readonly revision: number;
  readonly strategy: 'direct' | 'canary';
  readonly weight?: number | undefined;
  readonly split?: Split | undefined;
}

/** All that decides about a deployment. */
export interface Situation {
  readonly environment: { readonly name: string; readonly production: boolean };
  readonly proxy: { readonly name: string; readonly stage: string; readonly approvedHash: string | null };
  readonly revision: { readonly contentHash: string; readonly approved: boolean; readonly content: RevisionContent };
  /** Deployments of the proxy in the environment, the heaviest first. */
  readonly serving: readonly Serving[];
  /** Target servers of the environment, by name: whether they are enabled. */
  readonly targets: ReadonlyMap<string, boolean>;
  /** Names of the environment's variables. */
  readonly variables: ReadonlySet<string>;
  /** Those whose values no header can hold, among the ones that it or what serves beside it uses. */
  readonly unwritable: ReadonlySet<string>;
  /** Of all secrets that nodes would get with it. */
  readonly secretsSizeBytes: number;
  /** Whether a gateway node has registered there. */
  readonly hasGatewayNode: boolean;
  /** Another proxy that serves the revision's base path there; null where none does. */
  readonly basePathHolder: string | null;
  readonly soldQuotas: readonly SoldQuota[];
  /** What governance finds in the revision and nobody has waived. */
  readonly findings: readonly Problem[];
}

const defaultCanaryWeight = 10;
/** As weights do elsewhere: 10 % of the calls of a single caller too, and at once. */
const defaultSplit = 'requests';
const approvedStages: readonly string[] = ['approved', 'published'];

/** The share of calls that a new deployment gets. */
export function weightOf(wanted: Wanted): number {
  if (wanted.strategy === 'canary') return wanted.weight ?? defaultCanaryWeight;
  if (wanted.weight !== undefined) {
    throw fieldError('weight', 'Only a canary has a weight: a direct deployment gets all calls.');
  }
  return 100;
}

/** What a new deployment's weight is a share of. */
export function splitOf(wanted: Wanted): Split {
  if (wanted.strategy === 'direct' && wanted.split !== undefined) {
    throw fieldError('split', 'Only a canary splits the traffic: a direct deployment gets all calls.');
  }
  return wanted.split ?? defaultSplit;
}

/** Refuses whoever may not change what serves in the environment. */
export function refuseDeployer(
  environment: { readonly production: boolean },
  { permissions }: Pick<Caller, 'permissions'>,
): void {
  if (environment.production && !permissions.has('deployment.prod')) {
    throw new ApiError('forbidden', {
      message: 'This needs the permission deployment.prod: the environment is production.',
    });
  }
}

/** What stands against a deployment, the blocking problems first. */
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

/** Refuses a deployment that something blocking stands against. */
export function refuseBlocked(problems: readonly Problem[]): void {
  const blocking = problems.filter((problem) => problem.blocking);
  if (blocking.length === 0) return;
  const told = blocking.slice(0, 5).map(({ message, remedy }) => `${message} ${remedy}`);
  const more = blocking.length > told.length ? ` And ${blocking.length - told.length} more: see the preflight.` : '';
  throw new ApiError('conflict', { message: `${told.join(' ')}${more}` });
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
      `The proxy ${proxy.name} is in the stage ${proxy.stage}.`,
      `Production takes it in the stages ${approvedStages.join(' and ')}: request the move and have it approved.`,
    );
  }
  if (!revision.approved || revision.contentHash !== proxy.approvedHash) {
    yield blocking(
      'revision-not-approved',
      'This revision is not the one that is approved.',
      'Deploy the approved revision, or have this one approved.',
    );
  }
}

function* placeProblems(situation: Situation, wanted: Wanted): Generator<Problem> {
  const { environment, serving, revision, basePathHolder: holder } = situation;
  const { basePath } = revision.content.proxy;
  if (holder !== null) {
    yield blocking(
      'base-path-taken',
      `The proxy ${holder} serves ${basePath} in ${environment.name}.`,
      'Undeploy it, or deploy a revision with another base path.',
    );
  }
  if (wanted.strategy === 'direct') {
    if (serving.length > 1) {
      yield {
        code: 'canary-ends',
        blocking: false,
        message: 'A canary is under way there.',
        remedy: 'This deployment takes the place of both. Promote the canary or roll it back to keep one of them.',
      };
    }
    return;
  }
  const [stable] = serving;
  if (stable === undefined) {
    yield blocking(
      'canary-without-stable',
      `Nothing of this proxy serves in ${environment.name} that a canary could stand beside.`,
      'Deploy it directly.',
    );
  } else if (serving.length > 1) {
    yield blocking(
      'canary-under-way',
      'A canary is under way there.',
      'Promote it, roll it back or undeploy it first.',
    );
  } else if (stable.revision === wanted.revision) {
    yield blocking('revision-serves', `Revision ${wanted.revision} serves there already.`, 'Choose another revision.');
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
        `Register the target server ${name} there.`,
      );
    } else if (!enabled) {
      yield {
        code: 'target-disabled',
        blocking: false,
        message: `The target server ${name} is disabled in ${environment.name}: calls that lead there fail.`,
        remedy: 'Enable it.',
      };
    }
  }
  if (names.size === 0) {
    yield {
      code: 'no-routes',
      blocking: false,
      message: 'The revision has no routes: every call is answered 404.',
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
        `The value of the variable ${name} in ${environment.name} has line breaks or other control characters, which no header can hold.`,
        `Set the variable ${name} there again, without them.`,
      );
    }
  }
  if (secretsSizeBytes > maxSecretsSizeBytes) {
    yield blocking(
      'secrets-too-large',
      `Gateway nodes of ${environment.name} would get ${secretsSizeBytes.toLocaleString('en')} bytes of secrets, and take ${maxSecretsSizeBytes.toLocaleString('en')} at most.`,
      'Shorten secret variables there, or set those that are no secrets as plain ones.',
    );
  }
}

/** The quota of a product or a subscription is counted by Quota policies, and by nothing else. */
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
    const where = open === all ? 'Nothing' : `At ${open} of ${all} routes nothing`;
    yield {
      code: 'quota-uncounted',
      blocking: false,
      message: `${where} counts the quota that is set for the product ${product}: calls are admitted beyond it.`,
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
    message: `No gateway node is registered in ${name}: the deployment waits for one, and callers cannot reach it until then.`,
    remedy: 'Register a gateway node there.',
  };
}

/** A finding stops what goes to production; elsewhere it is told. */
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

/** Refuses a budget of what is no canary. */
export function refuseBudget({
  strategy,
  budget,
}: {
  readonly strategy: string;
  readonly budget: Budget | null;
}): void {
  if (budget === null || strategy === 'canary') return;
  throw fieldError('budget', 'Only a canary has a budget: nothing stands beside a direct deployment.');
}

/** What is counted of a canary and of what stands beside it. */
interface Counted {
  readonly requests: number;
  readonly errorRate: number | null;
  readonly latencyMs: { readonly p95: number | null };
}

/** Why the canary has cost more than its budget, as a sentence; null where it has not, or too few calls tell. */
export function spentBudget(budget: Budget, canary: Counted, stable: Counted): string | null {
  if (canary.requests < budget.minimumRequests) return null;
  const percent = (share: number) => `${Math.round(share * 10_000) / 100} %`;
  const errorRate = canary.errorRate ?? 0;
  const stableRate = stable.errorRate ?? 0;
  if (errorRate - stableRate > budget.maxErrorRateIncrease) {
    return `Its budget is spent: ${percent(errorRate)} of its answers were errors, and ${percent(stableRate)} of those beside it.`;
  }
  const [latency, stableLatency] = [canary.latencyMs.p95, stable.latencyMs.p95];
  if (budget.maxLatencyIncreasePercent === null || latency === null || stableLatency === null) return null;
  if (latency <= stableLatency * (1 + budget.maxLatencyIncreasePercent / 100)) return null;
  return `Its budget is spent: 95 % of its answers took up to ${latency} ms, and ${stableLatency} ms beside it.`;
}

/** A node that has not loaded a deployment, and what it refused since then; null where it refused nothing. */
export interface NotLoaded {
  readonly nodeName: string;
  readonly refusedSequence: number | null;
  readonly reason: string | null;
  /** Whether the deployment is why. */
  readonly atFault: boolean;
}

/** So many nodes a failure names. */
const mostNamed = 3;
const longestFailure = 2_000;

/** Why a deployment has failed, in sentences: what a node found at fault with it, or which nodes had not loaded it in time. */
export function failureOf(notLoaded: readonly NotLoaded[], timeoutMs: number): string {
  const refusals = notLoaded.filter(({ atFault }) => atFault);
  const tell = ({ nodeName, refusedSequence, reason }: NotLoaded) =>
    refusedSequence === null
      ? `${nodeName} has not loaded it.`
      : `${nodeName} refused configuration ${refusedSequence}: ${reason}`;
  const told = refusals.length > 0 ? refusals : notLoaded;
  const more = told.length > mostNamed ? [`And ${told.length - mostNamed} more.`] : [];
  const sentences = [...told.slice(0, mostNamed).map(tell), ...more];
  const late = `Not every gateway node has loaded it within ${timeoutMs / 1_000} seconds.`;
  return (refusals.length > 0 ? sentences : [late, ...sentences]).join(' ').slice(0, longestFailure);
}

type Node = Pick<z.infer<typeof GatewayNode>, 'id' | 'name' | 'health' | 'lastHeartbeatAt' | 'configuration'>;

/** Which nodes serve a deployment, and which it waits for. */
export function rolloutOf(
  { state, snapshotSequence, endedAt }: Pick<z.infer<typeof Deployment>, 'state' | 'snapshotSequence' | 'endedAt'>,
  nodes: readonly (Node & { readonly awaited: boolean })[],
  servingSince: ReadonlyMap<string, Date>,
) {
  const told = nodes.map(({ id, name, health, awaited, configuration: { held, refused } }) => {
    const serving = endedAt === null && snapshotSequence !== null && held !== null && held >= snapshotSequence;
    return {
      nodeId: id,
      name,
      health,
      awaited,
      configuration: held,
      serving,
      servingSince: (serving ? servingSince.get(id)?.toISOString() : null) ?? null,
      refused: refused !== null && refused.sequence >= (snapshotSequence ?? 0) ? refused : null,
    };
  });
  const awaited = told.filter((node) => node.awaited);
  return {
    state,
    snapshotSequence,
    nodes: told,
    total: awaited.length,
    serving: awaited.filter((node) => node.serving).length,
  };
}

/** What a content needs of the environment in which it serves, as its deployment keeps it. */
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

/** The deployment's part in what serves: alone, or one of several. */
export interface Place {
  readonly deployment: Serving & { readonly state: string };
  /** Every deployment of the proxy that serves in the environment, this one among them, the heaviest first. */
  readonly serving: readonly Serving[];
}

/** Refuses every move of a deployment that no longer serves. */
export function refuseEnded({ deployment, serving }: Place): void {
  if (serving.some(({ id }) => id === deployment.id)) return;
  throw new ApiError('conflict', {
    message: `This deployment is ${deployment.state.replace('_', ' ')}: it no longer serves. Deploy its revision again.`,
  });
}

/** What a canary stands beside; null for a deployment that is none, or stands alone. */
function besideCanary({ deployment, serving }: Place): Serving | null {
  return serving.find(({ id }) => id !== deployment.id && id === deployment.previousId) ?? null;
}

/**
 * What gets all calls when this deployment goes: what a canary stands beside. Null where it stands alone; refused for
 * what a canary stands beside.
 */
export function remaining(place: Place): Serving | null {
  const beside = besideCanary(place);
  if (beside === null && place.serving.length > 1) {
    throw new ApiError('conflict', {
      message: 'A canary stands beside this deployment. Promote it, roll it back or undeploy it first.',
    });
  }
  return beside;
}

/** Refuses to promote what is no canary beside another deployment. */
export function refusePromotion(place: Place): void {
  if (besideCanary(place) !== null) return;
  throw new ApiError('conflict', {
    message: 'Only a canary beside another deployment can be promoted. This one can be rolled back or undeployed.',
  });
}

/** Refuses weights that leave a serving deployment out, name another one, or do not add up to 100. */
export function refuseWeights(
  weights: readonly { readonly deploymentId: string; readonly weight: number }[],
  serving: readonly Serving[],
): void {
  const named = new Set(weights.map(({ deploymentId }) => deploymentId));
  if (named.size !== weights.length) throw fieldError('weights', 'Name each deployment once.');
  const unknown = weights.findIndex(({ deploymentId }) => serving.every(({ id }) => id !== deploymentId));
  if (unknown >= 0) {
    throw fieldError(
      `weights.${unknown}.deploymentId`,
      'This deployment does not serve the proxy in this environment.',
    );
  }
  const missing = serving.find(({ id }) => !named.has(id));
  if (missing !== undefined) {
    throw fieldError('weights', `Give the weight of revision ${missing.revision} (${missing.id}) too.`);
  }
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  if (total !== 100) throw fieldError('weights', `The weights total ${total}: make it exactly 100.`);
}
