import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** Somebody with an account at the provider. */
export interface ProviderUser {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
  readonly [claim: string]: unknown;
}

/** What the provider does otherwise than it should. */
export interface Misbehaviour {
  /** Replaces claims of the ID token; undefined removes one. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Signs the ID token so instead: without a signature, with the client secret, or with a key that isn’t published. */
  readonly signature?: 'none' | 'HS256' | 'foreign key';
  /** Replaces parameters of the response to the browser; undefined removes one. */
  readonly response?: Readonly<Record<string, string | undefined>>;
  /** Replaces fields of the metadata. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Issues no refresh token. */
  readonly withoutRefreshToken?: boolean;
}

/** An identity provider for tests that signs in without asking, and misbehaves on demand. */
export interface TestProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Whoever signs in next; null: the provider refuses. */
  user: ProviderUser | null;
  misbehaviour: Misbehaviour;
  /** Subjects that refresh tokens are refused for. */
  readonly disabled: Set<string>;
  /** Paths that were requested, in order. */
  readonly requests: readonly string[];
  /** The query of the address that the provider sends a browser to which opens an authorization address. */
  authorize(url: string): Promise<string>;
  /** A logout token of the provider. */
  logoutToken(claims: JWTPayload, options?: { readonly expiresInSeconds?: number }): Promise<string>;
  stop(): Promise<void>;
}

const clientId = 'millrace';
const clientSecret = 'a secret of the client that is long enough for HS256';

interface Grant {
  readonly user: ProviderUser;
  readonly nonce: string | null;
  readonly challenge: string | null;
  readonly sid: string;
}

/** Starts the provider on loopback, on an ephemeral port. */
export async function startTestProvider(): Promise<TestProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const { privateKey: foreignKey } = await generateKeyPair('RS256');
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  const codes = new Map<string, Grant>();
  const refreshTokens = new Map<string, Grant>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  // A provider that several tests share is stopped by the end of the process.
  server.unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const sign = async (claims: JWTPayload, key = privateKey, typ = 'JWT') =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, typ }).sign(key);

  async function idTokenOf({ user, nonce, sid }: Grant): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const own = { iss: issuer, aud: clientId, iat: now, exp: now + 300, sid, ...(nonce === null ? {} : { nonce }) };
    const claims = JSON.parse(JSON.stringify({ ...own, ...user, ...provider.misbehaviour.claims })) as JWTPayload;
    for (const [name, value] of Object.entries(provider.misbehaviour.claims ?? {})) {
      if (value === undefined) delete claims[name];
    }
    const { signature } = provider.misbehaviour;
    if (signature === 'none') {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${part({ alg: 'none' })}.${part(claims)}.`;
    }
    if (signature === 'HS256') {
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(clientSecret));
    }
    return sign(claims, signature === 'foreign key' ? foreignKey : privateKey);
  }

  async function tokensOf(grant: Grant): Promise<object> {
    const refreshToken = randomUUID();
    refreshTokens.set(refreshToken, grant);
    return {
      access_token: randomUUID(),
      token_type: 'Bearer',
      expires_in: 300,
      id_token: await idTokenOf(grant),
      ...(provider.misbehaviour.withoutRefreshToken ? {} : { refresh_token: refreshToken }),
    };
  }

  async function grantTokens(form: URLSearchParams): Promise<{ readonly status: number; readonly body: object }> {
    const refused = { status: 400, body: { error: 'invalid_grant' } };
    // Without one, it is a public client.
    const given = form.get('client_secret');
    if (given !== null && given !== clientSecret) return { status: 401, body: { error: 'invalid_client' } };
    if (form.get('grant_type') === 'refresh_token') {
      const token = form.get('refresh_token') ?? '';
      const grant = refreshTokens.get(token);
      refreshTokens.delete(token);
      if (grant === undefined || provider.disabled.has(grant.user.sub)) return refused;
      return { status: 200, body: await tokensOf({ ...grant, nonce: null }) };
    }
    const code = form.get('code') ?? '';
    const grant = codes.get(code);
    codes.delete(code);
    if (grant === undefined) return refused;
    const verifier = new TextEncoder().encode(form.get('code_verifier') ?? '');
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', verifier)).toString('base64url');
    if (digest !== grant.challenge) return refused;
    return { status: 200, body: await tokensOf(grant) };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer);
    requests.push(url.pathname);
    const send = (body: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (url.pathname === '/.well-known/openid-configuration') {
      send({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        end_session_endpoint: `${issuer}/sign-out`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        token_endpoint_auth_methods_supported: ['client_secret_post'],
        code_challenge_methods_supported: ['S256'],
        scopes_supported: ['openid', 'email', 'offline_access'],
        authorization_response_iss_parameter_supported: true,
        backchannel_logout_supported: true,
        ...provider.misbehaviour.metadata,
      });
    } else if (url.pathname === '/keys') {
      send({ keys: [{ ...jwk, kid, alg: 'RS256', use: 'sig' }] });
    } else if (url.pathname === '/token') {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const { status, body } = await grantTokens(new URLSearchParams(text));
      send(body, status);
    } else if (url.pathname === '/authorize') {
      response.writeHead(302, { location: redirectOf(url) }).end();
    } else send({ error: 'not_found' }, 404);
  }

  function redirectOf(url: URL): string {
    const query = url.searchParams;
    const back = new URL(query.get('redirect_uri') ?? issuer);
    const parameters: Record<string, string | undefined> = { state: query.get('state') ?? '', iss: issuer };
    if (provider.user === null) parameters.error = 'access_denied';
    else {
      parameters.code = randomUUID();
      codes.set(parameters.code, {
        user: provider.user,
        nonce: query.get('nonce'),
        challenge: query.get('code_challenge'),
        sid: randomUUID(),
      });
    }
    for (const [name, value] of Object.entries({ ...parameters, ...provider.misbehaviour.response })) {
      if (value !== undefined) back.searchParams.set(name, value);
    }
    return back.href;
  }

  const provider: TestProvider = {
    issuer,
    clientId,
    clientSecret,
    user: null,
    misbehaviour: {},
    disabled: new Set(),
    requests,
    authorize: async (url) => {
      const response = await fetch(url, { redirect: 'manual' });
      return new URL(response.headers.get('location') ?? '').search.slice(1);
    },
    logoutToken: async (claims, { expiresInSeconds = 120 } = {}) => {
      const now = Math.floor(Date.now() / 1_000);
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      const own = { iss: issuer, aud: clientId, iat: now, exp: now + expiresInSeconds, jti: randomUUID(), events };
      return sign({ ...own, ...claims }, privateKey, 'logout+jwt');
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return provider;
}

const nowSeconds = () => Math.floor(Date.now() / 1_000);

/** What no application accepts from a provider, by what it is. */
export const misbehaviours: Readonly<Record<string, () => Misbehaviour>> = {
  'an ID token of another issuer': () => ({ claims: { iss: 'http://127.0.0.1:1' } }),
  'a response of another issuer': () => ({ response: { iss: 'http://127.0.0.1:1' } }),
  'a response without the issuer that the metadata promises': () => ({ response: { iss: undefined } }),
  'another state': () => ({ response: { state: 'another' } }),
  'no state': () => ({ response: { state: undefined } }),
  'another nonce': () => ({ claims: { nonce: 'another' } }),
  'no nonce': () => ({ claims: { nonce: undefined } }),
  'another audience': () => ({ claims: { aud: 'someone-else' } }),
  'several audiences without an authorized party': () => ({ claims: { aud: ['millrace', 'someone-else'] } }),
  'another authorized party': () => ({ claims: { aud: ['millrace', 'someone-else'], azp: 'someone-else' } }),
  'an expired ID token': () => ({ claims: { exp: nowSeconds() - 120, iat: nowSeconds() - 600 } }),
  'an ID token of the future': () => ({ claims: { nbf: nowSeconds() + 600 } }),
  'an ID token without an expiry': () => ({ claims: { exp: undefined } }),
  'an ID token without a subject': () => ({ claims: { sub: undefined } }),
  'an unsigned ID token': () => ({ signature: 'none' }),
  'an ID token signed with the client secret': () => ({ signature: 'HS256' }),
  'an ID token signed with a key that is not published': () => ({ signature: 'foreign key' }),
  'a code that was never issued': () => ({ response: { code: 'made-up' } }),
};

/** Logout tokens for the provider’s user that no application accepts, by what they are. */
export async function wrongLogoutTokens(provider: TestProvider): Promise<Readonly<Record<string, string>>> {
  const sub = provider.user?.sub ?? '';
  return {
    'of another audience': await provider.logoutToken({ sub, aud: 'someone-else' }),
    'of another issuer': await provider.logoutToken({ sub, iss: 'http://127.0.0.1:1' }),
    'with a nonce': await provider.logoutToken({ sub, nonce: 'x' }),
    'without the event': await provider.logoutToken({ sub, events: { other: {} } }),
    'that names nobody': await provider.logoutToken({}),
    expired: await provider.logoutToken({ sub }, { expiresInSeconds: -120 }),
    'no token': 'nonsense',
  };
}
