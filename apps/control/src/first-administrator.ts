import { randomBytes } from 'node:crypto';
import { newId } from '@millrace/identifiers';
import type { Settings } from '@millrace/settings/control';
import { hashPassword, passwordFault } from '@millrace/sign-in/passwords';
import { type Kysely, sql } from 'kysely';
import type { ControlDatabase, Schema } from './database/schema.ts';

/** What the first start shows, this once. */
export interface FirstAdministrator {
  readonly email: string;
  /** Null where the settings gave it. */
  readonly password: string | null;
}

/**
 * Makes the organization of those who run the platform, with a Super Admin in it, where there is neither a user nor
 * such an organization yet. Returns null where there is: of several processes that start at once, one makes it.
 */
export async function createFirstAdministrator(
  { database }: { readonly database: ControlDatabase },
  settings: Pick<Settings, 'adminEmail' | 'adminPassword'>,
): Promise<FirstAdministrator | null> {
  if (await isSetUp(database.system)) return null;
  const { adminEmail: email, adminPassword } = settings;
  const password = adminPassword ?? randomBytes(15).toString('base64url');
  const fault = passwordFault(password, { email, name: 'Administrator' });
  if (fault !== null) throw new Error(`MILLRACE_ADMIN_PASSWORD: ${fault}`);
  const passwordHash = await hashPassword(password);
  return database.system.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext('millrace first administrator'))`.execute(transaction);
    if (await isSetUp(transaction)) return null;
    const organizationId = newId('org');
    const userId = newId('usr');
    await transaction
      .insertInto('organizations')
      .values({ id: organizationId, name: 'platform', display_name: 'Platform', platform: true })
      .execute();
    await transaction
      .insertInto('users')
      .values({
        id: userId,
        organization_id: organizationId,
        email,
        name: 'Administrator',
        password_hash: passwordHash,
      })
      .execute();
    await transaction
      .insertInto('user_roles')
      .values({ organization_id: organizationId, user_id: userId, role_id: 'super_admin' })
      .execute();
    return { email, password: adminPassword === null ? password : null };
  });
}

async function isSetUp(system: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ set_up: boolean }>`
    select exists (select from users) or exists (select from organizations where platform) as set_up`.execute(system);
  return rows[0]!.set_up;
}
