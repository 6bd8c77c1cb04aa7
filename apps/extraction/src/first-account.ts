import { randomBytes } from 'node:crypto';
import type { Sealer } from '@millrace/encryption';
import { tenantTransaction } from '@millrace/postgres';
import type { Settings } from '@millrace/settings/extraction';
import { sql } from 'kysely';
import { createAccount, createAdministrator } from './accounts/store.ts';
import type { ExtractionDatabase } from './database/schema.ts';
import { newId } from './identifiers.ts';
import { createKey } from './resources/keys/store.ts';
import { openSecret } from './resources/webhooks/secrets.ts';
import { createPrimarySecret } from './resources/webhooks/store.ts';

/** What the first start shows, this once. */
export interface FirstAccount {
  readonly email: string;
  /** Null where the settings gave it. */
  readonly password: string | null;
  readonly apiKey: string;
  /** Whether the settings gave the key, which then is not shown. */
  readonly apiKeyPreset: boolean;
}

/**
 * Creates the first account, with an administrator, an API key and the primary webhook secret, if nobody can sign in
 * yet; otherwise returns null. Of several processes that start at the same time, one creates it.
 */
export async function createFirstAccount(
  database: ExtractionDatabase,
  settings: Settings,
  secrets: Sealer,
): Promise<FirstAccount | null> {
  const exists = (system: ExtractionDatabase['system']) =>
    system.selectFrom('users').select('id').limit(1).executeTakeFirst();
  if ((await exists(database.system)) !== undefined) return null;
  return database.system.transaction().execute(async (lock) => {
    await sql`select pg_advisory_xact_lock(hashtext('millrace first account'))`.execute(lock);
    if ((await exists(lock)) !== undefined) return null;
    const password = settings.adminPassword ?? randomBytes(15).toString('base64url');
    return tenantTransaction(database, newId('acc'), async (transaction) => {
      await createAccount(transaction, 'Default');
      await createAdministrator(transaction, { email: settings.adminEmail, password });
      await createPrimarySecret(transaction, secrets);
      const preset = settings.apiKey === null ? {} : { raw: settings.apiKey };
      const { raw } = await createKey(transaction, { name: 'First key', ...preset });
      return {
        email: settings.adminEmail,
        password: settings.adminPassword === null ? password : null,
        apiKey: raw,
        apiKeyPreset: settings.apiKey !== null,
      };
    });
  });
}

/**
 * Finds out whether the encryption key is the one in use so far, before anything is written with another.
 *
 * @throws Error that names the setting
 */
export async function checkEncryptionKey(database: ExtractionDatabase, secrets: Sealer): Promise<void> {
  const stored = await database.system
    .selectFrom('webhook_secrets')
    .select(['id', 'secret_encrypted'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (stored === undefined) return;
  try {
    openSecret(secrets, stored);
  } catch (cause) {
    throw new Error(
      'The encryption key (MILLRACE_ENCRYPTION_KEY, or encryption.key in the data folder) is not the one that the stored data is encrypted with. Give that one back.',
      { cause },
    );
  }
}
