import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, errors as joseErrors, jwtVerify } from 'jose';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  Configuration as ClientConfiguration,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  ResponseBodyError,
  refreshTokenGrant,
  type ServerMetadata,
} from 'openid-client';

/** What Millrace is to an identity provider: one of its clients. */
export interface ProviderClient {
  /** Exactly as the provider names itself in its tokens. */
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a public client, which proves itself by PKCE alone. */
  readonly clientSecret: string | null;
}

/** Sends a request to an identity provider: guarded against inner addresses, bounded in size and time. */
export type ProviderFetch = (
  url: string,
  init: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  },
) => Promise<Response>;

/** Why a provider's answer is not accepted. The message is for people; the cause is for the log. */
export class ProviderRefused extends Error {
  override readonly name = 'ProviderRefused';
}

/** Who signed in, as the provider states it. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** In lower case; null if the provider didn’t state one. */
  readonly email: string | null;
  /** Whether the provider states that the address belongs to the user. */
  readonly emailVerified: boolean;
  readonly name: string | null;
  /** Other ids of the user that the provider guarantees, such as Microsoft’s `oid`. */
  readonly otherIds: readonly string[];
  /** Values of the claim of groups; null if there is no such claim. */
  readonly groups: readonly string[] | null;
  /** Of the session at the provider, for back-channel logout. */
  readonly providerSessionId: string | null;
  readonly idToken: string;
  /** Null if the provider issued none. */
  readonly refreshToken: string | null;
}

/** A logout that a provider reports: of one session, or of all sessions of a user. */
export interface ProviderLogout {
  readonly issuer: string;
  readonly subject: string | null;
  readonly providerSessionId: string | null;
  readonly tokenId: string;
  readonly expiresAt: Date;
}

/** What a connection test found. */
export interface ProviderFacts {
  readonly authorizationEndpoint: string;
  readonly keys: number;
  readonly refreshTokens: boolean;
  readonly backChannelLogout: boolean;
  readonly frontChannelSignOut: boolean;
}

/** Signatures by public keys only: `none` proves nothing, and HMAC would be checked with a secret that others hold too. */
export const signingAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

const timeoutSeconds = 5;
const clockToleranceSeconds = 30;
const metadataLifetimeMs = 300_000;
const mostKnownProviders = 200;
const mostGroups = 500;
const longestClaim = 512;
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const longestLogoutTokenAgeSeconds = 300;

/** The identity providers of an installation; what was discovered about one is kept for five minutes. */
export interface IdentityProviders {
  /**
   * The address at the provider where the browser signs in: authorization code with PKCE (S256, RFC 7636).
   *
   * @throws ProviderRefused if the provider can’t be used
   */
  authorizationUrl(
    client: ProviderClient,
    request: {
      readonly redirectUri: string;
      readonly scopes: readonly string[];
      readonly state: string;
      readonly nonce: string;
      readonly codeVerifier: string;
      readonly loginHint?: string | undefined;
    },
  ): Promise<string>;
  /**
   * Exchanges the code of an authorization response and checks the ID token: signature, algorithm, issuer, audience,
   * authorized party, expiry and nonce; of the response, state and `iss` (RFC 9207).
   *
   * @param parameters the query of the address that the provider sent the browser to
   * @throws ProviderRefused
   */
  finish(
    client: ProviderClient,
    parameters: URLSearchParams,
    checks: {
      readonly redirectUri: string;
      readonly state: string;
      readonly nonce: string;
      readonly codeVerifier: string;
      readonly groupsClaim: string | null;
    },
  ): Promise<ProviderIdentity>;
  /**
   * Whether the provider still lets a user be signed in, by a refresh token.
   *
   * @returns `ended` if it refuses; otherwise the next refresh token, the same one if it wasn’t replaced
   * @throws ProviderRefused if the provider doesn’t answer, so that nothing is known
   */
  recheck(
    client: ProviderClient,
    refreshToken: string,
    subject: string,
  ): Promise<{ readonly outcome: 'ended' } | { readonly outcome: 'valid'; readonly refreshToken: string }>;
  /**
   * Checks a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6), except for whether it was used before.
   *
   * @throws ProviderRefused
   */
  readLogoutToken(client: ProviderClient, token: string): Promise<ProviderLogout>;
  /** Where the browser signs out at the provider; null if the provider has no such address. */
  endSessionUrl(
    client: ProviderClient,
    options: { readonly idToken: string | null; readonly returnTo: string },
  ): Promise<string | null>;
  /**
   * Fetches the provider’s metadata and keys again.
   *
   * @throws ProviderRefused
   */
  test(client: ProviderClient): Promise<ProviderFacts>;
}

/** @param send sends each request; it also decides which addresses may be reached, and whether without TLS */
export function createIdentityProviders(send: ProviderFetch): IdentityProviders {
  const known = new Map<string, { readonly connected: Promise<Configuration>; readonly until: number }>();

  const connect = (client: ProviderClient): Promise<Configuration> => {
    const key = JSON.stringify([client.issuer, client.clientId, client.clientSecret]);
    const kept = known.get(key);
    if (kept !== undefined && kept.until > performance.now()) return kept.connected;
    if (known.size >= mostKnownProviders) known.clear();
    const connected = discover(send, client);
    known.set(key, { connected, until: performance.now() + metadataLifetimeMs });
    connected.catch(() => known.delete(key));
    return connected;
  };

  return {
    authorizationUrl: (client, { redirectUri, scopes, state, nonce, codeVerifier, loginHint }) =>
      translated(async () => {
        const url = buildAuthorizationUrl(await connect(client), {
          redirect_uri: redirectUri,
          scope: scopes.join(' '),
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
          // Providers issue a refresh token only if the user is asked (OpenID Connect Core 1.0, 11).
          ...(scopes.includes('offline_access') ? { prompt: 'consent' } : {}),
          ...(loginHint === undefined ? {} : { login_hint: loginHint }),
        });
        return url.href;
      }),

    finish: (client, parameters, { redirectUri, state, nonce, codeVerifier, groupsClaim }) =>
      translated(async () => {
        const configuration = await connect(client);
        const url = new URL(redirectUri);
        url.search = parameters.toString();
        const tokens = await authorizationCodeGrant(configuration, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined || tokens.id_token === undefined) throw new Error('There is no ID token.');
        const isComplete = claims.email !== undefined && (groupsClaim === null || groupsClaim in claims);
        const more =
          isComplete || configuration.serverMetadata().userinfo_endpoint === undefined
            ? {}
            : await fetchUserInfo(configuration, tokens.access_token, claims.sub);
        return identityOf({ ...more, ...claims }, groupsClaim, {
          issuer: client.issuer,
          idToken: tokens.id_token,
          refreshToken: tokens.refresh_token ?? null,
        });
      }),

    recheck: async (client, refreshToken, subject) => {
      const configuration = await translated(() => connect(client));
      try {
        const tokens = await refreshTokenGrant(configuration, refreshToken);
        const claims = tokens.claims();
        if (claims !== undefined && claims.sub !== subject) return { outcome: 'ended' };
        return { outcome: 'valid', refreshToken: tokens.refresh_token ?? refreshToken };
      } catch (error) {
        if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return { outcome: 'ended' };
        throw new ProviderRefused('The identity provider didn’t answer whether the user is still active.', {
          cause: error,
        });
      }
    },

    readLogoutToken: (client, token) =>
      translated(async () => {
        const configuration = await connect(client);
        const keys = createLocalJWKSet(await fetchKeys(send, configuration.serverMetadata()));
        const { payload } = await jwtVerify(token, keys, {
          issuer: client.issuer,
          audience: client.clientId,
          algorithms: [...signingAlgorithms],
          clockTolerance: clockToleranceSeconds,
          maxTokenAge: longestLogoutTokenAgeSeconds,
          requiredClaims: ['iat', 'exp', 'jti', 'events'],
        });
        return logoutOf(client.issuer, payload);
      }),

    endSessionUrl: (client, { idToken, returnTo }) =>
      translated(async () => {
        const configuration = await connect(client);
        if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
        return buildEndSessionUrl(configuration, {
          post_logout_redirect_uri: returnTo,
          ...(idToken === null ? {} : { id_token_hint: idToken }),
        }).href;
      }),

    test: (client) =>
      translated(async () => {
        const metadata = (await discover(send, client)).serverMetadata();
        const { keys } = await fetchKeys(send, metadata);
        if (keys.length === 0) throw new ProviderRefused('The identity provider publishes no signing keys.');
        return {
          authorizationEndpoint: metadata.authorization_endpoint ?? '',
          keys: keys.length,
          refreshTokens: metadata.scopes_supported?.includes('offline_access') ?? false,
          backChannelLogout: metadata.backchannel_logout_supported === true,
          frontChannelSignOut: metadata.end_session_endpoint !== undefined,
        };
      }),
  };
}

async function discover(send: ProviderFetch, client: ProviderClient): Promise<Configuration> {
  const issuer = new URL(client.issuer);
  const isPlain = issuer.protocol === 'http:';
  const fetch = fetchThrough(send);
  const authentication = client.clientSecret === null ? None() : undefined;
  const found = await discovery(issuer, client.clientId, client.clientSecret ?? undefined, authentication, {
    [customFetch]: fetch,
    timeout: timeoutSeconds,
    ...(isPlain ? { execute: [allowInsecureRequests] } : {}),
  });
  const { supportsPKCE: _, ...metadata } = found.serverMetadata();
  const offered = metadata.id_token_signing_alg_values_supported ?? ['RS256'];
  const algorithms = offered.filter((name) => (signingAlgorithms as readonly string[]).includes(name));
  if (algorithms.length === 0) {
    throw new ProviderRefused('The identity provider signs by no algorithm with a public key. Choose RS256 there.');
  }
  if (metadata.issuer !== client.issuer) {
    throw new ProviderRefused(`The identity provider names itself ${metadata.issuer}. Enter that as the issuer.`);
  }
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    if (metadata[name] === undefined) throw new ProviderRefused(`The identity provider’s metadata has no ${name}.`);
  }
  const configuration = new ClientConfiguration(
    { ...metadata, id_token_signing_alg_values_supported: algorithms },
    client.clientId,
    { ...(client.clientSecret === null ? {} : { client_secret: client.clientSecret }), ...methodOf(metadata) },
    authentication,
  );
  configuration[customFetch] = fetch;
  configuration.timeout = timeoutSeconds;
  if (isPlain) allowInsecureRequests(configuration);
  // The token endpoint’s TLS alone would do (Core 1.0, 3.1.3.7), but not over loopback, nor behind a proxy.
  enableNonRepudiationChecks(configuration);
  return configuration;
}

/** How the secret is sent, where the provider doesn’t take the body’s. */
function methodOf({ token_endpoint_auth_methods_supported: methods }: ServerMetadata) {
  const isBasic = methods !== undefined && !methods.includes('client_secret_post');
  return isBasic ? { token_endpoint_auth_method: 'client_secret_basic' } : {};
}

async function fetchKeys(send: ProviderFetch, { jwks_uri: url }: ServerMetadata): Promise<JSONWebKeySet> {
  const response = await send(url ?? '', { headers: { accept: 'application/json' } });
  if (!response.ok) throw new ProviderRefused(`The identity provider’s keys were answered with ${response.status}.`);
  const keys = (await response.json()) as Partial<JSONWebKeySet> | null;
  if (!Array.isArray(keys?.keys)) throw new ProviderRefused('The identity provider’s keys are no JSON Web Key Set.');
  return { keys: keys.keys };
}

function fetchThrough(send: ProviderFetch) {
  return (url: string, init: { readonly method?: string; readonly headers?: unknown; readonly body?: unknown }) => {
    const { method, headers, body } = init;
    return send(url, {
      ...(method === undefined ? {} : { method }),
      headers: Object.fromEntries(new Headers(headers as Record<string, string>)),
      ...(body === undefined || body === null ? {} : { body: String(body) }),
    });
  };
}

function identityOf(
  claims: Readonly<Record<string, unknown>>,
  groupsClaim: string | null,
  tokens: Pick<ProviderIdentity, 'issuer' | 'idToken' | 'refreshToken'>,
): ProviderIdentity {
  const text = (name: string): string | null => {
    const value = claims[name];
    return typeof value === 'string' && value !== '' && value.length <= longestClaim ? value : null;
  };
  const subject = text('sub');
  if (subject === null) throw new ProviderRefused('The identity provider didn’t state who signed in.');
  const isMicrosoft = new URL(tokens.issuer).hostname === 'login.microsoftonline.com';
  const objectId = isMicrosoft ? text('oid') : null;
  return {
    ...tokens,
    subject,
    email: text('email')?.toLowerCase() ?? null,
    emailVerified: claims.email_verified === true || (isMicrosoft && claims.xms_edov === true),
    name: text('name'),
    otherIds: objectId === null ? [] : [objectId],
    groups: groupsClaim === null ? null : groupsOf(claims[groupsClaim]),
    providerSessionId: text('sid'),
  };
}

/** A list of names, or one name as a text. */
function groupsOf(claim: unknown): readonly string[] | null {
  if (claim === undefined) return null;
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return values.slice(0, mostGroups).filter((value): value is string => typeof value === 'string');
}

function logoutOf(issuer: string, payload: JWTPayload): ProviderLogout {
  const { events, jti, sub = null, sid, exp } = payload;
  const isLogout = typeof events === 'object' && events !== null && logoutEvent in events;
  if (!isLogout) throw new ProviderRefused('The token reports no logout.');
  // A token with a nonce may be an ID token (Back-Channel Logout 1.0, 2.4).
  if ('nonce' in payload) throw new ProviderRefused('A logout token has no nonce.');
  const providerSessionId = typeof sid === 'string' ? sid : null;
  if (sub === null && providerSessionId === null) throw new ProviderRefused('The token names nobody.');
  if (typeof jti !== 'string' || jti.length > longestClaim || exp === undefined) {
    throw new ProviderRefused('The token has no usable id.');
  }
  return { issuer, subject: sub, providerSessionId, tokenId: jti, expiresAt: new Date(exp * 1_000) };
}

/** Failures of the protocol as {@link ProviderRefused}, in words that reveal nothing of what was sent. */
async function translated<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProviderRefused) throw error;
    throw new ProviderRefused(messageOf(error), { cause: error });
  }
}

function messageOf(error: unknown): string {
  if (error instanceof ResponseBodyError) return `The identity provider refused: ${plain(error.error)}.`;
  if (error instanceof joseErrors.JOSEError) return 'The identity provider’s token is not valid.';
  if (error instanceof Error && error.name === 'AuthorizationResponseError') {
    return 'The identity provider didn’t sign you in. Try again, or ask your administrator.';
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && ['TimeoutError', 'SendRefused'].includes(cause.name)) {
    return cause.name === 'TimeoutError' ? 'The identity provider didn’t answer in time.' : cause.message;
  }
  return 'The identity provider’s answer is not valid. Check the issuer and the client there.';
}

/** An error code of a provider, bounded and printable. */
function plain(text: string): string {
  return text.replaceAll(/[^\w .-]/g, '').slice(0, 100);
}
