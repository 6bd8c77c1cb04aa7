import type { AnswerHead, Decision, Exchange, OwnAnswer, PolicyToCompile, Refusal, RequestPolicy } from '../run.ts';
import { cors } from './config.ts';

/** Longer ones are not origins: a host name has at most 253 characters. */
const maxOriginLength = 300;

const refusal: Refusal = { kind: 'refusal', error: 'origin_refused' };

const preflightVary = ['vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'] as const;

/** Headers that a target may have set and the policy replaces. */
const corsHeaders = [
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-expose-headers',
  'access-control-max-age',
] as const;

/**
 * The CORS protocol of the Fetch standard. A preflight request is answered here; any other passes, whatever its origin:
 * the browser keeps a disallowed page from reading the response.
 */
export function compileCors(policy: PolicyToCompile): RequestPolicy {
  const { allowedOrigins, allowedMethods, allowedHeaders, exposedHeaders, allowCredentials, maxAgeSeconds } =
    cors.configuration.parse(policy.configuration);
  const isAllowed = originMatcher(allowedOrigins);
  const anyOrigin = allowedOrigins.includes('*');
  const allowOrigin = (origin: string) => [
    'access-control-allow-origin',
    anyOrigin ? '*' : origin,
    ...(allowCredentials ? ['access-control-allow-credentials', 'true'] : []),
  ];
  const preflightHeaders = [
    ...preflightVary,
    'access-control-allow-methods',
    allowedMethods.join(', '),
    ...(allowedHeaders.length > 0 ? ['access-control-allow-headers', allowedHeaders.join(', ')] : []),
    'access-control-max-age',
    String(maxAgeSeconds),
  ];
  const exposed = exposedHeaders.join(', ');
  const preflightRefusal: Refusal = { ...refusal, headers: preflightVary };

  const preflight = (origin: string | null): Decision => {
    if (origin === null) return preflightRefusal;
    const answer: OwnAnswer = {
      kind: 'answer',
      status: 204,
      headers: [...allowOrigin(origin), ...preflightHeaders],
      body: new Uint8Array(),
      delayMs: 0,
    };
    return answer;
  };
  return {
    onHead(exchange) {
      const { method, headers } = exchange.request;
      const sent = headers.get('origin');
      const origin = sent !== null && !headers.isRepeated('origin') && isAllowed(sent) ? sent : null;
      if (method === 'OPTIONS' && sent !== null && headers.has('access-control-request-method')) {
        return preflight(origin);
      }
      const { answerHeaders } = exchange;
      // A cache in between must not serve the response for one origin, or for none, to another.
      if (!anyOrigin) answerHeaders.append('vary', 'Origin');
      if (origin === null) return null;
      answerHeaders.append('access-control-allow-origin', anyOrigin ? '*' : origin);
      if (allowCredentials) answerHeaders.append('access-control-allow-credentials', 'true');
      if (exposed !== '') answerHeaders.append('access-control-expose-headers', exposed);
      return null;
    },
    onAnswer(_: Exchange, { headers }: AnswerHead) {
      for (const name of corsHeaders) headers.remove(name);
    },
  };
}

/** Whether an origin, as browsers write it, is one of those or a subdomain of a `*.` one. */
function originMatcher(allowed: readonly string[]): (origin: string) => boolean {
  if (allowed.includes('*')) return () => true;
  const exact = new Set(allowed.map(withoutDefaultPort).filter((origin) => !origin.includes('*')));
  const wildcards = allowed.map(withoutDefaultPort).flatMap((origin) => {
    const star = origin.indexOf('*');
    return star < 0 ? [] : [{ scheme: origin.slice(0, star), suffix: origin.slice(star + 1) }];
  });
  return (origin) => {
    if (origin.length > maxOriginLength) return false;
    if (exact.has(origin)) return true;
    return wildcards.some(
      ({ scheme, suffix }) =>
        origin.length > scheme.length + suffix.length &&
        origin.startsWith(scheme) &&
        origin.endsWith(suffix) &&
        isHostPart(origin.slice(scheme.length, -suffix.length)),
    );
  };
}

/** Only labels of a host name: no slash, colon, at sign, or anything else that ends the host of a URL. */
function isHostPart(text: string): boolean {
  return /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(text);
}

/** As browsers write it. */
function withoutDefaultPort(origin: string): string {
  return origin.startsWith('https://') ? origin.replace(/:443$/, '') : origin.replace(/:80$/, '');
}
