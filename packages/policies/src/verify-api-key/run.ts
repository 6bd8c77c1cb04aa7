import type * as z from 'zod';
import type {
  ConsumerDirectory,
  Decision,
  Exchange,
  GatewayErrorCode,
  PolicyParts,
  PolicyToCompile,
  RequestPolicy,
} from '../run.ts';
import { verifyApiKey } from './config.ts';

type Configuration = z.output<typeof verifyApiKey.configuration>;

/** Longer ones can't be keys and aren't hashed. */
const maxKeyBytes = 200;

/** How to authenticate, as RFC 9110, section 11.6.1, requires for every 401. */
const challenge = ['www-authenticate', 'ApiKey'] as const;

const missing = refusal('key_missing');
const invalid = refusal('key_invalid');
const repeated: Decision = { ...invalid, message: 'Send the key once.' };
const refusals = {
  key_invalid: invalid,
  not_subscribed: { kind: 'refusal', error: 'not_subscribed' },
  suspended: { kind: 'refusal', error: 'suspended' },
} as const satisfies Record<string, Decision>;

/** Identifies the app by the key of a request. */
export function compileVerifyApiKey(policy: PolicyToCompile, parts: PolicyParts): RequestPolicy {
  const configuration = verifyApiKey.configuration.parse(policy.configuration);
  return configuration.location === 'header' ? new HeaderKey(configuration, parts) : new QueryKey(configuration, parts);
}

/** One object per policy: closures would be several more that a request brings into the caches. */
abstract class Key implements RequestPolicy {
  readonly #consumers: ConsumerDirectory;
  readonly #proxyId: string;
  protected readonly removeFromRequest: boolean;

  constructor({ removeFromRequest }: Configuration, { consumers, proxy }: PolicyParts) {
    this.#consumers = consumers;
    this.#proxyId = proxy.id;
    this.removeFromRequest = removeFromRequest;
  }

  abstract onHead(exchange: Exchange): Decision;

  protected admit(exchange: Exchange, key: Uint8Array, start: number, end: number): Decision {
    if (start === end) return missing;
    if (end - start > maxKeyBytes) return invalid;
    const { route, startedAtMs } = exchange;
    const found = this.#consumers.findByKey(key, start, end, this.#proxyId, route, startedAtMs);
    if (typeof found === 'string') return refusals[found];
    exchange.caller = found;
    return null;
  }
}

class HeaderKey extends Key {
  /** In lower case. */
  readonly #name: string;

  constructor(configuration: Configuration, parts: PolicyParts) {
    super(configuration, parts);
    this.#name = configuration.name.toLowerCase();
  }

  onHead(exchange: Exchange): Decision {
    const { headers } = exchange.request;
    const key = headers.bytesOf(this.#name);
    if (key === null) return missing;
    if (key.isRepeated) return repeated;
    const decision = this.admit(exchange, key.bytes, key.start, key.end);
    if (decision === null && this.removeFromRequest) headers.remove(this.#name);
    return decision;
  }
}

class QueryKey extends Key {
  readonly #name: string;

  constructor(configuration: Configuration, parts: PolicyParts) {
    super(configuration, parts);
    this.#name = configuration.name;
  }

  onHead(exchange: Exchange): Decision {
    const { request } = exchange;
    const found = findParameter(request.query, this.#name);
    if (found === null) return missing;
    if (found === 'repeated') return repeated;
    const key = Buffer.from(found.value);
    const decision = this.admit(exchange, key, 0, key.length);
    if (decision === null && this.removeFromRequest) {
      request.query = withoutPair(request.query, found.start, found.end);
    }
    return decision;
  }
}

interface FoundParameter {
  /** Decoded. */
  readonly value: string;
  /** Position of its pair in the query. */
  readonly start: number;
  readonly end: number;
}

/** The parameter of that name, pairs read as the URL Standard reads `application/x-www-form-urlencoded`. */
function findParameter(query: string, name: string): FoundParameter | 'repeated' | null {
  let found: FoundParameter | null = null;
  for (let start = 0; start < query.length; ) {
    const next = query.indexOf('&', start);
    const end = next < 0 ? query.length : next;
    const equals = query.indexOf('=', start);
    const nameEnd = equals < 0 || equals > end ? end : equals;
    if (isName(query, start, nameEnd, name)) {
      if (found) return 'repeated';
      found = { value: decode(query.slice(Math.min(nameEnd + 1, end), end)), start, end };
    }
    start = end + 1;
  }
  return found;
}

function isName(query: string, start: number, end: number, name: string): boolean {
  if (end - start === name.length) return query.startsWith(name, start);
  // Only an encoded name is longer than what it stands for.
  return end - start > name.length && decode(query.slice(start, end)) === name;
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  // Behind an equals sign, it is a value whatever it holds.
  return new URLSearchParams(`=${text}`).get('') ?? '';
}

function withoutPair(query: string, start: number, end: number): string {
  return start === 0 ? query.slice(end + 1) : query.slice(0, start - 1) + query.slice(end);
}

function refusal(error: GatewayErrorCode) {
  return { kind: 'refusal', error, headers: challenge } as const;
}
