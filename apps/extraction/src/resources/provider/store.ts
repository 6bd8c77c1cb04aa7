import { createSealer, type Sealer } from '@millrace/encryption';
import type { TenantTransaction } from '../../database/schema.ts';
import type { Choice } from './rules.ts';

/**
 * Encrypts and decrypts providers' API keys with the service's key; each only opens under its own account.
 *
 * @param encryptionKeys 32 bytes each; the first encrypts, every one decrypts.
 */
export function providerKeySealer(encryptionKeys: readonly Uint8Array[]): Sealer {
  return createSealer(encryptionKeys, 'provider keys');
}

/** What the account has chosen; null where it has chosen nothing. */
export async function findChoice(
  transaction: TenantTransaction,
  sealer: Sealer,
  reach: Choice['reach'],
): Promise<Choice | null> {
  const row = await transaction
    .selectFrom('provider_choices')
    .selectAll()
    .where('account_id', '=', transaction.tenantId)
    .executeTakeFirst();
  if (!row) return null;
  return {
    mode: row.mode,
    kind: row.kind,
    model: row.model,
    baseUrl: row.base_url,
    apiKey: row.api_key_encrypted && sealer.open(row.api_key_encrypted, transaction.tenantId).toString(),
    sendsPictures: row.sends_pictures,
    onFailure: row.on_failure,
    reach,
  };
}

/** Replaces the account's choice. */
export async function saveChoice(
  transaction: TenantTransaction,
  sealer: Sealer,
  choice: Choice,
  userId: string,
): Promise<void> {
  const values = {
    mode: choice.mode,
    kind: choice.kind,
    model: choice.model,
    base_url: choice.baseUrl,
    api_key_encrypted: choice.apiKey === null ? null : sealer.seal(Buffer.from(choice.apiKey), transaction.tenantId),
    sends_pictures: choice.sendsPictures,
    on_failure: choice.onFailure,
    changed_by: userId,
    changed_at: new Date(),
  };
  await transaction
    .insertInto('provider_choices')
    .values({ account_id: transaction.tenantId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute();
}

/** Forgets what the account chose. */
export async function removeChoice(transaction: TenantTransaction): Promise<void> {
  await transaction.deleteFrom('provider_choices').where('account_id', '=', transaction.tenantId).execute();
}
