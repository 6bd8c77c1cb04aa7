import { hash } from 'node:crypto';
import type { HeaderList } from '../header-list.ts';
import type {
  AnswerHead,
  BodyTransform,
  CachedAnswer,
  Caller,
  Exchange,
  OwnAnswer,
  PolicyParts,
  PolicyToCompile,
  RequestPolicy,
  ResponsePolicy,
} from '../run.ts';
import { deltaSeconds, parseCacheControl } from './cache-control.ts';
import { responseCache } from './config.ts';
import { clearHit, markHit, wasSeen } from './hits.ts';
import { keyedFields } from './keyed-fields.ts';

/** What the lookup passes to the store of the same exchange. */
interface LookUp {
  readonly exchangeId: string;
  /** The key for caching the response; null if it can't be cached. */
  readonly key: string | null;
  /** Whether what the caller shows of itself is no part of the key, although the target may answer by it. */
  readonly sharesAuthorized: boolean;
  readonly variesBy: ReadonlySet<string>;
  /** Invalidates the responses of this path. */
  invalidate(): void;
}

const lookUps = new WeakMap<Exchange, LookUp>();

/** Counts look-ups that were ever made, so that answers kept for one of another configuration are never found. */
let lastNumber = 0;

/** Paths whose changes are tracked separately; beyond this number, they are all invalidated together. */
const maxChangedPaths = 10_000;

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Fields of one connection or one exchange, which no kept answer repeats. */
const unkeptHeaders = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'age',
] as const;

/** For a cached response that the caller already has (RFC 9110, section 15.4.5). */
const notModifiedHeaders = new Set(['cache-control', 'content-location', 'date', 'etag', 'expires', 'vary']);

const noBody = new Uint8Array();

/**
 * Keeps answers (RFC 9111): the look-up stands on the request flow, the store on the response flow. A kept answer is found
 * by configurations with the very same policies alone, since it is found by the look-up that asked for it.
 */
export function compileResponseCache(
  policy: PolicyToCompile,
  parts: PolicyParts,
): { readonly request: RequestPolicy; readonly response: ResponsePolicy } {
  const configuration = responseCache.configuration.parse(policy.configuration);
  return { request: lookUpPolicy(configuration, parts), response: storePolicy(configuration, parts) };
}

type Configuration = ReturnType<typeof responseCache.configuration.parse>;

function lookUpPolicy(configuration: Configuration, { answers, proxy }: PolicyParts): RequestPolicy {
  const { varyByCaller, varyByHeaders, varyByQuery, respectCacheControl } = configuration;
  const methods = new Set<string>(configuration.methods);
  const variesBy = new Set(varyByHeaders);
  const otherFields = keyedFields(configuration);
  const prefix = `${proxy.id}\n${++lastNumber}`;
  const changes = new Map<string, number>();
  let lastChange = 0;
  let commonChange = 0;

  const change = (path: string): void => {
    if (changes.size >= maxChangedPaths) {
      changes.clear();
      commonChange = ++lastChange;
    } else changes.set(path, ++lastChange);
  };
  const keyOf = (exchange: Exchange): string => {
    const { request, route, caller } = exchange;
    const { headers, path } = request;
    const fields = [prefix, String(changes.get(path) ?? commonChange), route.id, headers.get('host') ?? '', path];
    fields.push(varyByQuery === null ? request.query : namedParameters(request.query, varyByQuery));
    for (const name of varyByHeaders) fields.push(JSON.stringify(headers.getAll(name)));
    fields.push(otherFields(headers));
    if (varyByCaller) {
      fields.push(callerId(caller));
      // What may identify the caller to the target.
      for (const name of ['authorization', 'cookie']) fields.push(JSON.stringify(headers.getAll(name)));
    }
    return hash('sha256', fields.join('\n'), 'base64');
  };

  return {
    onHead(exchange) {
      clearHit(exchange);
      const { request } = exchange;
      const invalidate = () => change(request.path);
      const base = { exchangeId: exchange.id, variesBy, invalidate };
      const control = parseCacheControl(request.headers.getAll('cache-control'));
      const { caller } = exchange;
      // Callers whose tokens have no subject can't be distinguished.
      const isNobody = varyByCaller && caller?.kind === 'token' && caller.subject === '';
      const hasBody = request.contentLength === null || request.contentLength > 0;
      if (isNobody || !methods.has(request.method) || hasBody || control.has('no-store')) {
        lookUps.set(exchange, { ...base, key: null, sharesAuthorized: false });
        return null;
      }
      const key = keyOf(exchange);
      const ownKey = request.method === 'HEAD' ? `${key} HEAD` : key;
      const sharesAuthorized = !varyByCaller && respectCacheControl && request.headers.has('authorization');
      lookUps.set(exchange, { ...base, key: ownKey, sharesAuthorized });
      if (control.has('no-cache') || request.headers.get('pragma') === 'no-cache') return null;

      const nowMs = exchange.startedAtMs;
      // The response to GET contains everything the one to HEAD would.
      const kept = answers.get(key, nowMs) ?? (ownKey === key ? null : answers.get(ownKey, nowMs));
      if (!kept || ageSeconds(kept, nowMs) > (deltaSeconds(control.get('max-age')) ?? Number.POSITIVE_INFINITY)) {
        return null;
      }
      markHit(exchange);
      return answerOf(kept, request.headers, nowMs);
    },
  };
}

function storePolicy(configuration: Configuration, { answers }: PolicyParts): ResponsePolicy {
  const { maxBodyBytes } = configuration;
  const statuses = new Set<number>(configuration.statuses);
  return {
    onRequest: clearHit,
    onHead(exchange, answer) {
      const lookUp = lookUps.get(exchange);
      lookUps.delete(exchange);
      if (wasSeen(exchange)) {
        // Later policies have not seen a cached response.
        clearHit(exchange);
        return null;
      }
      if (lookUp?.exchangeId !== exchange.id) return null;
      if (!safeMethods.has(exchange.request.method) && answer.status >= 200 && answer.status < 400) lookUp.invalidate();
      const { key } = lookUp;
      if (key === null || !statuses.has(answer.status) || (answer.contentLength ?? 0) > maxBodyBytes) return null;
      const nowMs = Date.now();
      const lifetimeMs = lifetimeOf(answer, configuration, lookUp, nowMs);
      if (lifetimeMs <= 0) return null;

      const { status } = answer;
      const storedAtMs = nowMs - (deltaSeconds(answer.headers.get('age')) ?? 0) * 1_000;
      // As they are here: later policies may change them before the body is complete.
      const headers = keptHeaders(answer.headers);
      const keep = (body: Uint8Array): void =>
        answers.set(key, { status, headers, body, storedAtMs, expiresAtMs: nowMs + lifetimeMs });
      if (answer.bodiless) {
        keep(noBody);
        return null;
      }
      return collect(maxBodyBytes, keep);
    },
  };
}

/** Passes a body through and copies it once it is complete, unless it is too large. */
function collect(maxBytes: number, done: (body: Uint8Array) => void): BodyTransform {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  return {
    heldBytes: 0,
    changesLength: false,
    write(chunk) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes <= maxBytes) chunks.push(Uint8Array.from(chunk));
      else chunks.length = 0;
      return chunk;
    },
    end() {
      if (sizeBytes <= maxBytes) done(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
      return null;
    },
  };
}

/** How long the response may be cached from now on, in milliseconds; 0 or less: not at all. */
function lifetimeOf(answer: AnswerHead, configuration: Configuration, lookUp: LookUp, nowMs: number): number {
  const { headers } = answer;
  if (headers.has('set-cookie') || headers.has('content-range')) return 0;
  for (const name of headers.getAll('vary').join(',').toLowerCase().split(',')) {
    if (name.trim() !== '' && !lookUp.variesBy.has(name.trim())) return 0;
  }
  const ttlMs = configuration.ttlSeconds * 1_000;
  if (!configuration.respectCacheControl) return ttlMs;

  const control = parseCacheControl(headers.getAll('cache-control'));
  if (control.has('no-store') || control.has('private') || control.has('no-cache')) return 0;
  if (!headers.has('cache-control') && headers.get('pragma') === 'no-cache') return 0;
  // RFC 9111, section 3.5.
  const isShared = control.has('public') || control.has('s-maxage') || control.has('must-revalidate');
  if (lookUp.sharesAuthorized && !isShared) return 0;
  return Math.min(ttlMs, statedLifetimeMs(headers, control, nowMs) ?? ttlMs);
}

/** The target's lifetime for it; null if it gives none. An invalid value means that the response is already stale. */
function statedLifetimeMs(headers: HeaderList, control: ReadonlyMap<string, string>, nowMs: number): number | null {
  const ageMs = (deltaSeconds(headers.get('age')) ?? 0) * 1_000;
  const maxAge = control.get('s-maxage') ?? control.get('max-age');
  if (maxAge !== undefined) return (deltaSeconds(maxAge) ?? 0) * 1_000 - ageMs;
  const expires = headers.get('expires');
  if (expires === null) return null;
  const date = Date.parse(headers.get('date') ?? '');
  return (Date.parse(expires) || 0) - (Number.isNaN(date) ? nowMs : date) - ageMs;
}

function keptHeaders({ fields }: HeaderList): string[] {
  const kept: string[] = [];
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index]!;
    if (!unkeptHeaders.some((unkept) => unkept === name.toLowerCase())) kept.push(name, fields[index + 1]!);
  }
  return kept;
}

function answerOf(kept: CachedAnswer, request: HeaderList, nowMs: number): OwnAnswer {
  const age = ['age', String(ageSeconds(kept, nowMs))];
  if (kept.status === 200 && isNotModified(kept, request)) {
    const headers = kept.headers.filter((_, index) => notModifiedHeaders.has(kept.headers[index & ~1]!.toLowerCase()));
    return { kind: 'answer', status: 304, headers: [...headers, ...age], body: noBody, delayMs: 0 };
  }
  const { status, headers, body } = kept;
  return { kind: 'answer', status, headers: [...headers, ...age], body, delayMs: 0 };
}

/** Whether the caller already has the response (RFC 9110, section 13.2.2). */
function isNotModified(kept: CachedAnswer, request: HeaderList): boolean {
  const ifNoneMatch = request.getAll('if-none-match');
  if (ifNoneMatch.length > 0) {
    const entityTag = headerOf(kept, 'etag');
    const tags = ifNoneMatch.join(',').matchAll(/(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")|\*/g);
    return [...tags].some(
      ([tag, opaque]) => tag === '*' || (entityTag !== null && opaque === entityTag.replace(/^W\//, '')),
    );
  }
  const ifModifiedSince = request.get('if-modified-since');
  const lastModified = headerOf(kept, 'last-modified');
  return ifModifiedSince !== null && lastModified !== null && Date.parse(lastModified) <= Date.parse(ifModifiedSince);
}

function headerOf({ headers }: CachedAnswer, name: string): string | null {
  const index = headers.findIndex((text, at) => at % 2 === 0 && text.toLowerCase() === name);
  return index < 0 ? null : headers[index + 1]!;
}

function ageSeconds({ storedAtMs }: CachedAnswer, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - storedAtMs) / 1_000));
}

function callerId(caller: Caller | null): string {
  if (caller === null) return '';
  return caller.kind === 'key' ? `key ${caller.app.id}` : `token ${JSON.stringify([caller.issuer, caller.subject])}`;
}

/** Names and values of these parameters of a query. */
function namedParameters(query: string, names: readonly string[]): string {
  const parameters = new URLSearchParams(`&${query}`);
  return JSON.stringify(names.map((name) => parameters.getAll(name)));
}
