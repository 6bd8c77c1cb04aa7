import type { Sealer } from '@millrace/encryption';
import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import type { Devices } from '@millrace/sign-in/devices';
import { type IdentityProviders, type ProviderIdentity, ProviderRefused } from '@millrace/sign-in/identity-provider';
import { nextSecret, secretMissing } from '@millrace/sign-in/provider-configuration';
import { noteProviderSession } from '@millrace/sign-in/provider-links';
import { lostSignIn, providerSignInsIn } from '@millrace/sign-in/provider-sign-ins';
import { hashSecret, newSecret } from '@millrace/sign-in/secrets';
import { checkDestination } from '@millrace/webhooks/destination';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { scimStore } from '../../accounts/scim-store.ts';
import { insertUser, isAddressTaken } from '../../accounts/store.ts';
import type { ExtractionDatabase, TenantTransaction } from '../../database/schema.ts';
import type { DashboardCaller, Visitor } from '../../http/dashboard-caller.ts';
import { setDashboardCookie } from '../../http/dashboard-cookie.ts';
import { sessions } from '../../http/dashboard-sessions.ts';
import { ApiError, fieldError } from '../../http/errors.ts';
import { newId } from '../../identifiers.ts';
import { findAccountOfDomain } from '../email-domains/store.ts';
import type { identityProviderOperations, identityProviderVisitorOperations } from './contract.ts';
import { domainOf, placeOf, refuseForeignAddress, refuseLockOut, roleOf, signInRefused } from './rules.ts';
import {
  clientOf,
  countOtherAdministrators,
  findOnlyProvider,
  findProvider,
  findUser,
  findUserIdByEmail,
  links,
  presentProvider,
  recordSignIn,
  registrationOf,
  removeProvider,
  type StoredProvider,
  saveProvider,
  secretContext,
  setEnforcement,
  setRole,
} from './store.ts';

export interface IdentityProviderParts {
  readonly database: ExtractionDatabase;
  readonly identityProviders: IdentityProviders;
  /** Of client secrets and the tokens of sessions. */
  readonly identityProviderSecrets: Sealer;
  readonly settings: { readonly allowPrivateIdentityProviders: boolean };
  /** Where people reach the dashboard, without a slash at the end. */
  readonly dashboardUrl: () => string;
  readonly secureCookies: boolean;
  readonly devices: Devices;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
}

/** Where an account’s provider may be. */
export function reachOf({ allowPrivateIdentityProviders: isAllowed }: IdentityProviderParts['settings']) {
  return { allowLoopback: isAllowed, allowPrivate: isAllowed };
}

function signInsOf({ secureCookies }: Pick<IdentityProviderParts, 'secureCookies'>) {
  const cookie = { name: 'millrace_dashboard_sign_in', secure: secureCookies };
  return providerSignInsIn({ tenantColumn: 'account_id', realm: 'dashboard', cookie });
}

export function identityProviderHandlers(
  parts: IdentityProviderParts,
): Handlers<typeof identityProviderOperations, DashboardCaller> {
  const { database, identityProviderSecrets: sealer, identityProviders, settings, dashboardUrl } = parts;
  const within = <Result>(
    { accountId }: DashboardCaller,
    work: (transaction: TenantTransaction) => Promise<Result>,
  ): Promise<Result> => tenantTransaction(database, accountId, work);

  const shown = async (transaction: TenantTransaction, { accountId, userId }: DashboardCaller) => {
    const provider = await findProvider(transaction, accountId);
    return {
      provider: provider && presentProvider(provider),
      ...placeOf(dashboardUrl(), accountId),
      linked: provider !== null && (await links.hasSignedIn(transaction, accountId, userId, provider.issuer)),
    };
  };

  return {
    async getIdentityProvider(_input, caller) {
      return { status: 200, body: await within(caller, (transaction) => shown(transaction, caller)) };
    },

    async setIdentityProvider({ body }, caller) {
      const destination = checkDestination(body.issuer, reachOf(settings));
      if (!destination.ok) throw fieldError('issuer', destination.reason);
      const answer = await within(caller, async (transaction) => {
        const before = await findProvider(transaction, caller.accountId, { lock: true });
        const secret = nextSecret(before && registrationOf(before), body, (plain) =>
          sealer.seal(plain, secretContext(caller.accountId)),
        );
        if (secret === 'missing') throw fieldError('clientSecret', secretMissing);
        const restarts = before !== null && before.issuer !== body.issuer;
        if (restarts) await links.endProviderSessions(transaction, caller.accountId);
        await saveProvider(transaction, body, { secret, restarts });
        return shown(transaction, caller);
      });
      parts.log.info({ user: caller.userId, issuer: body.issuer }, 'the identity provider was configured');
      return { status: 200, body: answer };
    },

    async removeIdentityProvider(_input, caller) {
      await within(caller, async (transaction) => {
        await links.endProviderSessions(transaction, caller.accountId);
        await removeProvider(transaction);
      });
      parts.log.info({ user: caller.userId }, 'the identity provider was removed');
      return { status: 200, body: {} };
    },

    async testIdentityProvider(_input, caller) {
      const provider = await within(caller, (transaction) => findProvider(transaction, caller.accountId));
      if (provider === null) throw new ApiError('not_found');
      try {
        const { keys, refreshTokens } = await identityProviders.test(clientOf(sealer, provider));
        const rechecks = refreshTokens
          ? 'Disabled users lose their sessions within a minute.'
          : 'It doesn’t announce refresh tokens, so sessions last an hour.';
        const message = `Connected: ${keys} signing ${keys === 1 ? 'key' : 'keys'}. ${rechecks}`;
        return { status: 200, body: { ok: true, message } };
      } catch (error) {
        if (!(error instanceof ProviderRefused)) throw error;
        return { status: 200, body: { ok: false, message: error.message } };
      }
    },

    async enforceIdentityProvider({ body }, caller) {
      const { enforced } = body;
      const breakGlassUserId = enforced ? body.breakGlassUserId : null;
      const answer = await within(caller, async (transaction) => {
        const { accountId, userId, sessionId } = caller;
        const provider = await findProvider(transaction, accountId, { lock: true });
        if (provider === null) throw new ApiError('not_found');
        if (enforced) {
          const hasSignedIn = await links.hasSignedIn(transaction, accountId, userId, provider.issuer);
          const user = breakGlassUserId === null ? null : await findUser(transaction, breakGlassUserId);
          refuseLockOut(provider, hasSignedIn, user);
          await links.endPasswordSessions(transaction, accountId, { userId: breakGlassUserId, sessionId });
        }
        await setEnforcement(transaction, { enforced, breakGlassUserId });
        return shown(transaction, caller);
      });
      parts.log.info({ user: caller.userId, enforced }, 'enforcement of the identity provider was changed');
      return { status: 200, body: answer };
    },

    async linkIdentityProvider(_input, caller) {
      const provider = await within(caller, (transaction) => findProvider(transaction, caller.accountId));
      if (provider === null) throw new ApiError('not_found');
      const begun = await begin(parts, provider, { returnPath: '/settings/sign-in', linkedUserId: caller.userId });
      return { status: 200, body: { url: begun.url }, headers: { 'set-cookie': begun.cookie } };
    },
  };
}

export function identityProviderVisitorHandlers(
  parts: IdentityProviderParts,
): Handlers<typeof identityProviderVisitorOperations, Visitor> {
  const { database, identityProviders, identityProviderSecrets: sealer, dashboardUrl, secureCookies, devices } = parts;
  const { system } = database;
  const signIns = signInsOf(parts);

  const findByAddress = async (email: string) => {
    const domain = domainOf(email);
    const accountId = await findAccountOfDomain(system, domain);
    const provider = accountId === null ? null : await findProvider(system, accountId);
    return provider?.email_domains.includes(domain) ? provider : null;
  };

  return {
    async findSignInProvider({ body: { organization, email } }) {
      const provider =
        organization !== undefined
          ? await findProvider(system, organization)
          : ((email === undefined ? null : await findByAddress(email)) ?? (await findOnlyProvider(system)));
      if (provider === null) return { status: 200, body: { provider: null } };
      const { account_id: accountId, name, enforced } = provider;
      return { status: 200, body: { provider: { organization: accountId, name, enforced } } };
    },

    async startProviderSignIn({ body }) {
      const provider = await findProvider(system, body.organization);
      if (provider === null) throw new ApiError('not_found');
      const signIn = { returnPath: body.next ?? '/', linkedUserId: null };
      const { url, cookie } = await begin(parts, provider, signIn, body.email);
      return { status: 200, body: { url }, headers: { 'set-cookie': cookie } };
    },

    /** Code exchanged → user found or created → session begun. */
    async finishProviderSignIn({ body }, visitor) {
      const parameters = new URLSearchParams(body.parameters);
      const taken = await signIns.take(system, parameters.get('state') ?? '', visitor.cookies);
      if (taken === null) {
        throw signInRefused(lostSignIn);
      }
      const { tenantId: accountId, linkedUserId, returnPath } = taken.signIn;
      const provider = await findProvider(system, accountId);
      if (provider === null) throw signInRefused('The identity provider was removed meanwhile. Use your password.');
      if (linkedUserId !== null && linkedUserId !== (await findSignedInUser(parts, visitor.sessionToken))) {
        throw signInRefused('You signed out meanwhile. Sign in again, then link your account.');
      }
      const identity = await identityProviders
        .finish(clientOf(sealer, provider), parameters, {
          redirectUri: placeOf(dashboardUrl(), accountId).redirectUri,
          ...taken.checks,
          groupsClaim: provider.groups_claim,
        })
        .catch((error: unknown) => {
          parts.log.warn({ error, account: accountId }, 'a sign-in by an identity provider was refused');
          throw error instanceof ProviderRefused ? signInRefused(error.message, error) : error;
        });
      if (visitor.sessionToken !== null) await sessions.endOfToken(system, visitor.sessionToken);
      const { secret, hash } = newSecret();
      const user = await tenantTransaction(database, accountId, async (transaction) => {
        const admitted = await admit(transaction, provider, identity, linkedUserId);
        if (!(await recordSignIn(transaction, admitted.id))) {
          throw signInRefused('Your account here is disabled. Ask an administrator.');
        }
        const { address, userAgent } = visitor;
        const sessionId = newId('ses');
        await sessions.begin(transaction, accountId, admitted.id, {
          id: sessionId,
          tokenHash: hash,
          address,
          userAgent,
        });
        const session = {
          tenantId: accountId,
          sessionId,
          userId: admitted.id,
          recheckSeconds: provider.recheck_seconds,
        };
        await noteProviderSession({ links, sealer }, transaction, session, identity, new Date());
        return admitted;
      });
      parts.log.info({ user: user.id, address: visitor.address }, 'signed in by an identity provider');
      const device = devices.write(user.email, devices.read(visitor.cookies, user.email));
      const setCookies = [setDashboardCookie(secret, secureCookies), device];
      return { status: 200, body: { next: returnPath }, headers: { 'set-cookie': setCookies } };
    },
  };
}

/** Begins a sign-in at a provider, bound to this browser by a cookie. */
async function begin(
  parts: IdentityProviderParts,
  provider: StoredProvider,
  { returnPath, linkedUserId }: { readonly returnPath: string; readonly linkedUserId: string | null },
  loginHint?: string,
): Promise<{ readonly url: string; readonly cookie: string }> {
  const { account_id: tenantId } = provider;
  const { checks, cookie } = await signInsOf(parts).begin(parts.database.system, {
    tenantId,
    returnPath,
    linkedUserId,
  });
  const url = await parts.identityProviders
    .authorizationUrl(clientOf(parts.identityProviderSecrets, provider), {
      redirectUri: placeOf(parts.dashboardUrl(), tenantId).redirectUri,
      scopes: provider.scopes,
      ...checks,
      loginHint,
    })
    .catch((error: unknown) => {
      throw error instanceof ProviderRefused
        ? new ApiError('invalid_request', { message: error.message, cause: error })
        : error;
    });
  return { url, cookie };
}

/** The user whom a session’s token is of; null if it is of none. */
async function findSignedInUser({ database }: IdentityProviderParts, token: string | null): Promise<string | null> {
  if (token === null) return null;
  const tokenHash = hashSecret(token);
  const { rows } = await sql<{ user_id: string }>`
    select user_id from sessions where (token_hash = ${tokenHash} or previous_token_hash = ${tokenHash})
      and ${sessions.live()}`.execute(database.system);
  return rows[0]?.user_id ?? null;
}

/**
 * The user of the account who somebody is at its provider: linked before, linked now, or created now. Their role follows
 * from the groups that the provider states; the last administrator and the break-glass one keep theirs.
 *
 * @throws ApiError `sign_in_failed`
 */
async function admit(
  transaction: TenantTransaction,
  provider: StoredProvider,
  identity: ProviderIdentity,
  linkedUserId: string | null,
): Promise<{ readonly id: string; readonly email: string }> {
  const { tenantId: accountId } = transaction;
  refuseForeignAddress(provider.email_domains, identity);
  const role = roleOf(provider, identity);
  const linked = await links.find(transaction, accountId, identity);
  if (linkedUserId !== null && linked !== null && linked !== linkedUserId) {
    throw signInRefused(`Another user here is linked to this account at ${provider.name}. Sign in there as yourself.`);
  }
  const known = linkedUserId ?? linked ?? (await findUnlinked(transaction, provider, identity));
  if (known === null) return createUser(transaction, provider, identity, role ?? 'member');
  if (linked === null) await links.link(transaction, accountId, known, identity);
  const user = await findUser(transaction, known);
  if (user === null) throw signInRefused('Your account here was removed. Ask an administrator.');
  const isKept =
    provider.break_glass_user_id === user.id ||
    (user.role === 'administrator' && (await countOtherAdministrators(transaction, user.id)) === 0);
  if (role !== null && role !== user.role && !isKept) await setRole(transaction, user.id, role);
  return user;
}

/**
 * Someone whom the provider may speak for although it never signed them in: it provisioned them under this id, or their
 * address is the account’s, by a domain that its DNS has verified.
 */
async function findUnlinked(
  transaction: TenantTransaction,
  provider: StoredProvider,
  { subject, otherIds, email, emailVerified }: ProviderIdentity,
): Promise<string | null> {
  const provisioned = await scimStore.findUserId(transaction, [subject, ...otherIds]);
  if (provisioned !== null || email === null || !emailVerified) return provisioned;
  const domain = domainOf(email);
  if (!provider.email_domains.includes(domain)) return null;
  if ((await findAccountOfDomain(transaction, domain)) !== transaction.tenantId) return null;
  return findUserIdByEmail(transaction, email);
}

async function createUser(
  transaction: TenantTransaction,
  provider: StoredProvider,
  identity: ProviderIdentity,
  role: 'administrator' | 'member',
): Promise<{ readonly id: string; readonly email: string }> {
  const { email, emailVerified, name } = identity;
  if (!provider.creates_users || email === null) {
    throw signInRefused('You have no account here. Ask an administrator to invite you.');
  }
  if (!emailVerified) throw signInRefused(`Nobody has verified ${email}. Ask your administrator at ${provider.name}.`);
  const user = { email, name: (name ?? '').slice(0, 100), role, passwordHash: null };
  const id = await insertUser(transaction, user).catch((error: unknown) => {
    if (!isAddressTaken(error)) throw error;
    throw signInRefused(
      `${email} has an account already. Sign in with its password and link it under Settings › Sign-in.`,
    );
  });
  await links.link(transaction, transaction.tenantId, id, identity);
  return { id, email };
}
