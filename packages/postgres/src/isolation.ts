import { type Kysely, sql } from 'kysely';

/** Shows a connection only the rows of the tenant in its setting `millrace.tenant`; all rows if that is `*`. */
export async function isolate(
  database: Kysely<unknown>,
  table: string,
  key: ReturnType<typeof sql.ref>,
): Promise<void> {
  await sql`alter table ${sql.table(table)} enable row level security`.execute(database);
  await sql`alter table ${sql.table(table)} force row level security`.execute(database);
  // As subqueries the setting is read once a statement, not once a row: counting many rows takes a quarter of the time.
  await sql`create policy tenant on ${sql.table(table)} using (
    ${key} = (select current_setting('millrace.tenant', true))
    or (select current_setting('millrace.tenant', true)) = '*')`.execute(database);
}
