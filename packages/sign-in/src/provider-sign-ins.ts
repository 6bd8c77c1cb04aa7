import { hash } from 'node:crypto';
import { type QueryExecutorProvider, sql } from 'kysely';
import { readSessionCookie, type SessionCookie, writeSessionCookie } from './browsers.ts';
import { hashSecret, newSecret } from './secrets.ts';

/*
 * Sign-ins in progress stand in the application's table `provider_sign_ins`: `state_hash` (primary key), `browser_hash`,
 * `realm`, `return_path`, `linked_user_id`, `expires_at`, and the tenant; where a tenant has several providers, also which.
 */

/** How long someone may take at the provider. */
const lifetimeSeconds = 900;
const longestReturnPath = 500;

/** A sign-in that was begun here and is in progress at the provider. */
export interface ProviderSignIn {
  readonly tenantId: string;
  /** Where a tenant has several providers: which. */
  readonly providerId?: string | undefined;
  readonly returnPath: string;
  /** The signed-in user who is to be linked to the provider’s; null if this is an ordinary sign-in. */
  readonly linkedUserId: string | null;
}

/** What the protocol binds a sign-in by. */
export interface ProviderChecks {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** The sign-ins by identity providers that an application has begun, each finished at most once. */
export interface ProviderSignIns {
  /** Begins a sign-in in this browser; `cookie` is the value of `Set-Cookie` that binds it. */
  begin(
    database: QueryExecutorProvider,
    signIn: ProviderSignIn,
  ): Promise<{ readonly checks: ProviderChecks; readonly cookie: string }>;
  /** Takes a sign-in that began in the browser with these cookies, once; null if there is none. */
  take(
    system: QueryExecutorProvider,
    state: string,
    cookies: string,
  ): Promise<{ readonly signIn: ProviderSignIn; readonly checks: ProviderChecks } | null>;
}

/** What somebody reads whose sign-in isn’t in progress in their browser. */
export const lostSignIn =
  'This sign-in didn’t begin in this browser, was finished already, or took too long. Start again.';

/**
 * @param place.realm keeps apart several places to sign in that share a table
 * @param place.providerColumn where a tenant has several providers
 */
export function providerSignInsIn(place: {
  readonly tenantColumn: string;
  readonly providerColumn?: string;
  readonly realm: string;
  readonly cookie: SessionCookie;
}): ProviderSignIns {
  const tenant = sql.ref(place.tenantColumn);
  const provider = place.providerColumn === undefined ? null : sql.ref(place.providerColumn);
  return {
    async begin(database, { tenantId, providerId, returnPath, linkedUserId }) {
      const state = newSecret();
      const browser = newSecret();
      await sql`
        insert into provider_sign_ins (state_hash, browser_hash, ${tenant}, realm, return_path, linked_user_id,
          ${provider === null ? sql`` : sql`${provider},`} expires_at)
        values (${state.hash}, ${browser.hash}, ${tenantId}, ${place.realm}, ${sameOriginPath(returnPath)}, ${linkedUserId},
          ${provider === null ? sql`` : sql`${providerId},`} now() + ${lifetimeSeconds} * interval '1 second')`.execute(
        database,
      );
      return {
        checks: checksOf(state.secret, browser.secret),
        cookie: writeSessionCookie(place.cookie, browser.secret, lifetimeSeconds),
      };
    },

    async take(system, state, cookies) {
      const secret = readSessionCookie(cookies, place.cookie);
      if (secret === null) return null;
      const { rows } = await sql<{
        tenant_id: string;
        provider_id: string | null;
        return_path: string;
        linked_user_id: string | null;
      }>`
        delete from provider_sign_ins
        where state_hash = ${hashSecret(state)} and browser_hash = ${hashSecret(secret)} and realm = ${place.realm}
          and expires_at > now()
        returning ${tenant} as tenant_id, ${provider ?? sql`null`} as provider_id, return_path, linked_user_id`.execute(
        system,
      );
      const row = rows[0];
      if (row === undefined) return null;
      return {
        signIn: {
          tenantId: row.tenant_id,
          providerId: row.provider_id ?? undefined,
          returnPath: row.return_path,
          linkedUserId: row.linked_user_id,
        },
        checks: checksOf(state, secret),
      };
    },
  };
}

/** Nonce and code verifier follow from the browser’s secret, so that nobody can read them in the database. */
function checksOf(state: string, browserSecret: string): ProviderChecks {
  const derive = (purpose: string) => hash('sha256', `${purpose} ${state} ${browserSecret}`, 'base64url');
  return { state, nonce: derive('nonce'), codeVerifier: derive('code verifier') };
}

/** A path of these pages; anything else, such as `//elsewhere.example`, becomes the first page. */
export function sameOriginPath(path: string | undefined): string {
  if (path === undefined || path.length > longestReturnPath || !/^\/(?![/\\])/.test(path)) return '/';
  const base = 'https://own.invalid';
  const url = URL.parse(path, base);
  return url?.origin === base ? `${url.pathname}${url.search}${url.hash}` : '/';
}
