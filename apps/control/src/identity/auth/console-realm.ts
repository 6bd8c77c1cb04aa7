import { oneTimeCodesIn } from '@millrace/sign-in/one-time-codes';
import type { Selectable } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import type { Parts } from '../../frame/parts.ts';
import { sessions } from '../../frame/sessions.ts';
import { consoleProviders } from '../identity-providers/realm.ts';
import { resetMail, securityMail } from './mails.ts';
import type { Realm, SecurityEvent } from './realm.ts';
import { findHomeOrganization, findUser, passwordResets, presentProfile, updateUser } from './store.ts';

const events: Readonly<Record<SecurityEvent, string>> = {
  password_changed: 'Your password was changed',
  codes_on: 'One-time codes were turned on for your account',
  codes_off: 'One-time codes were turned off for your account',
};

/** The console's users, of all organizations. */
export function consoleRealm({
  sealer,
  devices,
  publicUrl,
}: Pick<Parts, 'sealer' | 'devices' | 'publicUrl'>): Realm<Selectable<Schema['users']>> {
  return {
    kind: 'console',
    sessionPrefix: 'ses',
    sessionTable: 'sessions',
    sessions,
    oneTimeCodes: oneTimeCodesIn({
      users: 'users',
      recoveryCodes: 'mfa_recovery_codes',
      tenantColumn: 'organization_id',
      sealer,
    }),
    passwordResets,
    providers: consoleProviders({ sealer, publicUrl }),
    nameOf: () => '',
    devicesOf: () => devices,
    findUser,
    updateUser,
    present: presentProfile,
    findOrganizationName: async (transaction) => (await findHomeOrganization(transaction)).displayName,
    findIssuer: async () => 'Millrace',
    securityMail: async (_transaction, { email, organization_id: organizationId }, event) =>
      securityMail({ email, organizationId }, events[event]),
    resetMailer:
      async () =>
      ({ email, organization_id: organizationId }, token) =>
        resetMail({ email, organizationId }, `${publicUrl()}/reset-password?token=${token}`),
  };
}
