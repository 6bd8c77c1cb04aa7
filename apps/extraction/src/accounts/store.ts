import { hash } from '@node-rs/argon2';
import type { TenantTransaction } from '../database/schema.ts';
import { newId } from '../identifiers.ts';

/** Adds the account that the transaction is of. */
export async function createAccount(transaction: TenantTransaction, name: string): Promise<void> {
  await transaction.insertInto('accounts').values({ id: transaction.tenantId, name }).execute();
}

/** Adds a user; the password is stored as its argon2id hash. Throws where the e-mail address is taken. */
export async function createUser(
  transaction: TenantTransaction,
  user: { readonly email: string; readonly password: string },
): Promise<void> {
  const passwordHash = await hash(user.password);
  await transaction
    .insertInto('users')
    .values({
      id: newId('usr'),
      account_id: transaction.tenantId,
      email: user.email.toLowerCase(),
      password_hash: passwordHash,
      role: 'administrator',
    })
    .execute();
}
