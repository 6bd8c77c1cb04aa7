import { insertDeveloper, lockDeveloperByEmail } from '../../consumers/developers/store.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { conflictsAt } from '../../frame/database-errors.ts';
import type { PortalUserRow } from '../auth/store.ts';
import { hasUsers, insertUser } from '../users/store.ts';
import { refuseOwnedAccount } from './rules.ts';
import type { RegistrationRow } from './store.ts';

/**
 * Makes the registrant a portal user, as the owner of a developer account of their own: of the one that an operator made
 * for this e-mail address, which the registrant owns, or of another one.
 *
 * @throws ApiError `conflict` if the address was given an account meanwhile
 */
export async function admit(
  transaction: TenantTransaction,
  { email, name, company, locale, password_hash }: RegistrationRow,
): Promise<PortalUserRow> {
  const existing = await lockDeveloperByEmail(transaction, email);
  if (existing !== null) {
    refuseOwnedAccount({ state: existing.state, hasUsers: await hasUsers(transaction, existing.id) });
  }
  const { id: developerId } =
    existing ??
    (await conflictsAt(insertDeveloper(transaction, { email, name, company, billing: null }), {
      developers_organization_id_email_key: [null, 'This e-mail address already has an account. Sign in with it.'],
    }));
  return insertUser(transaction, { developerId, email, name, role: 'owner', locale, passwordHash: password_hash });
}
