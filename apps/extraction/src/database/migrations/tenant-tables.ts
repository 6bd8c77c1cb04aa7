import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

/** Gives tables that carry `account_id` to the service, which sees of them the rows of the account that it works for. */
export async function openTenantTables(database: Kysely<unknown>, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await isolate(database, table, sql.ref('account_id'));
    await openTable(database, table);
  }
}

/** Gives a table to the service. */
export async function openTable(database: Kysely<unknown>, table: string): Promise<void> {
  await sql`grant select, insert, update, delete on ${sql.table(table)} to ${sql.ref(serviceRole)}`.execute(database);
}
