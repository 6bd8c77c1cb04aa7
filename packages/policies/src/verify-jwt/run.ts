import { hash } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import {
  type Caller,
  type Decision,
  type Exchange,
  later,
  type PolicyParts,
  type PolicyToCompile,
  type Refusal,
  type RequestPolicy,
} from '../run.ts';
import { verifyJwt } from './config.ts';
import { type IssuerKeys, keySourceOf } from './key-source.ts';

const maxTokenLength = 8_192;
const maxKeptResults = 2_000;

// Challenges of RFC 6750, section 3.
const missing: Refusal = { kind: 'refusal', error: 'token_missing', headers: ['www-authenticate', 'Bearer'] };
const invalid: Refusal = {
  kind: 'refusal',
  error: 'token_invalid',
  headers: ['www-authenticate', 'Bearer error="invalid_token"'],
};
const claimMissing: Refusal = {
  kind: 'refusal',
  error: 'claim_missing',
  headers: ['www-authenticate', 'Bearer error="insufficient_scope"'],
};

interface VerifiedToken {
  readonly caller: Caller;
  readonly decision: Decision;
  readonly expiresAtMs: number;
  /** Version of the keys that it was verified with. */
  readonly version: number;
}

/**
 * Verifies bearer tokens. A valid token is remembered until it expires or the issuer's keys change. Without
 * usable keys, it throws.
 */
export function compileVerifyJwt(policy: PolicyToCompile, parts: PolicyParts): RequestPolicy {
  const configuration = verifyJwt.configuration.parse(policy.configuration);
  const { jwksUrl, issuer, audience, algorithms, clockSkewSeconds, requiredClaims, header, removeFromRequest } =
    configuration;
  const cacheMs = configuration.jwksCacheSeconds * 1_000;
  const source = keySourceOf(jwksUrl, parts.fetchJson);
  const verified = new Map<string, VerifiedToken>();

  const payloadOf = async (token: string, keys: IssuerKeys, nowMs: number): Promise<JWTPayload> => {
    const { payload } = await jwtVerify(token, keys.find, {
      algorithms: [...algorithms],
      issuer,
      audience: [...audience],
      clockTolerance: clockSkewSeconds,
      currentDate: new Date(nowMs),
      requiredClaims: ['exp'],
    });
    return payload;
  };

  const verify = async (exchange: Exchange, token: string, digest: string): Promise<Decision> => {
    const nowMs = exchange.startedAtMs;
    let keys = await source.get(nowMs, cacheMs);
    let payload: JWTPayload;
    try {
      try {
        payload = await payloadOf(token, keys, nowMs);
      } catch (error) {
        // The issuer may have a new key.
        const newer = error instanceof errors.JWKSNoMatchingKey ? await source.newer(keys.version, nowMs) : null;
        if (!newer) throw error;
        keys = newer;
        payload = await payloadOf(token, keys, nowMs);
      }
    } catch (error) {
      if (error instanceof errors.JOSEError) return invalid;
      throw error;
    }
    const result: VerifiedToken = {
      caller: { kind: 'token', issuer, subject: typeof payload.sub === 'string' ? payload.sub : '' },
      decision: requiredClaims.every((required) => hasClaim(payload, required)) ? null : claimMissing,
      expiresAtMs: (payload.exp! + clockSkewSeconds) * 1_000,
      version: keys.version,
    };
    if (verified.size >= maxKeptResults) verified.delete(verified.keys().next().value!);
    verified.set(digest, result);
    return admit(exchange, result);
  };

  const admit = (exchange: Exchange, { caller, decision }: VerifiedToken): Decision => {
    if (decision !== null) return decision;
    // An app identified by key says more than the token.
    exchange.caller ??= caller;
    if (removeFromRequest) exchange.request.headers.remove(header);
    return null;
  };

  return {
    onHead(exchange) {
      const { headers } = exchange.request;
      const value = headers.get(header);
      if (value === null) return missing;
      if (headers.isRepeated(header)) return invalid;
      const token = bearerToken(value);
      if (token === null) return missing;
      if (token.length > maxTokenLength || !isCompact(token)) return invalid;
      const digest = hash('sha256', token, 'base64');
      const known = verified.get(digest);
      if (known) {
        if (
          known.expiresAtMs > exchange.startedAtMs &&
          known.version === source.held(exchange.startedAtMs, cacheMs)?.version
        ) {
          return admit(exchange, known);
        }
        verified.delete(digest);
      }
      return later(verify(exchange, token, digest));
    },
  };
}

/** What follows the scheme, or null for another scheme. */
function bearerToken(value: string): string | null {
  return value.length > 7 && value.slice(0, 7).toLowerCase() === 'bearer ' ? value.slice(7).trim() : null;
}

/** Whether the token has the form of a signed one (RFC 7515, section 3.1). */
function isCompact(token: string): boolean {
  return /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/.test(token);
}

interface RequiredClaim {
  readonly claim: string;
  readonly anyOf: readonly string[];
}

function hasClaim(payload: JWTPayload, { claim, anyOf }: RequiredClaim): boolean {
  const value = Object.hasOwn(payload, claim) ? payload[claim] : undefined;
  if (value === undefined || value === null) return false;
  if (anyOf.length === 0) return true;
  const held: readonly unknown[] = Array.isArray(value)
    ? value
    : claim === 'scope' && typeof value === 'string'
      ? value.split(' ')
      : [value];
  return held.some((one) => (typeof one !== 'object' || one === null) && anyOf.includes(String(one)));
}
