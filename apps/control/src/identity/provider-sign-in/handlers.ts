import { noteProviderSession } from '@millrace/sign-in/provider-links';
import { lostSignIn, providerSignInsIn } from '@millrace/sign-in/provider-sign-ins';
import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import { ApiError, found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import { consoleRealm } from '../auth/console-realm.ts';
import { ownAccount } from '../auth/own-account.ts';
import { type Account, findAccountByKey, findCurrentSession, recordProviderSignIn } from '../auth/store.ts';
import { clientOf } from '../identity-providers/client.ts';
import { placeOf } from '../identity-providers/place.ts';
import { domainOf } from '../identity-providers/rules.ts';
import { findChoice, findProvider, providerLinks } from '../identity-providers/store.ts';
import type { providerSignInOperations } from './contract.ts';
import { admitMember } from './member.ts';
import { auditingFailure, signedOutMeanwhile, unusable } from './refusals.ts';

const realm = 'console';
const links = providerLinks;
const attempted = { operation: 'finishProviderSignIn', entityType: 'session' } as const;

export function providerSignInHandlers(parts: Parts): Handlers<typeof providerSignInOperations> {
  const { database, identityProviders, sealer, publicUrl } = parts;
  const { system } = database;
  const own = ownAccount(parts, consoleRealm(parts));
  const signIns = providerSignInsIn({
    tenantColumn: 'organization_id',
    realm,
    cookie: { name: 'millrace_sign_in', secure: parts.secureCookies },
  });
  const redirectUri = () => placeOf(publicUrl(), '', '').redirectUri;

  return {
    findSignInProvider: async ({ body: { organization, email } }, { transaction }) => {
      const named =
        organization !== undefined ? { organization } : email === undefined ? null : { domain: domainOf(email) };
      const choice = named && (await findChoice(transaction, named));
      if (choice === null) return { provider: null };
      const { name, enforced } = choice.provider;
      return { provider: { organization: choice.organization, name, enforced } };
    },

    startProviderSignIn: {
      // The provider’s metadata can take seconds, and no transaction waits for it.
      prepare: async ({ body }, { caller }) => {
        const { provider } = found(await findChoice(system, { organization: body.organization }));
        const organizationId = provider.organization_id;
        if (body.link && (caller?.kind !== 'user' || caller.homeOrganizationId !== organizationId)) {
          throw new ApiError('not_signed_in', {
            message: 'Sign in to the organization first, then link your account.',
          });
        }
        const { checks, cookie } = await signIns.begin(system, {
          tenantId: organizationId,
          returnPath: body.next ?? '/',
          linkedUserId: body.link ? caller!.id : null,
        });
        const url = await identityProviders
          .authorizationUrl(clientOf(parts, provider), {
            redirectUri: redirectUri(),
            scopes: provider.scopes,
            ...checks,
            loginHint: body.email,
          })
          .catch(unusable);
        return async ({ setHeader }) => {
          setHeader('set-cookie', cookie);
          return { url };
        };
      },
    },

    finishProviderSignIn: {
      prepare: async ({ body }, { caller, origin, now }) => {
        const parameters = new URLSearchParams(body.parameters);
        const taken = await signIns.take(system, parameters.get('state') ?? '', origin.cookies);
        if (taken === null) {
          throw new ApiError('sign_in_failed', { message: lostSignIn });
        }
        const { tenantId: organizationId, linkedUserId, returnPath } = taken.signIn;
        const provider = found(await findProvider(system, organizationId));
        const attempt = { ...attempted, organizationId, origin, now };
        const { identity, account } = await auditingFailure(parts, attempt, async () => {
          if (linkedUserId !== null && linkedUserId !== caller?.id) throw signedOutMeanwhile();
          const stated = await identityProviders.finish(clientOf(parts, provider), parameters, {
            redirectUri: redirectUri(),
            ...taken.checks,
            groupsClaim: provider.groups_claim,
          });
          const userId = await admitMember(parts, organizationId, stated, linkedUserId);
          return { identity: stated, account: await findActive(system, { organizationId, userId }) };
        });
        return async ({ transaction, setHeader }) => {
          const user = { organizationId, userId: account.id };
          if (!(await recordProviderSignIn(transaction, 'users', user, now))) throw suspended();
          const deviceId = parts.devices.read(origin.cookies, account.email);
          const browser = { caller, origin, now, deviceId };
          const { sessionId, change } = await own.beginSession(account, browser, { transaction, setHeader });
          const begun = { tenantId: organizationId, userId: account.id, sessionId };
          await noteProviderSession(
            { links, sealer },
            transaction,
            { ...begun, recheckSeconds: provider.recheck_seconds },
            identity,
            now,
          );
          const session = await findCurrentSession(transaction, user, sessionId);
          return {
            data: { session: { ...session, dashboardUrl: parts.dashboardUrl() }, next: returnPath },
            change: { ...change, note: `By ${provider.name}.` },
          };
        };
      },
    },
  };
}

async function findActive(system: Kysely<Schema>, key: Parameters<typeof findAccountByKey>[1]): Promise<Account> {
  const account = await findAccountByKey(system, key);
  if (account?.state !== 'active' || account.organization_state !== 'active') throw suspended();
  return account;
}

function suspended(): ApiError {
  return new ApiError('sign_in_failed', { message: 'Your account here is suspended. Ask your administrator.' });
}
