/** What a running policy sees and returns. A gateway compiles policies when it loads a configuration, never per request. */
import type { Counted, CounterStore, QuotaCounter, RateCounter } from '@millrace/counters';
import type { CallerCounters } from './caller-counters.ts';
import type { HeaderList } from './header-list.ts';
import type { ReportedLimit } from './limit-headers.ts';

/** Every error of the gateway itself: its status and default message, which a more specific one may replace. */
export const gatewayErrors = {
  bad_request: { status: 400, message: 'This request is malformed or ambiguous. Correct it.' },
  invalid_request: { status: 400, message: 'Correct the fields listed in errors.' },
  key_missing: { status: 401, message: 'Send the key of your app.' },
  key_invalid: { status: 401, message: 'The key is unknown, revoked or expired. Send a valid one.' },
  token_missing: { status: 401, message: 'Send a token as Authorization: Bearer.' },
  token_invalid: { status: 401, message: 'The token is not valid here. Get a new one from its issuer.' },
  balance_exhausted: { status: 402, message: 'The prepaid balance is used up. Top it up, then try again.' },
  not_subscribed: { status: 403, message: 'Subscribe your app to a product with this API and wait for approval.' },
  suspended: {
    status: 403,
    message: 'The developer, app or product is suspended. Contact the operator of this API.',
  },
  claim_missing: { status: 403, message: 'The token lacks a claim that this API requires.' },
  address_refused: { status: 403, message: 'Call from an allowed network.' },
  origin_refused: { status: 403, message: 'Pages of this origin can’t call this API.' },
  no_proxy: { status: 404, message: 'No API is published at this address. Check the host and path.' },
  no_route: { status: 404, message: 'Path not found in this API. See its reference.' },
  no_method: { status: 405, message: 'Use a method listed in the Allow header.' },
  request_timeout: { status: 408, message: 'The request arrived too slowly. Send it again.' },
  body_too_large: { status: 413, message: 'Send a smaller body.' },
  url_too_long: { status: 414, message: 'Send a shorter path and query.' },
  unsupported_media_type: { status: 415, message: 'Send a media type that the reference of this API describes.' },
  expectation_failed: { status: 417, message: 'Only 100-continue is supported in Expect.' },
  quota_exceeded: { status: 429, message: 'The quota is used up. Wait for the time in Retry-After, then try again.' },
  rate_exceeded: {
    status: 429,
    message: 'Too many requests at once. Wait for the time in Retry-After, then try again.',
  },
  headers_too_large: { status: 431, message: 'Send smaller headers.' },
  internal_error: { status: 500, message: 'The gateway failed. Try again, or send the request id to the operator.' },
  target_failed: { status: 502, message: 'The service behind this API did not respond properly. Try again later.' },
  not_configured: { status: 503, message: 'The gateway has no configuration yet. Try again later.' },
  policy_unavailable: { status: 503, message: 'A policy of this API can’t be evaluated now. Try again later.' },
  no_target: { status: 503, message: 'No server behind this API is reachable. Try again later.' },
  target_timeout: { status: 504, message: 'The service behind this API took too long. Try again later.' },
} as const;
export type GatewayErrorCode = keyof typeof gatewayErrors;

/** A request that ends here, with one of the gateway's errors. */
export interface Refusal {
  readonly kind: 'refusal';
  readonly error: GatewayErrorCode;
  /** Replaces the error's default message. */
  readonly message?: string;
  /** What is wrong, by field. */
  readonly errors?: Readonly<Record<string, string>>;
  /** Name, value, name, value, … beyond those of {@link Exchange.answerHeaders}. */
  readonly headers?: readonly string[];
}

/**
 * A request that a policy answers in the target's place. A kept answer of a response cache goes through the whole response
 * flow: policies there know whether they saw it before it was kept.
 */
export interface OwnAnswer {
  readonly kind: 'answer';
  readonly status: number;
  /** Name, value, name, value, …; without those that frame the message. */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  /** To wait before it is sent. */
  readonly delayMs: number;
}

/** Null: the request goes on. */
export type Decision = Refusal | OwnAnswer | null;

/** Long window of a quota, in whole units of the UTC calendar. */
export interface QuotaLimit {
  readonly limit: number;
  readonly window: { readonly unit: 'minute' | 'hour' | 'day' | 'month'; readonly count: number };
}

/** Whoever waits for a decision. Exactly one of the two is called, once. Neither may throw: the same turn notifies others. */
export interface DecisionTaker {
  decided(decision: Decision): void;
  /** The policy cannot be evaluated. */
  failed(error: unknown): void;
}

/**
 * A decision that comes in a later turn of the event loop. A promise and its callbacks are several objects per request, and
 * as many rounds of a queue: policies that most requests wait for extend this class instead, others wrap their promise with
 * {@link later}.
 */
export abstract class LaterDecision {
  /** Notified of the decision; set immediately by whoever received it. */
  taker: DecisionTaker | null = null;

  /** For callers that can wait for a promise. */
  promise(): Promise<Decision> {
    return new Promise((decided, failed) => {
      this.taker = { decided, failed };
    });
  }
}

class PromisedDecision extends LaterDecision {
  constructor(promise: Promise<Decision>) {
    super();
    promise.then(
      (decision) => this.taker!.decided(decision),
      (error: unknown) => this.taker!.failed(error),
    );
  }
}

/** The decision of a promise. */
export function later(promise: Promise<Decision>): LaterDecision {
  return new PromisedDecision(promise);
}

/** What a policy returns for the head of a request. */
export type Outcome = Decision | LaterDecision;

interface Named {
  readonly id: string;
  readonly name: string;
}

/** A prepaid balance, and what calls cost; money in millionths of a minor unit. */
export interface Prepaid {
  readonly counting: 'strict' | 'fast';
  /** All that was ever paid in, and what was used of it when the node learned this. */
  readonly credit: number;
  readonly used: number;
  readonly charges: readonly {
    readonly meter: 'requests' | 'request_bytes' | 'response_bytes' | 'units';
    readonly statusClasses: readonly number[];
    /** Null: all. */
    readonly proxyIds: readonly string[] | null;
    /** Of one request, byte or unit. */
    readonly price: number;
  }[];
}

/** The caller that a policy identified. */
export type Caller =
  | {
      readonly kind: 'key';
      readonly credentialId: string;
      readonly developer: Named;
      readonly app: Named;
      readonly product: Named;
      readonly subscriptionId: string;
      /** The term that its calls are billed by; null: it has no rate plan. */
      readonly termId: string | null;
      /** The balance that its calls are debited from; null: it is not prepaid. */
      readonly prepaid: Prepaid | null;
      /** Response header, in lower case, in which the target states the units of a call; null: none are counted. */
      readonly unitsHeader: string | null;
      /** Whether callers see that header. */
      readonly passUnitsHeader: boolean;
      /** Of the subscription, otherwise of the product; null: the policy's own limit applies. */
      readonly quota: QuotaLimit | null;
      readonly counters: CallerCounters;
    }
  | { readonly kind: 'token'; readonly issuer: string; readonly subject: string };

/** What the gateway received. */
export interface ReceivedRequest {
  readonly method: string;
  /** As received, percent-encoded, without the query. */
  readonly path: string;
  /** Without its question mark; empty where there is none. Policies may write it. */
  query: string;
  /** What goes to the target; policies may change it. Fields that frame the message belong to the gateway. */
  readonly headers: HeaderList;
  /** As the head states it; null of a chunked body. */
  readonly contentLength: number | null;
  /** Sum of the lengths of all header names and values, as received. */
  readonly headerBytes: number;
}

/** One request in flight, from its head to the end of its response. */
export interface Exchange {
  /** The request's id, as it stands in `X-Request-Id`, the log and the trace. */
  readonly id: string;
  /** When its head was complete, in Unix milliseconds. */
  readonly startedAtMs: number;
  readonly request: ReceivedRequest;
  /** Address of the connection's other end. */
  readonly connectionAddress: string;
  /** Address of the client as trusted proxies in front of the gateway tell it; the connection's where there are none. */
  readonly forwardedAddress: string;
  readonly proxy: Named;
  readonly route: { readonly id: string; readonly method: string; readonly pathPattern: string };
  /** By the names of the route's pattern, decoded. */
  pathParameters(): Readonly<Record<string, string>>;
  /** Null until a policy has identified the caller. */
  caller: Caller | null;
  /** Added to every response, from the target or the gateway. */
  readonly answerHeaders: HeaderList;
  /** The tightest limit that counted the request, reported with every response in `X-RateLimit-*`. */
  reportedLimit: ReportedLimit | null;
  /** Key of the subscription's quota that this request was counted in, so that two policies never count it twice. */
  countedQuotaKey?: string;
}

/** The counter of a request in a quota. */
export interface AskedQuota {
  readonly counter: QuotaCounter;
  readonly request: Parameters<QuotaCounter['count']>[0];
  /** Whether it is the quota of the caller's subscription. */
  readonly isSubscribed: boolean;
}

/** A policy that counts requests in windows. */
export interface QuotaCounting {
  readonly counts: 'quota';
  readonly mode: 'strict' | 'fast';
  /** Null: another policy has already counted the request there. */
  ask(exchange: Exchange): AskedQuota | null;
  decide(exchange: Exchange, asked: AskedQuota, counted: Counted): Decision;
}

/** A policy that counts requests in a rate. */
export interface RateCounting {
  readonly counts: 'rate';
  readonly rate: Parameters<RateCounter['count']>[0];
  counterOf(exchange: Exchange): RateCounter;
  decide(exchange: Exchange, counted: Counted): Decision;
}

/** A policy of the request flow, bound to one proxy of one configuration. */
export interface RequestPolicy {
  /**
   * Decides by the head. If it throws, or its later decision fails, the policy cannot be evaluated: the gateway refuses with
   * `policy_unavailable`, or continues if the policy fails open.
   */
  readonly onHead?: (exchange: Exchange) => Outcome;
  /** What it counts, if counting is all it does: a quota and a rate behind it can then be counted in one question. */
  readonly counting?: QuotaCounting | RateCounting;
  /** Most bytes of body that may pass, known beforehand or counted as they pass; beyond: `body_too_large`. */
  readonly maxBodyBytes?: number;
  /**
   * Decides by the whole body, before the target is asked. The gateway holds up to `maxBytes`; `wanted` says after
   * {@link RequestPolicy.onHead} whether the body of this request is needed. A longer one is refused as `body_too_large`.
   */
  readonly onBody?: {
    readonly maxBytes: number;
    wanted(exchange: Exchange): boolean;
    decide(exchange: Exchange, body: Uint8Array): Decision;
  };
  /**
   * Takes out of an answer of the target, or of a cached one, what this policy decides in its place. Called before the
   * policies of the response flow, and before {@link Exchange.answerHeaders} are added.
   */
  readonly onAnswer?: (exchange: Exchange, answer: AnswerHead) => void;
}

/** Head of a response on its way to the caller. */
export interface AnswerHead {
  status: number;
  /** Policies may change them. */
  readonly headers: HeaderList;
  /** As the head states it; null of a chunked body or one that ends with its connection. */
  readonly contentLength: number | null;
  /** No body follows, whatever the head says: of HEAD, 204, 304. */
  readonly bodiless: boolean;
}

/** Changes or watches a body in pieces as it passes. A throw means that the policy can't be evaluated. */
export interface BodyTransform {
  /**
   * The head waits until so many bytes want to pass, or until {@link BodyTransform.end}: up to then a throw is refused in
   * its place, from then on the answer streams, and a throw cuts the connection. 0: the head does not wait.
   */
  readonly heldBytes: number;
  /** Whether the length of the body may change: the gateway then reframes it. */
  readonly changesLength: boolean;
  /** What can pass on now, possibly nothing. The chunk is the gateway's: copy what you keep. */
  write(chunk: Uint8Array): Uint8Array | null;
  /** The rest at the end. Not called if the body ends early. */
  end(): Uint8Array | null;
}

/** A policy of the response flow, bound to one proxy of one configuration. It sees answers of targets, and cached ones. */
export interface ResponsePolicy {
  /** Prepares the request so that its response can be evaluated. Called after the request flow, before calling the target. */
  readonly onRequest?: (exchange: Exchange) => void;
  /** Null: nothing is done with the body. */
  onHead(exchange: Exchange, answer: AnswerHead): Refusal | BodyTransform | null;
}

/** Lookup of keys for policies. */
export interface ConsumerDirectory {
  /**
   * The caller behind a key, for one route of a proxy, or why it is refused. Synchronous: all keys are in memory.
   *
   * @param key bytes that hold the key, in UTF-8, from `start` to `end`; they are not kept
   * @param route of this proxy alone; its policies are compiled for it
   */
  findByKey(
    key: Uint8Array,
    start: number,
    end: number,
    proxyId: string,
    route: { readonly id: string },
    nowMs: number,
  ): Caller | 'key_invalid' | 'not_subscribed' | 'suspended';
}

/** Responses cached by the gateway, with a limit on memory. */
export interface AnswerCache {
  get(key: string, nowMs: number): CachedAnswer | null;
  set(key: string, answer: CachedAnswer): void;
}

export interface CachedAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  readonly storedAtMs: number;
  readonly expiresAtMs: number;
}

/** What policies get when a configuration is loaded. */
export interface PolicyParts {
  readonly counters: CounterStore;
  readonly consumers: ConsumerDirectory;
  readonly answers: AnswerCache;
  readonly environment: Named;
  readonly proxy: Named;
  /** Values of the environment's variables, secret ones included; a name without a value keeps the policy from loading. */
  readonly variables: ReadonlyMap<string, string>;
  /** OpenAPI 3.1 of the revision; null where it has none. */
  readonly specification: Readonly<Record<string, unknown>> | null;
  readonly routes: readonly { readonly id: string; readonly method: string; readonly pathPattern: string }[];
  /** Of the organization, for digests of masked values. */
  readonly maskingKey: Uint8Array;
  /** Fetches a JSON document from another server, with limits on size and time. */
  fetchJson(url: string): Promise<unknown>;
}

/** A policy as a revision holds it, its configuration whole. */
export interface PolicyToCompile {
  readonly id: string;
  readonly configuration: Readonly<Record<string, unknown>>;
}
