import { Client, type PoolConfig } from 'pg';

interface Room {
  /** Connections that the server, its database and its user allow, whichever is least. */
  readonly allowed: number;
  /** Of those, in use now. */
  readonly used: number;
}

/**
 * Checks that a server has room for the connections that a process may open.
 *
 * @returns what to warn of; null if there is room
 * @throws Error if the server never has as many
 */
export async function checkConnectionBudget(connection: PoolConfig, connections: number): Promise<string | null> {
  const { allowed, used } = await roomOn(connection);
  if (allowed < connections) {
    throw new Error(
      `PostgreSQL allows ${allowed} connections, fewer than MILLRACE_DATABASE_CONNECTIONS (${connections}). Lower the setting or raise max_connections.`,
    );
  }
  if (used + connections <= allowed) return null;
  return `PostgreSQL allows ${allowed} connections, ${used} are in use, and this process may open ${connections}. Lower MILLRACE_DATABASE_CONNECTIONS, raise max_connections or use PgBouncer.`;
}

async function roomOn(connection: PoolConfig): Promise<Room> {
  const client = new Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    // Unlimited is -1. `reserved_connections` is there from PostgreSQL 16 on.
    const { rows } = await client.query<Room>(`
      select least(
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true)::int, 0),
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = session_user)) as allowed,
      (select count(*)::int from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()) as used`);
    return rows[0]!;
  } finally {
    await client.end();
  }
}
