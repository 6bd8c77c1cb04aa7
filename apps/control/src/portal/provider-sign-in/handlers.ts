import { noteProviderSession } from '@millrace/sign-in/provider-links';
import { lostSignIn, providerSignInsIn } from '@millrace/sign-in/provider-sign-ins';
import { ApiError, found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import { ownAccount } from '../../identity/auth/own-account.ts';
import { recordProviderSignIn } from '../../identity/auth/store.ts';
import { domainOf } from '../../identity/identity-providers/rules.ts';
import { auditingFailure, signedOutMeanwhile, unusable } from '../../identity/provider-sign-in/refusals.ts';
import { portalRealm } from '../auth/realm.ts';
import { findAccountById, findCurrentSession } from '../auth/store.ts';
import { clientOf } from '../identity-providers/client.ts';
import { findProviderPlace } from '../identity-providers/place.ts';
import { signInRefused } from '../identity-providers/rules.ts';
import {
  findChoice,
  findProvider,
  portalProviderLinks as links,
  type PortalProviderRow,
} from '../identity-providers/store.ts';
import type { portalProviderSignInOperations } from './contract.ts';
import { admitPortalUser, suspended } from './member.ts';

const attempted = { operation: 'finishPortalProviderSignIn', entityType: 'portal_session' } as const;

export function portalProviderSignInHandlers(parts: Parts): Handlers<typeof portalProviderSignInOperations> {
  const { identityProviders, sealer, publicUrl } = parts;
  const { system } = parts.database;
  const realm = portalRealm(parts);
  const own = ownAccount(parts, realm);
  const signIns = providerSignInsIn({
    tenantColumn: 'organization_id',
    providerColumn: 'developer_id',
    realm: 'portal',
    cookie: { name: 'millrace_portal_sign_in', secure: parts.secureCookies },
  });
  const redirectUriOf = async ({ organization_id: organizationId, developer_id: developerId }: PortalProviderRow) =>
    (await findProviderPlace(system, organizationId, developerId, publicUrl())).redirectUri;

  return {
    findPortalSignInProvider: async ({ body: { developerId, email } }, { organizationId, transaction }) => {
      const named =
        developerId !== undefined ? { developerId } : email === undefined ? null : { domain: domainOf(email) };
      const choice = named && (await findChoice(transaction, organizationId, named));
      if (choice === null) return { provider: null };
      return { provider: { developerId: choice.developer_id, name: choice.name, enforced: choice.enforced } };
    },

    startPortalProviderSignIn: {
      // The provider’s metadata can take seconds, and no transaction waits for it.
      prepare: async ({ body }, { caller, organizationId }) => {
        const provider = found(await findChoice(system, organizationId, body));
        if (body.link && caller?.developerId !== provider.developer_id) {
          throw new ApiError('not_signed_in', { message: 'Sign in to your developer account first, then link it.' });
        }
        const { checks, cookie } = await signIns.begin(system, {
          tenantId: organizationId,
          providerId: provider.developer_id,
          returnPath: body.next ?? '/account',
          linkedUserId: body.link ? caller!.id : null,
        });
        const url = await identityProviders
          .authorizationUrl(clientOf(parts, provider), {
            redirectUri: await redirectUriOf(provider),
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

    finishPortalProviderSignIn: {
      prepare: async ({ body }, { caller, organizationId, origin, now }) => {
        const parameters = new URLSearchParams(body.parameters);
        const taken = await signIns.take(system, parameters.get('state') ?? '', origin.cookies);
        // A sign-in is worth nothing in another organization’s portal.
        if (taken?.signIn.tenantId !== organizationId) throw signInRefused(lostSignIn);
        const { providerId: developerId = '', linkedUserId, returnPath } = taken.signIn;
        const provider = found(await findChoice(system, organizationId, { developerId }));
        const attempt = { ...attempted, organizationId, origin, now };
        const { identity, account } = await auditingFailure(parts, attempt, async () => {
          if (linkedUserId !== null && linkedUserId !== caller?.id) throw signedOutMeanwhile();
          const stated = await identityProviders.finish(clientOf(parts, provider), parameters, {
            redirectUri: await redirectUriOf(provider),
            ...taken.checks,
            groupsClaim: provider.groups_claim,
          });
          const admitted = await admitPortalUser(parts, { organizationId, developerId, linkedUserId }, stated);
          return { identity: stated, account: await findActive(organizationId, admitted) };
        });
        return async ({ transaction, setHeader }) => {
          const user = { organizationId, userId: account.id };
          if (!(await recordProviderSignIn(transaction, 'portal_users', user, now))) throw suspended();
          const deviceId = realm.devicesOf(organizationId).read(origin.cookies, account.email);
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
          return {
            data: { session: await findCurrentSession(transaction, account.id, sessionId), next: returnPath },
            change: { ...change, note: `By ${provider.name}.` },
          };
        };
      },
    },

    getOwnPortalProvider: async (_input, { caller, organizationId, transaction }) => {
      const provider = await findProvider(transaction, organizationId, caller.developerId);
      if (provider === null) return { provider: null, linked: false };
      const { name, enforced, issuer } = provider;
      return {
        provider: { name, enforced },
        linked: await links.hasSignedIn(transaction, organizationId, caller.id, issuer),
      };
    },
  };

  async function findActive(organizationId: string, userId: string) {
    const account = await findAccountById(system, organizationId, userId);
    if (account?.state !== 'active' || account.developer_state !== 'active') throw suspended();
    return account;
  }
}
