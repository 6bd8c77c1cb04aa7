/** A request's path through the gateway: match, request policies, target, response policies, record. */
import type { BalanceStore } from '@millrace/counters';
import { limitHeaders } from '@millrace/policies/limit-headers';
import {
  type AnswerHead,
  type BodyTransform,
  type Decision,
  type DecisionTaker,
  type GatewayErrorCode,
  LaterDecision,
  type Outcome,
  type Refusal,
} from '@millrace/policies/run';
import type { Consumers } from './consumers/directory.ts';
import { Forwarding, type ForwardingParts } from './forwarding/forwarding.ts';
import { Http2Forwarding } from './forwarding/http2-forwarding.ts';
import { Deadlines } from './http/deadlines.ts';
import { defaultLimits, type Limits } from './http/limits.ts';
import { AdmissionWatch } from './http-server/admission-watch.ts';
import type { Exchange } from './http-server/exchange.ts';
import type { AnswerBody, Front } from './http-server/front.ts';
import { HeldBody } from './http-server/held-body.ts';
import { createListener, type TlsFront } from './http-server/listener.ts';
import { bufferOf, ownHeaders, sendHead, sendRefusal } from './http-server/own-answers.ts';
import { debit, settle } from './http-server/prepaid.ts';
import { fillRecord, newRecord, type RequestRecord, type RequestTrace } from './http-server/record.ts';
import { beginTransformed, keptHeaders } from './http-server/transformed-answer.ts';
import { takeUnits } from './http-server/units.ts';
import { match } from './match.ts';
import { internals as availableInternals, type Internals } from './node-internals/internals.ts';
import type { BodyPolicy, BoundPolicy, LoadedSnapshot } from './snapshot/compile.ts';
import { type Balancer, type Endpoint, firstEndpoint, type Target } from './targets/endpoints.ts';
import { negotiate } from './targets/negotiation.ts';

export interface GatewayOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Whether other processes may listen there too, if all of them allow it. */
  readonly sharesPort?: boolean;
  readonly tls?: TlsFront | null;
  /** Whether callers may speak HTTP/2 without TLS, which they have to know beforehand. */
  readonly acceptsPriorKnowledge?: boolean;
  readonly limits?: Partial<Limits>;
  /** Default: those of this Node. */
  readonly internals?: Internals;
  readonly balancer?: Balancer;
  /** Debited by prepaid requests; absent: none is. */
  readonly balances?: BalanceStore;
  /** Requests in flight end when their caller is no longer admitted. */
  readonly consumers?: Consumers;
  /** Whether the other end of a connection is trusted to report its caller. */
  isTrustedProxy?(address: string): boolean;
  /** ISO 3166-1 alpha-2 of where the caller is; `ZZ` where it is unknown. */
  country?(exchange: Exchange): string;
  /** Starts the trace of a request, and sets the `traceparent` for its target. */
  trace?(exchange: Exchange): RequestTrace | null;
  /** A failure of the gateway itself, for its log. */
  onError?(error: unknown, exchange: Exchange): void;
  /** Why a policy could not be evaluated, for the log. */
  onPolicyError?(error: unknown, policy: { readonly id: string; readonly kind: string; readonly name: string }): void;
  /** Called once per request, with a reused object. */
  record(record: RequestRecord): void;
}

interface GatewayStats {
  readonly connections: number;
  /** Since the start. */
  readonly requests: number;
  readonly inFlight: number;
}

export interface Gateway {
  /** The port that it listens on. */
  listen(): Promise<number>;
  /** Serves this configuration from the next request on; those in flight keep theirs. */
  use(snapshot: LoadedSnapshot): void;
  /** Every answer closes its connection from now on. */
  drain(): void;
  /** The end of {@link Gateway.drain}. */
  resume(): void;
  /** Accepts no more connections, lets requests in flight end within this time, and cuts off the rest. */
  stop(graceMs: number): Promise<void>;
  stats(): GatewayStats;
  /**
   * When the oldest request in flight began that is or may be billed, in Unix milliseconds; infinite if there is none.
   * The connections are scanned for it.
   */
  oldestBilledMs(): number;
}

/** Prepaid requests without a debit never pass, as by a policy that doesn't fail open. */
const prepaidBalance = { id: '', kind: 'prepaid-balance', name: 'Prepaid balance', failsOpen: false, run: null };
const grpcNeedsHttp2: Refusal = {
  kind: 'refusal',
  error: 'target_failed',
  message: 'The target server of this API speaks HTTP/1.1, and gRPC needs HTTP/2. Set its protocol to HTTP/2.',
};
/** What a policy needs, such as a Redis whose replica takes over, is back after seconds: sooner, callers would use up their retries. */
const retryAfterOutage: readonly string[] = ['Retry-After', '3'];
const ownLimitHeaders = limitHeaders.map((name) => name.toLowerCase());

/** Creates a gateway that serves nothing yet. */
export function createGateway(options: GatewayOptions): Gateway {
  const limits = { ...defaultLimits, ...options.limits };
  const deadlines = new Deadlines();
  const balancer = options.balancer ?? firstEndpoint;
  const { internals = availableInternals } = options;
  const front: Front = {
    limits,
    internals,
    deadlines,
    flow: { begin, refuse: refuseWith, ended },
    snapshot: null,
    isDraining: false,
    connections: new Set(),
    inFlight: 0,
    heldBytes: 0,
    lingering: 0,
    acceptsPriorKnowledge: options.acceptsPriorKnowledge ?? false,
    isTrustedProxy: (address) => options.isTrustedProxy?.(address) ?? false,
  };
  const forwarding: ForwardingParts = { balancer, limits, deadlines, internals, answered, refuse: refuseWith };
  const listener = createListener(front, options.tls ?? null);
  if (options.consumers !== undefined) new AdmissionWatch(front, options.consumers);
  const record = newRecord();
  let requests = 0;

  function begin(exchange: Exchange): void {
    try {
      if (options.trace !== undefined) exchange.trace = options.trace(exchange);
      const error = match(exchange);
      if (error === null) decideByHead(exchange, 0);
      else if (error === 'no_method')
        refuse(exchange, { kind: 'refusal', error, headers: ['Allow', allowed(exchange)] });
      else refuseWith(exchange, error);
    } catch (error) {
      fail(exchange, error);
    }
  }

  /** Runs the request policies one after another, and continues after one that had to wait. */
  function decideByHead(exchange: Exchange, from: number): void {
    const { requestRuns, maxBodyBytes } = exchange.matched!;
    for (let index = from; index < requestRuns.length; index++) {
      const decision = decisionByHead(exchange, index);
      if (decision === null) continue;
      const policy = exchange.matched!.requestPolicies[index]!;
      if (decision instanceof LaterDecision) {
        wait(exchange, policy, decision, () => decideByHead(exchange, index + 1));
      } else {
        decide(exchange, policy, decision);
      }
      return;
    }
    if ((exchange.request.contentLength ?? 0) > maxBodyBytes) {
      refuseWith(exchange, 'body_too_large');
      return;
    }
    // No policy has answered the preflight request, and the route itself doesn't handle it.
    if (exchange.isPreflight) {
      refuse(exchange, preflightRefusal(exchange));
      return;
    }
    const { caller } = exchange;
    const isPrepaid = caller?.kind === 'key' && caller.prepaid !== null;
    if (isPrepaid) pay(exchange, () => proceed(exchange));
    else proceed(exchange);
  }

  function proceed(exchange: Exchange): void {
    if (exchange.matched!.bodyPolicies.length === 0) forward(exchange, null);
    else holdBody(exchange);
  }

  /** Continues if a prepaid request could be debited, or if there is nothing to debit. */
  function pay(exchange: Exchange, next: () => void): void {
    const { caller } = exchange;
    if (options.balances === undefined || caller?.kind !== 'key' || caller.prepaid === null) {
      next();
      return;
    }
    let decision: Outcome;
    try {
      decision = debit(exchange, caller, caller.prepaid, options.balances);
    } catch (error) {
      decision = unevaluated(prepaidBalance, error);
    }
    if (decision instanceof LaterDecision) wait(exchange, prepaidBalance, decision, next);
    else if (decision === null) next();
    else decide(exchange, prepaidBalance, decision);
  }

  function decisionByHead(exchange: Exchange, index: number): Outcome {
    try {
      return exchange.matched!.requestRuns[index]!.onHead?.(exchange) ?? null;
    } catch (error) {
      return unevaluated(exchange.matched!.requestPolicies[index]!, error);
    }
  }

  /** Reads the whole body if a policy needs it. */
  function holdBody(exchange: Exchange): void {
    const { bodyPolicies, maxBodyBytes } = exchange.matched!;
    const wanting = bodyPolicies.filter(({ run }) => run.onBody.wanted(exchange));
    if (wanting.length === 0) {
      forward(exchange, null);
      return;
    }
    if (exchange.grpc !== null) {
      passStream(exchange, wanting);
      return;
    }
    const maxBytes = wanting.reduce((least, { run }) => Math.min(least, run.onBody.maxBytes), maxBodyBytes);
    const { contentLength } = exchange.request;
    if ((contentLength ?? 0) > maxBytes) {
      refuseWith(exchange, 'body_too_large');
      return;
    }
    const held = new HeldBody(contentLength, (body) => {
      try {
        decideByBody(exchange, wanting, body);
      } catch (error) {
        fail(exchange, error);
      }
    });
    exchange.connection.sayContinue();
    exchange.connection.readBody(held, maxBytes);
  }

  /** Messages of a stream may wait for the answers to those before them, so that no policy can get all of them first. */
  function passStream(exchange: Exchange, wanting: readonly BodyPolicy[]): void {
    const policy = wanting.find(({ failsOpen }) => !failsOpen);
    if (policy === undefined) {
      forward(exchange, null);
      return;
    }
    const message = `The policy ${policy.name} needs whole bodies, which calls of gRPC don’t have. Remove it from this route.`;
    refuse(exchange, { kind: 'refusal', error: 'policy_unavailable', message });
  }

  function decideByBody(exchange: Exchange, wanting: readonly BodyPolicy[], body: Buffer): void {
    for (const policy of wanting) {
      const decision = evaluate(policy, () => policy.run.onBody.decide(exchange, body));
      if (decision !== null) {
        decide(exchange, policy, decision);
        return;
      }
    }
    forward(exchange, body);
  }

  function forward(exchange: Exchange, heldBody: Buffer | null): void {
    const { responsePolicies, maxBodyBytes } = exchange.matched!;
    for (const policy of responsePolicies) {
      const refusal = evaluate(policy, () => policy.run.onRequest?.(exchange) ?? null);
      if (refusal !== null) {
        refuse(exchange, refusal);
        return;
      }
    }
    const { target } = exchange.matched!;
    if (target.protocol === 'http1') forwardByHttp1(exchange, heldBody, maxBodyBytes);
    else forwardByHttp2(exchange, target, heldBody, maxBodyBytes);
  }

  function forwardByHttp1(exchange: Exchange, heldBody: Buffer | null, maxBodyBytes: number): void {
    if (exchange.grpc === null) new Forwarding(exchange, forwarding).begin(heldBody, maxBodyBytes);
    else refuse(exchange, grpcNeedsHttp2);
  }

  function forwardByHttp2(exchange: Exchange, target: Target, heldBody: Buffer | null, maxBodyBytes: number): void {
    if (target.protocol === 'http2') {
      exchange.tunnel = null;
      new Http2Forwarding(exchange, forwarding).begin(heldBody, maxBodyBytes);
      return;
    }
    // WebSockets are of HTTP/1.1, which targets that speak HTTP/2 over TLS speak too.
    if (exchange.tunnel !== null) {
      forwardByHttp1(exchange, heldBody, maxBodyBytes);
      return;
    }
    negotiate(target, forwarding, (isHttp2) => {
      if (exchange.isOver) return;
      if (isHttp2) new Http2Forwarding(exchange, forwarding).begin(heldBody, maxBodyBytes);
      else forwardByHttp1(exchange, heldBody, maxBodyBytes);
      exchange.connection.flush();
    });
  }

  /** The head of a target's answer, or of a kept one; null where it was refused, or could not be answered. */
  function answered(exchange: Exchange, answer: AnswerHead): AnswerBody | null {
    try {
      return beginAnswer(exchange, answer);
    } catch (error) {
      // A socket's callback has no caller that would catch it.
      fail(exchange, error);
      return null;
    }
  }

  /** The head of an answer goes through the response policies to the caller. */
  function beginAnswer(exchange: Exchange, answer: AnswerHead): AnswerBody | null {
    const { connection, matched, caller } = exchange;
    if (caller?.kind === 'key' && caller.unitsHeader !== null) takeUnits(exchange, caller, answer.headers);
    // A target with limits of its own counts the gateway: callers only get the gateway's limit.
    if (exchange.reportedLimit !== null) for (const name of ownLimitHeaders) answer.headers.remove(name);
    const framing = answer.bodiless ? 'none' : answer.contentLength === null ? 'chunked' : 'as stated';
    if (matched!.isPlain && answer.status !== 101) {
      connection.beginAnswer(exchange, answer.status, answer.headers, framing, null);
      return connection;
    }
    const head: AnswerHead = { ...answer, headers: keptHeaders(answer.headers) };
    const transforms: BodyTransform[] = [];
    for (const { run } of matched!.requestPolicies) run.onAnswer?.(exchange, head);
    for (const policy of matched!.responsePolicies) {
      const outcome = evaluate(policy, () => policy.run.onHead(exchange, head));
      if (outcome === null) continue;
      if (!('kind' in outcome)) {
        transforms.push(outcome);
      } else {
        refuse(exchange, outcome);
        return null;
      }
    }
    return beginTransformed(exchange, head, framing, transforms, refuseWith);
  }

  /** A policy's decision ends the request. A cached response passes the response policies, as when it was cached. */
  function decide(exchange: Exchange, policy: BoundPolicy<unknown>, decision: NonNullable<Decision>): void {
    if (decision.kind === 'refusal') {
      refuse(exchange, decision);
      return;
    }
    const { status, body } = decision;
    const bodiless = exchange.request.method === 'HEAD' || status === 204 || status === 304;
    const send = () => {
      if (exchange.isOver) return;
      const head: AnswerHead = { status, headers: ownHeaders(decision), contentLength: body.length, bodiless };
      try {
        const to = policy.kind === 'response-cache' ? beginAnswer(exchange, head) : sendHead(exchange, head);
        to?.piece(bufferOf(body), 0, body.length);
        to?.end();
      } catch (error) {
        fail(exchange, error);
      }
    };
    pay(exchange, () => {
      if (decision.delayMs > 0) setTimeout(send, decision.delayMs);
      else send();
    });
  }

  function refuseWith(exchange: Exchange, error: GatewayErrorCode): void {
    refuse(exchange, { kind: 'refusal', error });
  }

  function refuse(exchange: Exchange, refusal: Refusal): void {
    if (exchange.isOver) return;
    exchange.error = refusal.error;
    exchange.source?.abort();
    exchange.source = null;
    if (exchange.connection.hasBegun) exchange.connection.cut();
    else sendRefusal(exchange, refusal);
  }

  function fail(exchange: Exchange, error: unknown): void {
    options.onError?.(error, exchange);
    refuseWith(exchange, 'internal_error');
  }

  function wait(exchange: Exchange, policy: BoundPolicy<unknown>, later: LaterDecision, next: () => void): void {
    later.taker = new Waiting(exchange, policy, next);
  }

  /** A request whose policy decides later. */
  class Waiting implements DecisionTaker {
    readonly #exchange: Exchange;
    readonly #policy: BoundPolicy<unknown>;
    readonly #next: () => void;

    constructor(exchange: Exchange, policy: BoundPolicy<unknown>, next: () => void) {
      this.#exchange = exchange;
      this.#policy = policy;
      this.#next = next;
    }

    decided(decision: Decision): void {
      const exchange = this.#exchange;
      if (exchange.isOver) return;
      try {
        if (decision === null) this.#next();
        else decide(exchange, this.#policy, decision);
      } catch (error) {
        fail(exchange, error);
      }
    }

    failed(error: unknown): void {
      this.decided(unevaluated(this.#policy, error));
    }
  }

  /** A policy's decision; if it fails, the request only continues if the policy fails open. */
  function evaluate<Outcome>(policy: BoundPolicy<unknown>, run: () => Outcome): Outcome | Refusal | null {
    try {
      return run();
    } catch (error) {
      return unevaluated(policy, error);
    }
  }

  function unevaluated(policy: BoundPolicy<unknown>, error: unknown): Refusal | null {
    options.onPolicyError?.(error, policy);
    return policy.failsOpen ? null : { kind: 'refusal', error: 'policy_unavailable', headers: retryAfterOutage };
  }

  function ended(exchange: Exchange): void {
    requests++;
    try {
      const nowMs = deadlines.read();
      fillRecord(record, exchange, nowMs, options.country?.(exchange) ?? 'ZZ');
      if (exchange.debit !== null) settle(exchange.debit, exchange, record.refused);
      options.record(record);
      exchange.trace?.end(record);
    } catch (error) {
      options.onError?.(error, exchange);
    }
  }

  return {
    listen() {
      const { host, port, sharesPort = false } = options;
      return listener.open({ host, port, sharesPort });
    },
    use(snapshot) {
      const before = front.snapshot;
      front.snapshot = snapshot;
      balancer.use([...snapshot.targets.values()]);
      for (const [name, target] of before?.targets ?? []) {
        if (snapshot.targets.get(name) !== target) for (const endpoint of target.endpoints) retire(endpoint);
      }
    },
    drain() {
      front.isDraining = true;
      for (const connection of front.connections) connection.drain();
    },
    resume() {
      front.isDraining = false;
    },
    async stop(graceMs) {
      this.drain();
      const cut = setTimeout(() => {
        for (const { socket } of front.connections) socket.destroy();
      }, graceMs);
      await listener.close();
      clearTimeout(cut);
      deadlines.stop();
      balancer.stop();
      for (const target of front.snapshot?.targets.values() ?? []) {
        for (const endpoint of target.endpoints) retire(endpoint);
      }
    },
    oldestBilledMs() {
      let oldestMs = Infinity;
      for (const connection of front.connections) {
        connection.eachExchange((exchange) => {
          if (mayBeBilled(exchange)) oldestMs = Math.min(oldestMs, exchange.startedAtMs);
        });
      }
      return oldestMs;
    },
    stats: () => ({ connections: front.connections.size, requests, inFlight: front.inFlight }),
  };
}

/** Whether the request has a term, or may get one: its caller is not identified yet. */
function mayBeBilled({ caller, source }: Exchange): boolean {
  return caller === null ? source === null : caller.kind === 'key' && caller.termId !== null;
}

function retire({ pool, http2 }: Endpoint): void {
  pool.retire();
  http2?.retire();
}

function allowed({ deployment, request }: Exchange): string {
  return deployment!.routes.methodsOf(request.path, deployment!.basePath.length).join(', ');
}

function preflightRefusal(exchange: Exchange): Refusal {
  return { kind: 'refusal', error: 'no_method', headers: ['Allow', allowed(exchange)] };
}
