import * as z from 'zod';
import { HeaderName } from '../http.ts';
import type { PolicyKind } from '../kind.ts';

const configuration = z.strictObject({
  jwksUrl: z
    .string()
    .max(2_000)
    .refine(isKeyAddress, 'Use an https address without user name and password (http only for this machine).')
    .describe('URL of the issuer’s JSON Web Key Set.'),
  issuer: z.string().min(1).max(500).describe('The exact `iss` that tokens must have.'),
  audience: z
    .array(z.string().min(1).max(500))
    .min(1)
    .max(20)
    .describe('Values of `aud`; tokens must have at least one.'),
  algorithms: z
    // Symmetric algorithms and `none` are left out: with a published key set they are the known ways to forge a token.
    .array(z.enum(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']))
    .min(1)
    .max(10)
    .default(['RS256', 'ES256'])
    .describe('Accepted signature algorithms.'),
  clockSkewSeconds: z
    .int()
    .min(0)
    .max(300)
    .default(30)
    .describe('Allowed clock difference between issuer and gateway when checking `exp` and `nbf`.'),
  requiredClaims: z
    .array(
      z.strictObject({
        claim: z.string().min(1).max(200).describe('Name of the claim, such as scope.'),
        anyOf: z
          .array(z.string().max(500))
          .max(50)
          .default([])
          .describe('The claim must have one of these values; empty: it must exist. `scope` is split at spaces.'),
      }),
    )
    .max(20)
    .default([])
    .describe('Claims that tokens must have besides issuer, audience and times.'),
  header: HeaderName.default('authorization').describe('Header with the token, after "Bearer ".'),
  jwksCacheSeconds: z.int().min(60).max(86_400).default(600).describe('How long a fetched key set is used.'),
  removeFromRequest: z.boolean().default(false).describe('Remove the token before calling the target.'),
});
type Configuration = z.output<typeof configuration>;

/** Identifies callers by a signed token (RFC 7519) whose issuer publishes its keys (RFC 7517). */
export const verifyJwt = {
  kind: 'verify-jwt',
  title: 'Verify JWT',
  description:
    'Checks the signature, issuer, audience, times and claims of a bearer token; otherwise returns 401 or 403.',
  flows: ['request'],
  rank: { request: 20 },
  maxPerFlow: null,
  configuration,
  defaultConfiguration: {
    jwksUrl: '',
    issuer: '',
    audience: [],
    algorithms: ['RS256', 'ES256'],
    clockSkewSeconds: 30,
    requiredClaims: [],
    header: 'authorization',
    jwksCacheSeconds: 600,
    removeFromRequest: false,
  },
  example: {
    jwksUrl: 'https://login.example.com/.well-known/jwks.json',
    issuer: 'https://login.example.com/',
    audience: ['https://api.example.com'],
    algorithms: ['RS256', 'ES256'],
    clockSkewSeconds: 30,
    requiredClaims: [{ claim: 'scope', anyOf: ['orders.read'] }],
    header: 'authorization',
    jwksCacheSeconds: 600,
    removeFromRequest: false,
  },
  secretFields: [],
  impact: {
    added: { breaking: true, reason: 'Callers now need a token.' },
    removed: { breaking: false, reason: 'Callers no longer need a token.' },
    changed(before: Configuration, after: Configuration) {
      if (before.issuer !== after.issuer) return 'Tokens must now come from another issuer.';
      if (before.header !== after.header) return `The token is now read from the header ${after.header}.`;
      if (before.audience.some((audience) => !after.audience.includes(audience))) {
        return 'Tokens for an audience are no longer accepted.';
      }
      if (before.algorithms.some((algorithm) => !after.algorithms.includes(algorithm))) {
        return 'A signature algorithm is no longer accepted.';
      }
      const demanded = after.requiredClaims.find(
        ({ claim, anyOf }) =>
          !before.requiredClaims.some(
            (known) =>
              known.claim === claim &&
              (anyOf.length === 0 || (known.anyOf.length > 0 && known.anyOf.every((value) => anyOf.includes(value)))),
          ),
      );
      return demanded ? `The requirements for the claim ${demanded.claim} are stricter.` : null;
    },
  },
} as const satisfies PolicyKind;

function isKeyAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url?.username !== '' || url.password !== '') return false;
  return (
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname))
  );
}
