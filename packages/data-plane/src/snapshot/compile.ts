/** Makes a configuration ready to serve: completely, or not at all. */

import type { CounterStore } from '@millrace/counters';
import type { Manifest, ServingDeployment, TargetServer } from '@millrace/gateway-configuration/manifest';
import { checkOrder } from '@millrace/policies';
import { compilePolicy } from '@millrace/policies/compile';
import { countedTogether } from '@millrace/policies/counted-together';
import type { PolicyParts, RequestPolicy, ResponsePolicy } from '@millrace/policies/run';
import type { RevisionContent, RevisionPolicy, RevisionRoute } from '@millrace/revision/content';
import type { Target } from '../targets/endpoints.ts';
import type { Reach } from '../targets/reach.ts';
import { createTarget } from '../targets/target.ts';
import { BasePaths, RouteTable } from './routes.ts';
import { slices } from './slices.ts';

/** A configuration that can't be loaded because of its content, with a sentence for the operator. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
  /** The deployment that can't be loaded; null if no single one is the cause. */
  readonly deploymentId: string | null;

  constructor(message: string, deploymentId: string | null = null, options?: ErrorOptions) {
    super(message, options);
    this.deploymentId = deploymentId;
  }
}

/** What policies need besides the configuration itself. */
export interface SnapshotParts extends Pick<PolicyParts, 'counters' | 'consumers' | 'answers' | 'fetchJson'> {
  readonly reach: Reach;
  /** Replaces every policy, to observe what it does. */
  readonly watch?: PolicyWatch;
}

export interface PolicyWatch {
  request(policy: BoundPolicy<RequestPolicy>): RequestPolicy;
  response(policy: BoundPolicy<ResponsePolicy>): ResponsePolicy;
}

/** Contents of revisions, by hash. */
export type Contents = Pick<ReadonlyMap<string, RevisionContent>, 'get'>;

/** A policy bound to one deployment, with its description for errors and traces. */
export interface BoundPolicy<Run> {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** Whether requests pass if the policy can't be evaluated. */
  readonly failsOpen: boolean;
  readonly run: Run;
}

export type BodyPolicy = BoundPolicy<RequestPolicy & Required<Pick<RequestPolicy, 'onBody'>>>;

/** One route with its policies, in order. */
export interface CompiledRoute {
  readonly id: string;
  readonly method: string;
  readonly pathPattern: string;
  readonly target: Target;
  /** A path at the target, with the pattern's parameters; null: the path that was asked for, behind the base path. */
  readonly targetPath: string | null;
  /** Until the head of the answer; null: the gateway's own limit. */
  readonly timeoutMs: number | null;
  readonly requestPolicies: readonly BoundPolicy<RequestPolicy>[];
  /** The same without their descriptions, which most requests never need. */
  readonly requestRuns: readonly RequestPolicy[];
  /** Those of the request policies that decide by the whole body. */
  readonly bodyPolicies: readonly BodyPolicy[];
  readonly responsePolicies: readonly BoundPolicy<ResponsePolicy>[];
  /** Whether no policy looks at answers: they pass as they are. */
  readonly isPlain: boolean;
  /** The smallest of the policies; infinite where none has one. */
  readonly maxBodyBytes: number;
}

/** A revision ready to serve as one deployment. */
export interface CompiledDeployment {
  readonly deploymentId: string;
  readonly revision: number;
  readonly contentHash: string;
  readonly proxy: { readonly id: string; readonly name: string };
  readonly basePath: string;
  readonly routes: RouteTable<CompiledRoute>;
  readonly targets: readonly Target[];
  /** Where callers send their key, which keeps an app's calls on one revision; null: nowhere. */
  readonly keyLocation: { readonly in: 'header' | 'query'; readonly name: string } | null;
}

/** What serves below a base path. */
export interface Serving {
  readonly basePath: string;
  /** Newest first: callers of a new revision stay with it while its share grows. */
  readonly deployments: readonly CompiledDeployment[];
  /** The only deployment; null: there are several. */
  readonly alone: CompiledDeployment | null;
  /** Of each deployment, the upper end of its part of the shares; the last is the sum of all. */
  readonly upTo: readonly number[];
  /** Where requests are split, and not callers: the place of the last one in the sequence that spreads them; else null. */
  lastRequest: number | null;
}

/** A loaded configuration, immutable except for the position of a split's last request. */
export interface LoadedSnapshot {
  readonly manifest: Manifest;
  /** Names by which callers reach the gateway; empty: any. */
  readonly hostNames: ReadonlySet<string>;
  readonly basePaths: Pick<BasePaths<Serving>, 'find' | 'get'>;
  readonly deployments: ReadonlyMap<string, CompiledDeployment>;
  readonly targets: ReadonlyMap<string, Target>;
  readonly variables: ReadonlyMap<string, string>;
  readonly maskingKey: Buffer;
}

/**
 * Compiles a configuration, a few milliseconds at a time, so that requests in flight don't wait for it. What is the same
 * in the previous configuration is taken over: deployments, and targets with their connections and their health.
 *
 * @param contents of all deployments of the manifest; those of what is taken over are not asked for
 * @param secrets by name, such as `variable:NAME`, `target:NAME:clientKey` and `maskingKey` (Base64)
 * @throws SnapshotError where anything of it cannot be loaded, any other Error where a content is not there
 */
export async function compileSnapshot(
  manifest: Manifest,
  contents: Contents,
  secrets: ReadonlyMap<string, string>,
  parts: SnapshotParts,
  previous: LoadedSnapshot | null,
): Promise<LoadedSnapshot> {
  const breathe = slices();
  const variables = new Map<string, string>();
  for (const [name, value] of Object.entries(manifest.variables)) {
    const known = value ?? secrets.get(`variable:${name}`);
    // Policies that use one without a value fail, and are reported.
    if (known !== undefined) variables.set(name, known);
  }

  const targets = new Map<string, Target>();
  for (const [name, server] of Object.entries(manifest.targetServers)) {
    targets.set(name, takeTarget(name, server, secrets.get(`target:${name}:clientKey`) ?? null, parts.reach, previous));
    await breathe();
  }

  const maskingKey = Buffer.from(secrets.get('maskingKey') ?? '', 'base64');
  // What policies are bound to beside their content and their targets.
  const isBoundAlike =
    previous !== null &&
    equalMaps(variables, previous.variables) &&
    maskingKey.equals(previous.maskingKey) &&
    equalEnvironments(manifest.environment, previous.manifest.environment);
  const deployments = new Map<string, CompiledDeployment>();
  const basePaths = new BasePaths<Serving>(manifest.deployments.length);
  const withoutShare = new Set<string>();
  for (const serving of manifest.deployments) {
    const known = isBoundAlike ? (previous.deployments.get(serving.deploymentId) ?? null) : null;
    const deployment =
      known?.contentHash === serving.contentHash && known.targets.every((target) => targets.get(target.name) === target)
        ? known
        : compileDeployment(serving, contents, targets, {
            ...parts,
            variables,
            maskingKey,
            environment: manifest.environment,
          });
    deployments.set(serving.deploymentId, deployment);
    const { basePath } = deployment;
    const beside = basePaths.get(basePath);
    if (beside !== null && beside.deployments[0]!.proxy.id !== serving.proxyId) {
      const added = [...beside.deployments, deployment].filter((one) => !previous?.deployments.has(one.deploymentId));
      const fault = added.length === 1 ? added[0]!.deploymentId : null;
      throw new SnapshotError(`Two API proxies have the base path ${basePath}.`, fault);
    }
    basePaths.set(
      beside === null ? serveAlone(deployment, serving.weight, previous) : serveBeside(beside, deployment, serving),
    );
    if (serving.weight === 0) withoutShare.add(basePath);
    await breathe();
  }
  for (const basePath of withoutShare) {
    const { deployments, upTo } = basePaths.get(basePath)!;
    if (upTo.at(-1) === 0) {
      throw new SnapshotError(`No deployment at ${basePath} has a share of the calls.`, deployments[0]!.deploymentId);
    }
  }
  return {
    manifest,
    hostNames: new Set(manifest.hostNames.map((name) => name.toLowerCase())),
    basePaths,
    deployments,
    targets,
    variables,
    maskingKey,
  };
}

/** The previous one where it is the same, as most are: ten thousand new ones keep the garbage collector busy. */
function serveAlone(deployment: CompiledDeployment, weight: number, previous: LoadedSnapshot | null): Serving {
  const known = previous?.basePaths.get(deployment.basePath);
  const isSame = known?.alone === deployment && known.upTo[0] === weight;
  return isSame
    ? known
    : {
        basePath: deployment.basePath,
        deployments: [deployment],
        alone: deployment,
        upTo: [weight],
        lastRequest: null,
      };
}

function serveBeside(
  { deployments, upTo }: Serving,
  deployment: CompiledDeployment,
  { weight, split }: ServingDeployment,
): Serving {
  const shares = deployments.map((other, index) => ({
    deployment: other,
    weight: upTo[index]! - (upTo[index - 1] ?? 0),
  }));
  shares.push({ deployment, weight });
  shares.sort((a, b) => b.deployment.revision - a.deployment.revision);
  let sum = 0;
  return {
    basePath: deployment.basePath,
    deployments: shares.map((share) => share.deployment),
    alone: null,
    upTo: shares.map((share) => (sum += share.weight)),
    // Each node starts elsewhere, or the first call after every change would go to the same revision on all of them.
    lastRequest: split === 'requests' ? Math.floor(Math.random() * 2 ** 32) : null,
  };
}

function compileDeployment(
  { deploymentId, proxyId, revision, contentHash }: ServingDeployment,
  contents: Contents,
  targets: ReadonlyMap<string, Target>,
  parts: Omit<PolicyParts, 'proxy' | 'specification' | 'routes'> & Pick<SnapshotParts, 'watch'>,
): CompiledDeployment {
  const content = contents.get(contentHash);
  if (!content) throw new Error(`The content of deployment ${deploymentId} is missing.`);
  const proxy = { id: proxyId, name: content.proxy.name };
  const { specification, routes } = content;
  try {
    // Neither this nor a route is spread: properties of such objects stand in another one, which costs each request.
    const compiled = compileContent(content, targets, { ...parts, proxy, specification, routes });
    return {
      deploymentId,
      revision,
      contentHash,
      proxy,
      basePath: compiled.basePath,
      routes: compiled.routes,
      targets: compiled.targets,
      keyLocation: compiled.keyLocation,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SnapshotError(`${proxy.name}, revision ${revision}: ${reason}`, deploymentId, { cause: error });
  }
}

/**
 * The routes of a content with their policies and targets.
 *
 * @throws Error where a policy cannot be compiled, stands where it may not, or a target is missing
 */
function compileContent(
  content: RevisionContent,
  targets: ReadonlyMap<string, Target>,
  parts: PolicyParts & Pick<SnapshotParts, 'watch'>,
) {
  const { proxy, policies, routes } = content;
  const outOfOrder = checkOrder(policies);
  if (outOfOrder !== null) throw new Error(outOfOrder);

  const request: { policy: RevisionPolicy; bound: BoundPolicy<RequestPolicy> }[] = [];
  const response: { policy: RevisionPolicy; bound: BoundPolicy<ResponsePolicy> }[] = [];
  for (const policy of policies) {
    if (!policy.enabled) continue;
    const { id, kind, name, configuration, flow } = policy;
    const compiled = compilePolicy(kind, { id, configuration }, parts);
    const bound = { id, kind, name, failsOpen: configuration.failOpen === true };
    if (!compiled[flow]) throw new Error(`The policy ${name} (${kind}) has no effect on the ${flow} flow.`);
    if (flow === 'request') {
      const run = { ...bound, run: compiled.request! };
      request.push({ policy, bound: parts.watch ? { ...bound, run: parts.watch.request(run) } : run });
    } else {
      const run = { ...bound, run: compiled.response! };
      response.push({ policy, bound: parts.watch ? { ...bound, run: parts.watch.response(run) } : run });
    }
  }

  // Routes to which the same policies apply have them in one list.
  const lists = new Map<string, RoutePolicies>();
  const policiesOf = (routeId: string): RoutePolicies => {
    const applies = ({ policy }: { policy: RevisionPolicy }) => policy.routeIds?.includes(routeId) ?? true;
    const applying = request.filter(applies).map(({ bound }) => bound);
    const responsePolicies = response.filter(applies).map(({ bound }) => bound);
    // Of the policies as the revision has them: two that are counted together are not the first of them alone.
    const key = [...applying, ...responsePolicies].map(({ id }) => id).join();
    const known = lists.get(key);
    if (known !== undefined) return known;
    const requestPolicies = withCountedTogether(applying, parts.counters);
    const list: RoutePolicies = {
      requestPolicies,
      requestRuns: requestPolicies.map(({ run }) => run),
      bodyPolicies: requestPolicies.filter(decidesByBody),
      responsePolicies,
      isPlain: responsePolicies.length === 0 && requestPolicies.every(({ run }) => run.onAnswer === undefined),
      maxBodyBytes: requestPolicies.reduce((least, { run }) => Math.min(least, run.maxBodyBytes ?? least), Infinity),
    };
    lists.set(key, list);
    return list;
  };
  const used = new Set<Target>();
  const compileRoute = ({ id, method, pathPattern, targetServer, targetPath, timeoutMs }: RevisionRoute) => {
    const target = targets.get(targetServer);
    if (!target) throw new Error(`The environment has no target server ${targetServer}.`);
    used.add(target);
    const { requestPolicies, requestRuns, bodyPolicies, responsePolicies, isPlain, maxBodyBytes } = policiesOf(id);
    return {
      id,
      method,
      pathPattern,
      target,
      targetPath,
      timeoutMs,
      requestPolicies,
      requestRuns,
      bodyPolicies,
      responsePolicies,
      isPlain,
      maxBodyBytes,
    };
  };
  const table = new RouteTable<CompiledRoute>(routes.map(compileRoute));
  return { basePath: proxy.basePath, routes: table, targets: [...used], keyLocation: keyLocationOf(policies) };
}

type RoutePolicies = Pick<
  CompiledRoute,
  'requestPolicies' | 'requestRuns' | 'bodyPolicies' | 'responsePolicies' | 'isPlain' | 'maxBodyBytes'
>;

/** Where a quota and a rate behind it can be counted in one question, one policy in their place. */
function withCountedTogether(
  policies: readonly BoundPolicy<RequestPolicy>[],
  counters: CounterStore,
): readonly BoundPolicy<RequestPolicy>[] {
  const at = policies.findLastIndex(({ run }) => run.counting?.counts === 'quota');
  const [quota, next] = [policies[at], policies[at + 1]];
  if (quota === undefined || next === undefined || quota.failsOpen !== next.failsOpen) return policies;
  const run = countedTogether(quota.run, next.run, counters);
  return run === null ? policies : policies.toSpliced(at, 2, { ...quota, run });
}

function decidesByBody(policy: BoundPolicy<RequestPolicy>): policy is BodyPolicy {
  return policy.run.onBody !== undefined;
}

/** Where callers of these policies send their key; null: nowhere. */
export function keyLocationOf(policies: readonly RevisionPolicy[]): CompiledDeployment['keyLocation'] {
  const configuration = policies.find(({ kind, enabled }) => enabled && kind === 'verify-api-key')?.configuration;
  if (!configuration) return null;
  const { location, name } = configuration;
  if (typeof name !== 'string') return null;
  return location === 'query' ? { in: 'query', name } : { in: 'header', name: name.toLowerCase() };
}

function takeTarget(
  name: string,
  server: TargetServer,
  clientKey: string | null,
  reach: Reach,
  previous: LoadedSnapshot | null,
): Target {
  const known = previous?.targets.get(name);
  const made = createTarget(name, server, clientKey, reach);
  return known?.fingerprint === made.fingerprint ? known : made;
}

function equalMaps(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  if (a.size !== b.size) return false;
  for (const [name, value] of a) if (b.get(name) !== value) return false;
  return true;
}

function equalEnvironments(a: Manifest['environment'], b: Manifest['environment']): boolean {
  return a.id === b.id && a.name === b.name && a.production === b.production;
}
