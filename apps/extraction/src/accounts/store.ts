import { hashPassword, passwordFault } from '@millrace/sign-in/passwords';
import type { TenantTransaction, UserRole } from '../database/schema.ts';
import { newId } from '../identifiers.ts';

/** Adds the account that the transaction is of. */
export async function createAccount(transaction: TenantTransaction, name: string): Promise<void> {
  await transaction.insertInto('accounts').values({ id: transaction.tenantId, name }).execute();
}

/** Adds an administrator. Throws where the e-mail address is taken. */
export async function createAdministrator(
  transaction: TenantTransaction,
  user: { readonly email: string; readonly password: string },
): Promise<void> {
  const fault = passwordFault(user.password, { email: user.email, name: '' });
  if (fault !== null) throw new Error(`MILLRACE_ADMIN_PASSWORD: ${fault}`);
  const passwordHash = await hashPassword(user.password);
  await insertUser(transaction, { email: user.email, name: '', role: 'administrator', passwordHash });
}

/**
 * Adds a user; returns the id. Without a password, only an identity provider can sign them in.
 *
 * @throws an error that {@link isAddressTaken} recognizes if a user of any account has the e-mail address
 */
export async function insertUser(
  transaction: TenantTransaction,
  user: {
    readonly email: string;
    readonly name: string;
    readonly role: UserRole;
    readonly passwordHash: string | null;
  },
): Promise<string> {
  const id = newId('usr');
  await transaction
    .insertInto('users')
    .values({
      id,
      account_id: transaction.tenantId,
      email: user.email.toLowerCase(),
      name: user.name,
      password_hash: user.passwordHash,
      role: user.role,
    })
    .execute();
  return id;
}

/** Whether a user was not added since the e-mail address is another's. */
export function isAddressTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'users_email';
}
