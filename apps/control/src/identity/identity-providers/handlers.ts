import { tenantTransaction } from '@millrace/postgres';
import { nextSecret, registrationOf, secretMissing } from '@millrace/sign-in/provider-configuration';
import { fieldError, found, foundAt } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import { refuseRoles } from '../roles/rules.ts';
import { findGrants, lockAccess } from '../roles/store.ts';
import { clientOf, testProvider } from './client.ts';
import type { identityProviderOperations } from './contract.ts';
import { placeOf } from './place.ts';
import { refuseBreakGlassUser, refuseIssuer, refuseLesserCaller, refuseLockOut, refuseSuperAdmin } from './rules.ts';
import {
  clientSecretContext,
  deleteProvider,
  findMember,
  findOrganizationName,
  findProvider,
  presentProvider,
  providerLinks,
  setEnforcement,
  upsertProvider,
} from './store.ts';

const links = providerLinks;

export function identityProviderHandlers(parts: Parts): Handlers<typeof identityProviderOperations> {
  const { sealer, outbound, publicUrl, identityProviders, database } = parts;

  return {
    getIdentityProvider: async (_input, { caller, organizationId, transaction }) => {
      const provider = await findProvider(transaction, organizationId);
      const name = await findOrganizationName(transaction, organizationId);
      return {
        provider: provider && presentProvider(provider),
        ...placeOf(publicUrl(), organizationId, name),
        linked: provider !== null && (await links.hasSignedIn(transaction, organizationId, caller.id, provider.issuer)),
      };
    },

    setIdentityProvider: async ({ body }, { caller, organizationId, transaction }) => {
      const organization = await lockAccess(transaction, organizationId);
      refuseLesserCaller(caller);
      refuseIssuer(body.issuer, outbound);
      refuseSuperAdmin(body.defaultRoleIds, 'defaultRoleIds');
      for (const [index, { roleIds }] of body.groupRoles.entries()) {
        refuseSuperAdmin(roleIds, `groupRoles.${index}.roleIds`);
      }
      const roleIds = [...new Set([...body.defaultRoleIds, ...body.groupRoles.flatMap((mapped) => mapped.roleIds)])];
      refuseRoles(caller, roleIds, await findGrants(transaction, organizationId, roleIds), organization);
      const before = await findProvider(transaction, organizationId, { lock: true });
      const { clientSecret, ...values } = body;
      const sealedClientSecret = nextSecret(before && registrationOf(before), body, (secret) =>
        sealer.seal(secret, clientSecretContext(organizationId)),
      );
      if (sealedClientSecret === 'missing') throw fieldError('clientSecret', secretMissing);
      const restarts = before !== null && before.issuer !== body.issuer;
      const ended = restarts ? await links.endProviderSessions(transaction, organizationId) : 0;
      const after = presentProvider(
        await upsertProvider(transaction, {
          ...values,
          sealedClientSecret,
          configuredBy: caller.userIds,
          restarts,
        }),
      );
      const notes = [
        ...(clientSecret === undefined ? [] : ['The client secret was replaced.']),
        ...(ended === 0 ? [] : [`${ended} sessions ended.`]),
      ];
      const change = { entityId: organizationId, before: before && presentProvider(before), after };
      return { data: after, change: { ...change, note: notes.join(' ') } };
    },

    deleteIdentityProvider: async (_input, { organizationId, transaction }) => {
      const before = found(await findProvider(transaction, organizationId, { lock: true }));
      const endedSessions = await links.endProviderSessions(transaction, organizationId);
      await deleteProvider(transaction);
      return {
        data: { endedSessions },
        change: {
          entityId: organizationId,
          before: presentProvider(before),
          after: null,
          note: `${endedSessions} sessions ended.`,
        },
      };
    },

    testIdentityProvider: {
      // The provider can take seconds, and no transaction waits for it.
      prepare: async (_input, { organizationId }) => {
        const provider = await tenantTransaction(
          database,
          organizationId,
          async (transaction) => found(await findProvider(transaction, organizationId)),
          { access: 'read only' },
        );
        const result = await testProvider(identityProviders, clientOf(parts, provider));
        return async () => result;
      },
    },

    enforceIdentityProvider: async ({ body }, { caller, organizationId, transaction }) => {
      await lockAccess(transaction, organizationId);
      refuseLesserCaller(caller);
      const before = found(await findProvider(transaction, organizationId, { lock: true }));
      const { enforced } = body;
      const breakGlassUserId = enforced ? body.breakGlassUserId : null;
      let ended = 0;
      if (enforced) {
        if (breakGlassUserId === null) {
          throw fieldError('breakGlassUserId', 'Choose the administrator who may still sign in with a password.');
        }
        const member = foundAt('breakGlassUserId', 'User', await findMember(transaction, breakGlassUserId));
        // A service account never signs in: that somebody did has to do.
        const who = caller.kind === 'user' ? caller.id : null;
        refuseLockOut(await links.hasSignedIn(transaction, organizationId, who, before.issuer), before.name);
        refuseBreakGlassUser(member);
        ended = await links.endPasswordSessions(transaction, organizationId, {
          userId: breakGlassUserId,
          sessionId: caller.sessionId,
        });
      }
      const after = presentProvider(await setEnforcement(transaction, { enforced, breakGlassUserId }));
      const change = { entityId: organizationId, before: presentProvider(before), after };
      return { data: after, change: { ...change, note: ended === 0 ? '' : `${ended} sessions ended.` } };
    },
  };
}
