import { randomBytes } from 'node:crypto';
import { type QueryExecutorProvider, sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { newId } from '../../identifiers.ts';

export interface StoredDomain {
  readonly id: string;
  readonly domain: string;
  readonly token: string;
  readonly verified_at: Date | null;
  readonly checked_at: Date | null;
  readonly problem: string | null;
}

const columns = sql`id, domain, token, verified_at, checked_at, problem`;

export async function listDomains(transaction: TenantTransaction): Promise<readonly StoredDomain[]> {
  const { rows } = await sql<StoredDomain>`
    select ${columns} from email_domains where account_id = ${transaction.tenantId} order by domain`.execute(
    transaction,
  );
  return rows;
}

export async function findDomain(transaction: TenantTransaction, id: string): Promise<StoredDomain | null> {
  const { rows } = await sql<StoredDomain>`
    select ${columns} from email_domains where account_id = ${transaction.tenantId} and id = ${id}`.execute(
    transaction,
  );
  return rows[0] ?? null;
}

/** @throws an error that {@link isDomainTaken} recognizes if the account has the domain already */
export async function insertDomain(transaction: TenantTransaction, domain: string): Promise<StoredDomain> {
  const { rows } = await sql<StoredDomain>`
    insert into email_domains (id, account_id, domain, token)
    values (${newId('emd')}, ${transaction.tenantId}, ${domain}, ${randomBytes(16).toString('hex')})
    returning ${columns}`.execute(transaction);
  return rows[0]!;
}

/**
 * Notes the result of a look-up; what was verified once stays so.
 *
 * @param problem null: the record is there
 * @returns null if the domain was removed meanwhile
 * @throws an error that {@link isDomainTaken} recognizes if another account has verified the domain
 */
export async function noteLookup(
  transaction: TenantTransaction,
  id: string,
  problem: string | null,
): Promise<StoredDomain | null> {
  const { rows } = await sql<StoredDomain>`
    update email_domains set checked_at = now(), problem = ${problem},
      verified_at = case when ${problem}::text is null then coalesce(verified_at, now()) else verified_at end
    where account_id = ${transaction.tenantId} and id = ${id} returning ${columns}`.execute(transaction);
  return rows[0] ?? null;
}

/** Removes a domain; false if there is none of this id. */
export async function deleteDomain(transaction: TenantTransaction, id: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from email_domains where account_id = ${transaction.tenantId} and id = ${id}`.execute(transaction);
  return numAffectedRows === 1n;
}

/** The account that has verified a domain; null: none. */
export async function findAccountOfDomain(system: QueryExecutorProvider, domain: string): Promise<string | null> {
  const { rows } = await sql<{ account_id: string }>`
    select account_id from email_domains where domain = ${domain} and verified_at is not null`.execute(system);
  return rows[0]?.account_id ?? null;
}

/** Why a domain was not written: this account has it already, or another one has verified it; null: neither. */
export function isDomainTaken(error: unknown): 'here' | 'elsewhere' | null {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : null;
  if (constraint === 'email_domain_names') return 'here';
  return constraint === 'email_domains_verified' ? 'elsewhere' : null;
}
