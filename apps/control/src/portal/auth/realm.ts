import { devicesIn } from '@millrace/sign-in/devices';
import { oneTimeCodesIn } from '@millrace/sign-in/one-time-codes';
import { passwordResetsIn } from '@millrace/sign-in/password-resets';
import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import type { Parts } from '../../frame/parts.ts';
import { findPortalPlace, type PortalPlace } from '../../frame/portals.ts';
import { portalSessions } from '../../frame/sessions.ts';
import { resetMinutes } from '../../identity/auth/mails.ts';
import type { Realm } from '../../identity/auth/realm.ts';
import { portalProviders } from '../identity-providers/client.ts';
import { textsIn } from '../mails/languages.ts';
import { findUser, type PortalUserRow, presentProfile, updateUser } from './store.ts';

/** The links by which portal users set their passwords. */
export const portalPasswordResets = passwordResetsIn({
  resets: 'portal_password_resets',
  users: 'portal_users',
  tenantColumn: 'organization_id',
});

/** The users of each organization’s developer portal: the same e-mail address elsewhere is somebody else. */
export function portalRealm({
  sealer,
  devices,
  publicUrl,
}: Pick<Parts, 'sealer' | 'devices' | 'publicUrl'>): Realm<PortalUserRow> {
  const placeOf = (transaction: Kysely<Schema>, organizationId: string): Promise<PortalPlace> =>
    findPortalPlace(transaction, organizationId, publicUrl());
  return {
    kind: 'portal',
    sessionPrefix: 'pss',
    sessionTable: 'portal_sessions',
    sessions: portalSessions,
    oneTimeCodes: oneTimeCodesIn({
      users: 'portal_users',
      recoveryCodes: 'portal_recovery_codes',
      tenantColumn: 'organization_id',
      sealer,
    }),
    passwordResets: portalPasswordResets,
    providers: portalProviders({ sealer, publicUrl }),
    nameOf: (organizationId) => organizationId,
    devicesOf: (organizationId) => devicesIn(devices, organizationId),
    findUser,
    updateUser: (transaction, key, changes) => updateUser(transaction, key, changes),
    present: presentProfile,
    findOrganizationName: async (transaction) => (await placeOf(transaction, transaction.tenantId)).displayName,
    findIssuer: async (transaction) => (await placeOf(transaction, transaction.tenantId)).displayName,
    securityMail: async (transaction, { email: to, organization_id: organizationId, locale }, event) => {
      const { displayName } = await placeOf(transaction, organizationId);
      return { to, organizationId, ...textsIn(locale).security(displayName, event) };
    },
    resetMailer: async (transaction, organizationId) => {
      const { displayName, url } = await placeOf(transaction, organizationId);
      return ({ email: to, locale }, token) => {
        const link = `${url}/reset-password?token=${token}`;
        return { to, ...textsIn(locale).reset(displayName, link, resetMinutes) };
      };
    },
  };
}
