import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** Somebody with an account at the provider. */
export interface PeerAccount {
  readonly email: string;
  readonly name: string;
  readonly groups: readonly string[];
}

/** An identity provider that others wrote (`oidc-provider`), with its own pages to sign in. */
export interface PeerProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** By the name that is typed there; the password is anything. */
  readonly accounts: Map<string, PeerAccount>;
  stop(): Promise<void>;
}

/**
 * Starts `oidc-provider` on loopback, on an ephemeral port. A name that is typed on its page signs in.
 *
 * @param addresses what is registered there
 */
export async function startPeerProvider(addresses: {
  readonly redirectUri: string;
  readonly signOutReturnUri: string;
  readonly backChannelLogoutUri: string;
}): Promise<PeerProvider> {
  const accounts = new Map<string, PeerAccount>();
  const [clientId, clientSecret] = ['millrace', 'a client secret of the test'];
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [addresses.redirectUri],
        post_logout_redirect_uris: [addresses.signOutReturnUri],
        backchannel_logout_uri: addresses.backChannelLogoutUri,
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    claims: { openid: ['sub', 'sid'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    cookies: { keys: ['a key of the test'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    // Its own dispatcher reaches no inner addresses, where the tests’ servers are.
    fetch: (url, options) => {
      const { dispatcher: _, ...rest } = { dispatcher: null, ...options };
      return fetch(url, rest);
    },
    features: { backchannelLogout: { enabled: true } },
    findAccount: (_context, id) => {
      const account = accounts.get(id);
      if (account === undefined) return undefined;
      return { accountId: id, claims: () => ({ sub: id, email_verified: true, ...account }) };
    },
  });
  server.on('request', provider.callback());
  return {
    issuer,
    clientId,
    clientSecret,
    accounts,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
