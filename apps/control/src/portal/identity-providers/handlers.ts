import { tenantTransaction } from '@millrace/postgres';
import { nextSecret, registrationOf, secretMissing } from '@millrace/sign-in/provider-configuration';
import { findDeveloper, lockDeveloper } from '../../consumers/developers/store.ts';
import { fieldError, found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import { testProvider } from '../../identity/identity-providers/client.ts';
import { refuseIssuer } from '../../identity/identity-providers/rules.ts';
import { lockAccess } from '../../identity/roles/store.ts';
import { clientOf } from './client.ts';
import type { portalIdentityProviderOperations } from './contract.ts';
import { findProviderPlace } from './place.ts';
import { refuseTakenDomains } from './rules.ts';
import {
  clientSecretContext,
  deleteProvider,
  findProvider,
  portalProviderLinks as links,
  listTakenDomains,
  listUserIds,
  presentProvider,
  upsertProvider,
} from './store.ts';

export function portalIdentityProviderHandlers(parts: Parts): Handlers<typeof portalIdentityProviderOperations> {
  const { sealer, outbound, publicUrl, identityProviders, database } = parts;

  return {
    getPortalIdentityProvider: async ({ params: { developerId } }, { organizationId, transaction }) => {
      found(await findDeveloper(transaction, developerId));
      const provider = await findProvider(transaction, organizationId, developerId);
      return {
        provider: provider && presentProvider(provider),
        ...(await findProviderPlace(transaction, organizationId, developerId, publicUrl())),
      };
    },

    setPortalIdentityProvider: async ({ params: { developerId }, body }, { organizationId, transaction }) => {
      // No two providers get the same domain meanwhile.
      await lockAccess(transaction, organizationId);
      found(await lockDeveloper(transaction, developerId));
      refuseIssuer(body.issuer, outbound);
      refuseTakenDomains(await listTakenDomains(transaction, developerId, body.emailDomains));
      const before = await findProvider(transaction, organizationId, developerId, { lock: true });
      const { clientSecret, ...values } = body;
      const sealedClientSecret = nextSecret(before && registrationOf(before), body, (secret) =>
        sealer.seal(secret, clientSecretContext(organizationId, developerId)),
      );
      if (sealedClientSecret === 'missing') throw fieldError('clientSecret', secretMissing);
      const userIds = await listUserIds(transaction, developerId);
      const isReplaced = before !== null && before.issuer !== body.issuer;
      const nobody = { userId: null, sessionId: null };
      const ended =
        (isReplaced ? await links.endProviderSessions(transaction, organizationId, userIds) : 0) +
        (body.enforced ? await links.endPasswordSessions(transaction, organizationId, nobody, userIds) : 0);
      const after = presentProvider(await upsertProvider(transaction, developerId, { ...values, sealedClientSecret }));
      const notes = [
        ...(clientSecret === undefined ? [] : ['The client secret was replaced.']),
        ...(ended === 0 ? [] : [`${ended} sessions ended.`]),
      ];
      const change = { entityId: developerId, before: before && presentProvider(before), after };
      return { data: after, change: { ...change, note: notes.join(' ') } };
    },

    deletePortalIdentityProvider: async ({ params: { developerId } }, { organizationId, transaction }) => {
      found(await lockDeveloper(transaction, developerId));
      const before = found(await findProvider(transaction, organizationId, developerId, { lock: true }));
      const userIds = await listUserIds(transaction, developerId);
      const endedSessions = await links.endProviderSessions(transaction, organizationId, userIds);
      await deleteProvider(transaction, developerId, userIds);
      const note = `${endedSessions} sessions ended.`;
      const change = { entityId: developerId, before: presentProvider(before), after: null, note };
      return { data: { endedSessions }, change };
    },

    testPortalIdentityProvider: {
      // The provider can take seconds, and no transaction waits for it.
      prepare: async ({ params: { developerId } }, { organizationId }) => {
        const provider = await tenantTransaction(
          database,
          organizationId,
          async (transaction) => found(await findProvider(transaction, organizationId, developerId)),
          { access: 'read only' },
        );
        const result = await testProvider(identityProviders, clientOf(parts, provider));
        return async () => result;
      },
    },
  };
}
