/** Sends one request through a gateway of its own, and shows what each policy did with it. */
import { randomBytes } from 'node:crypto';
import { request as send } from 'node:http';
import { isIP } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Manifest, TargetServer } from '@millrace/gateway-configuration/manifest';
import {
  type BodyTransform,
  type Decision,
  type Exchange,
  gatewayErrors,
  LaterDecision,
  later,
  type Outcome,
  type RequestPolicy,
  type ResponsePolicy,
} from '@millrace/policies/run';
import { writtenCredentials } from '@millrace/policies/secrets';
import type { RevisionContent } from '@millrace/revision/content';
import { contentHash } from '@millrace/revision/hash';
import { targetPath } from './forwarding/forwarding.ts';
import { Exchange as GatewayExchange } from './http-server/exchange.ts';
import { createGateway } from './serve.ts';
import {
  type BoundPolicy,
  compileSnapshot,
  keyLocationOf,
  type PolicyWatch,
  type SnapshotParts,
} from './snapshot/compile.ts';
import { type Balancer, type Endpoint, firstEndpoint, type Target } from './targets/endpoints.ts';
import { Http2Pool } from './targets/http2-pool.ts';
import { ConnectionPool } from './targets/pool.ts';
import { problemOf } from './targets/problems.ts';
import type { Reach } from './targets/reach.ts';

export interface TraceRequest {
  readonly content: RevisionContent;
  readonly proxyId: string;
  readonly organizationId: string;
  readonly environment: Manifest['environment'];
  readonly targetServers: Readonly<Record<string, TargetServer>>;
  /** With the values of the secret ones. */
  readonly variables: Readonly<Record<string, string>>;
  /** As a node gets them: `target:NAME:clientKey`, `maskingKey`. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly parts: Omit<SnapshotParts, 'reach'>;
  /** Addresses to connect to for a host of a target. @throws Error that says why there is none */
  addressesOf(host: string): Promise<readonly string[]>;
  readonly request: {
    readonly method: string;
    /** Below the base path, with its query. */
    readonly path: string;
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    readonly body: string | null;
    /** Sent where the proxy expects a key; null: none. */
    readonly key: string | null;
    /** The caller's address for policies. */
    readonly clientAddress: string;
  };
}

export interface TraceStep {
  readonly policyId: string;
  readonly kind: string;
  readonly name: string;
  readonly flow: 'request' | 'response';
  decision: 'passed' | 'refused' | 'answered' | 'failed open' | 'transformed' | 'skipped';
  detail: string;
  durationUs: number;
}

export interface Trace {
  /** Null if no route matched. */
  readonly route: { readonly id: string; readonly method: string; readonly pathPattern: string } | null;
  readonly steps: readonly TraceStep[];
  /** Null if the request did not get that far. */
  readonly target: TracedTarget | null;
  readonly answer: {
    readonly status: number;
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    /** At its most {@link keptBytes}, as text. */
    readonly body: string;
    readonly bodyBytes: number;
    readonly truncated: boolean;
  };
  readonly durationUs: number;
}

interface TracedTarget {
  name: string;
  endpoint: string;
  method: string;
  path: string;
  status: number | null;
  problem: string | null;
  durationUs: number;
}

const keptBytes = 65_536;
/** It doesn't wait for more: a response may never end. */
const mostBytes = 16 * 1_024 * 1_024;
const mostMs = 60_000;

/**
 * The target is really asked; what counters and caches do is the parts' own affair.
 *
 * @throws SnapshotError where the content cannot be loaded in this environment
 */
export async function traceRequest(trace: TraceRequest): Promise<Trace> {
  const { content, environment, organizationId, proxyId, targetServers, variables, secrets } = trace;
  const hidden = hiddenValues(trace);
  const recorder = new Recorder();
  const hash = contentHash(content);
  // Known to nobody else, so that no other request gets to this gateway.
  const hostName = `${randomBytes(16).toString('hex')}.invalid`;
  const manifest: Manifest = {
    format: 2,
    organizationId,
    environment,
    sequence: 1,
    hostNames: [hostName],
    deployments: [{ deploymentId: 'trace', proxyId, revision: 1, weight: 100, contentHash: hash }],
    targetServers: { ...targetServers },
    variables: { ...variables },
    secretsHash: hash,
  };
  const snapshot = await compileSnapshot(
    manifest,
    new Map([[hash, content]]),
    secrets,
    { ...trace.parts, reach: checked, watch: recorder },
    null,
  );
  await recorder.findEndpoints(snapshot.targets.values(), trace.addressesOf);
  let durationUs = 0;
  const gateway = createGateway({
    host: '127.0.0.1',
    port: 0,
    balancer: recorder,
    isTrustedProxy: (address) => address === '127.0.0.1',
    onPolicyError: (error, { id }) => recorder.failed(id, error),
    record({ latencyUs, targetTimeUs, error }) {
      durationUs = latencyUs;
      recorder.ended(error, targetTimeUs);
    },
  });
  gateway.use(snapshot);
  const port = await gateway.listen();
  try {
    const answer = await ask(port, hostName, trace, hidden);
    const forms = writtenForms(hidden);
    const hide = (text: string) => forms.reduce((shown, form) => shown.replaceAll(form, '[secret]'), text);
    // What is not whole may end within a secret, of which the beginning is left then.
    const unsure = answer.truncated ? (forms[0]?.length ?? 0) : 0;
    const body = hide(answer.body);
    const { route, steps, target } = recorder;
    return {
      route,
      steps: [...steps, ...skippedSteps(content, route, steps)].map((step) => ({ ...step, detail: hide(step.detail) })),
      target: target && { ...target, path: hide(target.path), problem: target.problem && hide(target.problem) },
      answer: {
        ...answer,
        headers: answer.headers.map(({ name, value }) => ({ name, value: hide(value) })),
        body: Buffer.from(body.slice(0, body.length - unsure))
          .subarray(0, keptBytes)
          .toString(),
      },
      durationUs,
    };
  } finally {
    await gateway.stop(0);
    recorder.closeEndpoints();
  }
}

/** The route's policies that did not run because the request had ended. */
function skippedSteps(content: RevisionContent, route: Trace['route'], ran: readonly TraceStep[]): TraceStep[] {
  if (route === null) return [];
  const isOfRoute = (routeIds: readonly string[] | null) => routeIds === null || routeIds.includes(route.id);
  return content.policies
    .filter(({ id, enabled, routeIds }) => enabled && isOfRoute(routeIds) && !ran.some((step) => step.policyId === id))
    .map(({ id, kind, name, flow }) => ({
      policyId: id,
      kind,
      name,
      flow,
      decision: 'skipped',
      detail: 'The request ended before it.',
      durationUs: 0,
    }));
}

/** What a trace never shows: the values of secret variables, and literal credentials in policies. */
function hiddenValues({ secrets, content }: TraceRequest): readonly string[] {
  const variables = [...secrets].filter(([name]) => name.startsWith('variable:')).map(([, value]) => value);
  const literals = content.policies.flatMap(({ configuration }) => writtenCredentials(configuration));
  // A literal this short hides nothing, and stands in every other word.
  return [...variables.filter((value) => value !== ''), ...literals.filter(({ length }) => length > 3)];
}

/** The values, also as they are written in a URL, JSON or Base64; the longest first. */
function writtenForms(values: readonly string[]): readonly string[] {
  const written = new Set<string>();
  for (const value of values) {
    const bytes = Buffer.from(value);
    for (const form of [
      value,
      bytes.toString('latin1'),
      encodeURIComponent(value),
      JSON.stringify(value).slice(1, -1),
      bytes.toString('base64'),
      bytes.toString('base64url'),
    ]) {
      written.add(form);
    }
  }
  // One secret may be the beginning of another.
  return [...written].sort((first, second) => second.length - first.length);
}

/** What the trace itself says of its request, and what only proxies in front of a gateway may say of it. */
const ownFields =
  /^(?:host|connection|content-length|transfer-encoding|expect|upgrade|forwarded|x-forwarded-.*|x-real-ip|x-request-id)$/i;

/** Sends the request as a caller would. */
function ask(
  port: number,
  hostName: string,
  { content, request }: TraceRequest,
  hidden: readonly string[],
): Promise<Trace['answer']> {
  // More than is shown, so that no part of a secret at its end is shown.
  const heldBytes = keptBytes + 4 * Math.max(0, ...hidden.map(({ length }) => length));
  const { method, body, key, clientAddress } = request;
  const headers = ['Host', hostName, 'X-Forwarded-For', clientAddress];
  for (const { name, value } of request.headers) {
    if (!ownFields.test(name)) headers.push(name, value);
  }
  let path = `${content.proxy.basePath}${request.path === '/' ? '' : request.path}`;
  const location = key === null ? null : keyLocationOf(content.policies);
  if (location?.in === 'header') headers.push(location.name, key!);
  else if (location?.in === 'query')
    path += `${path.includes('?') ? '&' : '?'}${new URLSearchParams({ [location.name]: key! })}`;
  if (body !== null) headers.push('Content-Length', String(Buffer.byteLength(body)));
  headers.push('Connection', 'close');
  return new Promise((resolve, reject) => {
    const sent = send({ host: '127.0.0.1', port, method, path, headers, agent: false, timeout: mostMs });
    sent.on('timeout', () => sent.destroy(new Error(`No response within ${mostMs / 1_000} s.`)));
    sent.on('error', reject);
    sent.on('response', (answer) => {
      const kept: Buffer[] = [];
      let bodyBytes = 0;
      let isWhole = true;
      const done = () => {
        const fields = answer.rawHeaders;
        const all = Buffer.concat(kept).subarray(0, heldBytes);
        resolve({
          status: answer.statusCode ?? 0,
          headers: fields.flatMap((name, index) => (index % 2 === 0 ? [{ name, value: fields[index + 1] ?? '' }] : [])),
          body: all.toString(),
          bodyBytes,
          truncated: bodyBytes > keptBytes || !isWhole,
        });
      };
      answer.on('data', (chunk: Buffer) => {
        if (bodyBytes < heldBytes) kept.push(chunk);
        bodyBytes += chunk.length;
        if (bodyBytes <= mostBytes) return;
        isWhole = false;
        answer.destroy();
      });
      // A response that is cut off is shown as far as it came.
      answer.on('error', () => {
        isWhole = false;
      });
      answer.on('close', done);
    });
    sent.end(body ?? undefined);
  });
}

/** Stands beside every policy, and where the target is chosen. */
class Recorder implements PolicyWatch, Balancer {
  readonly steps: TraceStep[] = [];
  route: Trace['route'] = null;
  target: TracedTarget | null = null;
  readonly #maxBodyBytes = new Map<string, number>();
  /** Of each endpoint of a target, one for each address that it is reached at, or why there is none. */
  readonly #reached = new Map<Endpoint, readonly Endpoint[] | string>();

  /** Looks all hosts up at once, so that what is connected to is what was found, and nothing is looked up again. */
  async findEndpoints(targets: Iterable<Target>, addressesOf: TraceRequest['addressesOf']): Promise<void> {
    const finding = [...targets].flatMap(({ endpoints }) =>
      endpoints.map(async (endpoint) => {
        this.#reached.set(endpoint, await reachedAt(endpoint, addressesOf));
      }),
    );
    await Promise.all(finding);
  }

  closeEndpoints(): void {
    for (const reached of this.#reached.values()) {
      if (typeof reached !== 'string') for (const { pool } of reached) pool.retire();
    }
  }

  request(policy: BoundPolicy<RequestPolicy>): RequestPolicy {
    const { run } = policy;
    if (run.maxBodyBytes !== undefined) this.#maxBodyBytes.set(policy.id, run.maxBodyBytes);
    return {
      ...run,
      onHead: (exchange) => {
        const { id, method, pathPattern } = exchange.route;
        this.route = { id, method, pathPattern };
        return this.#decide(policy, exchange, () => run.onHead?.(exchange) ?? null);
      },
      ...(run.onBody === undefined
        ? {}
        : {
            onBody: {
              maxBytes: run.onBody.maxBytes,
              wanted: (exchange) => run.onBody!.wanted(exchange),
              decide: (exchange, body) => this.#decideNow(policy, exchange, () => run.onBody!.decide(exchange, body)),
            },
          }),
    };
  }

  response(policy: BoundPolicy<ResponsePolicy>): ResponsePolicy {
    const { run } = policy;
    return {
      ...run,
      onHead: (exchange, answer) => {
        const step = this.#step(policy, 'response');
        const before = answer.headers.fields.join('\n');
        const outcome = timed(step, () => run.onHead(exchange, answer));
        if (outcome !== null && 'kind' in outcome) {
          step.decision = 'refused';
          step.detail = outcome.message ?? gatewayErrors[outcome.error].message;
          return outcome;
        }
        const changes = differences(before, answer.headers.fields.join('\n'));
        if (outcome !== null || changes !== '') step.decision = 'transformed';
        step.detail = [changes, outcome === null ? '' : 'The body passes through it.'].filter(Boolean).join(' ');
        return outcome === null ? null : watched(step, outcome);
      },
    };
  }

  pickEndpoint(...[target, exchange, tried, nowMs]: Parameters<Balancer['pickEndpoint']>) {
    const known = target.endpoints.map((endpoint) => this.#reached.get(endpoint) ?? []);
    const endpoints = known.flatMap((reached) => (typeof reached === 'string' ? [] : reached));
    const endpoint = firstEndpoint.pickEndpoint({ ...target, endpoints }, exchange, tried, nowMs);
    const unreached = known.find((reached) => typeof reached === 'string') ?? null;
    this.target = {
      name: target.name,
      endpoint: endpoint?.address ?? target.endpoints[0]!.address,
      method: exchange.request.method,
      path: pathOf(exchange),
      status: null,
      problem:
        this.target?.problem ??
        (target.enabled ? (endpoint === null ? unreached : null) : 'The target server is disabled.'),
      durationUs: 0,
    };
    return endpoint;
  }

  report(...[, outcome]: Parameters<Balancer['report']>): void {
    if (this.target === null) return;
    if (outcome.kind === 'answered') this.target.status = outcome.status;
    else this.target.problem = outcome.kind === 'failed' ? problemOf(outcome.reason) : 'It took too long.';
  }

  release(): void {}
  use(): void {}
  stop(): void {}

  /** A policy threw. */
  failed(policyId: string, error: unknown): void {
    const step = this.steps.findLast((known) => known.policyId === policyId);
    if (step === undefined) return;
    if (step.decision !== 'failed open') step.decision = 'refused';
    const cause = error instanceof Error && error.cause instanceof Error ? ` ${error.cause.message}` : '';
    step.detail = `It can’t be evaluated: ${error instanceof Error ? error.message : String(error)}${cause}`;
  }

  ended(error: string | null, targetTimeUs: number): void {
    if (this.target !== null) this.target.durationUs = targetTimeUs;
    if (error !== 'body_too_large') return;
    const [smallest] = [...this.#maxBodyBytes].sort(([, a], [, b]) => a - b);
    const step = this.steps.find(({ policyId }) => policyId === smallest?.[0]);
    if (step === undefined) return;
    step.decision = 'refused';
    step.detail = `The body is longer than ${smallest?.[1]} bytes.`;
  }

  #step({ id, kind, name }: BoundPolicy<unknown>, flow: TraceStep['flow']): TraceStep {
    const known = this.steps.find(({ policyId }) => policyId === id);
    if (known !== undefined) return known;
    const step: TraceStep = { policyId: id, kind, name, flow, decision: 'passed', detail: '', durationUs: 0 };
    this.steps.push(step);
    return step;
  }

  #decide(policy: BoundPolicy<RequestPolicy>, exchange: Exchange, run: () => Outcome): Outcome {
    const decided = this.#watch(policy, exchange);
    const decision = this.#run(policy, run);
    return decision instanceof LaterDecision ? later(decision.promise().then(decided)) : decided(decision);
  }

  #decideNow(policy: BoundPolicy<RequestPolicy>, exchange: Exchange, run: () => Decision): Decision {
    const decided = this.#watch(policy, exchange);
    return decided(this.#run(policy, run));
  }

  /** If it throws, the step keeps what the gateway does then. */
  #run<Result>(policy: BoundPolicy<RequestPolicy>, run: () => Result): Result {
    const step = this.#step(policy, 'request');
    if (policy.failsOpen) step.decision = 'failed open';
    const result = run();
    if (policy.failsOpen) step.decision = 'passed';
    return result;
  }

  /** What to call with the decision: it completes the step. */
  #watch(policy: BoundPolicy<RequestPolicy>, exchange: Exchange): (decision: Decision) => Decision {
    const step = this.#step(policy, 'request');
    const { headers } = exchange.request;
    const before = headers.fields.join('\n');
    const begunMs = performance.now();
    return (decision) => {
      step.durationUs += Math.round((performance.now() - begunMs) * 1_000);
      if (decision?.kind === 'refusal') {
        step.decision = 'refused';
        step.detail = decision.message ?? gatewayErrors[decision.error].message;
      } else if (decision?.kind === 'answer') {
        step.decision = 'answered';
        step.detail = `Returned ${decision.status} instead of calling the target.`;
      } else if (policy.kind === 'verify-api-key' && exchange.caller?.kind === 'key') {
        step.detail = `App ${exchange.caller.app.name}, product ${exchange.caller.product.name}.`;
      } else if (policy.kind === 'verify-jwt' && exchange.caller?.kind === 'token') {
        step.detail = `Subject ${exchange.caller.subject} of ${exchange.caller.issuer}.`;
      } else {
        const changes = differences(before, headers.fields.join('\n'));
        if (changes !== '') step.decision = 'transformed';
        step.detail ||= changes;
      }
      return decision;
    };
  }
}

/** So long a trace waits for a name to be looked up, and so many of its addresses it tries. */
const lookupMs = 5_000;
const mostAddresses = 4;

/** Targets are connected to by address only, and {@link TraceRequest.addressesOf} has checked the addresses. */
const checked: Reach = {
  problem: () => null,
  refusalOf: (host) => (isIP(host) === 0 ? new Error(`${host} was not looked up.`) : null),
  lookup: (host, _options, callback) => callback(new Error(`${host} was not looked up.`), []),
};

/** The endpoint at each of its addresses, or why it has none. */
async function reachedAt(
  endpoint: Endpoint,
  addressesOf: TraceRequest['addressesOf'],
): Promise<readonly Endpoint[] | string> {
  const { host, port, target } = endpoint;
  const named = target.tls && isIP(host) === 0 ? { servername: host, ...target.tls } : target.tls;
  const ended = new AbortController();
  const late = setTimeout(lookupMs, null, { signal: ended.signal }).catch(() => null);
  try {
    const addresses = await Promise.race([addressesOf(host), late]);
    if (addresses === null) return `${host} was not resolved within ${lookupMs / 1_000} s.`;
    return addresses.slice(0, mostAddresses).map((address) => {
      const connectable = { host: address, port, tls: named, reach: checked };
      const http2 = endpoint.http2 === null ? null : new Http2Pool(connectable);
      return { ...endpoint, pool: new ConnectionPool(connectable), http2 };
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    ended.abort();
  }
}

function pathOf(exchange: Exchange): string {
  // A balancer sees of the gateway's exchanges what policies see of them.
  const path = exchange instanceof GatewayExchange ? targetPath(exchange) : exchange.request.path;
  return exchange.request.query === '' ? path : `${path}?${exchange.request.query}`;
}

function timed<Result>(step: TraceStep, run: () => Result): Result {
  const begunMs = performance.now();
  try {
    return run();
  } finally {
    step.durationUs += Math.round((performance.now() - begunMs) * 1_000);
  }
}

/** A transform whose time, and whose failure, counts for the step. */
function watched(step: TraceStep, transform: BodyTransform): BodyTransform {
  const attempt = <Result>(run: () => Result): Result => {
    try {
      return timed(step, run);
    } catch (error) {
      step.decision = 'refused';
      step.detail = `It can’t be evaluated: ${error instanceof Error ? error.message : String(error)}`;
      throw error;
    }
  };
  return {
    heldBytes: transform.heldBytes,
    changesLength: transform.changesLength,
    write: (chunk) => attempt(() => transform.write(chunk)),
    end: () => attempt(() => transform.end()),
  };
}

/** Which fields are new and which are gone, by their names. */
function differences(before: string, after: string): string {
  if (before === after) return '';
  const names = (text: string) => {
    const lines = text.split('\n');
    return new Map(lines.flatMap((line, index) => (index % 2 === 0 ? [[line.toLowerCase(), lines[index + 1]]] : [])));
  };
  const [old, present] = [names(before), names(after)];
  const written = [...present].filter(([name, value]) => old.get(name) !== value).map(([name]) => name);
  const gone = [...old.keys()].filter((name) => !present.has(name));
  return [
    written.length > 0 ? `Set: ${written.join(', ')}.` : '',
    gone.length > 0 ? `Removed: ${gone.join(', ')}.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}
