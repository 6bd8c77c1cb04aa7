import { Socket } from 'node:net';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { Pool, type PoolConfig } from 'pg';
import { runNamed } from './statement-group.ts';
import { type LastStatement, openTenantConnections, type TenantConnection } from './tenant-connections.ts';

/** The role that the services work as: neither owner of a table nor superuser, so that row-level security binds it. */
export const serviceRole = 'millrace_service';

/**
 * An open database. It is used in one of two ways, which the types keep apart:
 * a store takes a {@link TenantTransaction} and sees one account's rows; what works across accounts by its nature
 * (authentication, claiming from a queue, metrics, clean-up) takes `system`.
 */
export interface Database<Schema> {
  /** Statements across all accounts, each on a connection of its own or in `system.transaction()`. */
  readonly system: Kysely<Schema>;
  /** Lends a connection to {@link tenantTransaction}, which alone tells it whose rows it sees. */
  lendTenantConnection(): Promise<TenantConnection<Schema>>;
  /**
   * Runs a statement across all accounts that the server plans once per connection, not at each call. For the few that
   * every call runs; the text of a name never changes.
   */
  prepared<Row extends object>(
    statement: PreparedStatement<Row>,
    parameters: readonly unknown[],
  ): Promise<readonly Row[]>;
  /** Ends all connections, after the statements under way. */
  close(): Promise<void>;
}

/** A statement whose rows are such: a name of its own, and its text with `$1` and so on for its parameters. */
export interface PreparedStatement<Row extends object> {
  readonly name: string;
  readonly text: string;
  readonly row?: Row;
}

export type { LastStatement } from './tenant-connections.ts';

declare const tenantScoped: unique symbol;

/** A transaction that sees the rows of one account, and of no other. Only {@link tenantTransaction} makes one. */
export type TenantTransaction<Schema> = Kysely<Schema> & {
  readonly [tenantScoped]: true;
  /** The account's id, for the explicit filter that every query of a store carries. */
  readonly tenantId: string;
};

export interface DatabaseOptions {
  /** Where and as whom to connect: the service's login, or an owner's that may take the service role. */
  readonly connection: PoolConfig;
  /** The PostgreSQL schema that unqualified names are of; without it the login's own default, `public` as a rule. */
  readonly schema?: string;
  /** Connections for tenant transactions. */
  readonly tenantConnections: number;
  /** Connections for statements across accounts. */
  readonly systemConnections: number;
  /** Told of a connection that broke while idle; the next statement opens a new one. */
  readonly onConnectionError?: (error: Error) => void;
}

/** Opens connections lazily: a server that is away shows at the first statement, not here. */
export function openDatabase<Schema>(options: DatabaseOptions): Database<Schema> {
  let closing = false;
  const open = (session: string, connections: number, pipeline = false): Pool => {
    const pool = new Pool({
      application_name: 'millrace',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: 30_000,
      ...options.connection,
      max: connections,
      pipeline,
      stream: () => new GatheringSocket(),
      options: `-c role=${serviceRole} ${session} -c statement_timeout=60s -c idle_in_transaction_session_timeout=60s${searchPath(options.schema)}`,
    });
    pool.on('error', (error) => {
      if (!closing) options.onConnectionError?.(error);
    });
    // A connection that breaks while it is lent out tells it by the next statement, which fails.
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool;
  };
  const systemPool = open('-c millrace.tenant=*', options.systemConnections);
  const system = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: systemPool }) });
  const tenants = openTenantConnections<Schema>(
    open('-c millrace.tenant= -c default_transaction_read_only=on', options.tenantConnections, true),
  );
  return {
    system,
    lendTenantConnection: () => tenants.lend(),
    prepared: async <Row extends object>(statement: PreparedStatement<Row>, parameters: readonly unknown[]) => {
      const client = await systemPool.connect();
      let broken = true;
      try {
        const { rows } = await runNamed<Row>(client, statement, parameters);
        broken = false;
        return rows;
      } finally {
        client.release(broken);
      }
    },
    close: async () => {
      closing = true;
      await Promise.all([system.destroy(), tenants.close()]);
      // Kysely ends a pool that it took a connection of.
      if (!systemPool.ending) await systemPool.end();
    },
  };
}

/** The part of a connection's options that makes a schema the only one that unqualified names are looked up in. */
function searchPath(schema: string | undefined): string {
  if (schema === undefined) return '';
  // Options are split at white space, and the schema's name is folded to lower case where it is not quoted.
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw new TypeError('not the name of a schema');
  return ` -c search_path=${schema}`;
}

const longestAnswerMs = 2_000;

/** Whether the server answers, within two seconds: for readiness checks. */
export async function isAnswering<Schema>({ system }: Pick<Database<Schema>, 'system'>): Promise<boolean> {
  const late = new Promise<boolean>((done) => setTimeout(done, longestAnswerMs, false).unref());
  const asked = sql`select`.execute(system).then(
    () => true,
    () => false,
  );
  return Promise.race([asked, late]);
}

/** A socket that writes what was gathered for it as one piece, which costs less than a list of small ones. */
class GatheringSocket extends Socket {
  override _writev(chunks: readonly { readonly chunk: Buffer }[], callback: (error?: Error | null) => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'buffer' as BufferEncoding, callback);
  }
}

export interface TransactionOptions<Result> {
  /**
   * `read only`: the work only reads. It is no transaction then, so that its statements cost a round trip each and
   * nothing else: each sees what is committed by then. A statement that writes fails.
   */
  readonly access?: 'read write' | 'read only';
  /** The transaction's last statement, which travels with the commit, from the result of the work. */
  readonly last?: (result: Result) => LastStatement | null;
}

/**
 * Runs `work` in a transaction that sees one account's rows, commits what it did and returns its result; rolls back
 * where it throws. The beginning travels with the work's first statement.
 */
export async function tenantTransaction<Schema, Result>(
  database: Database<Schema>,
  tenantId: string,
  work: (transaction: TenantTransaction<Schema>) => Promise<Result>,
  { access = 'read write', last }: TransactionOptions<Result> = {},
): Promise<Result> {
  if (!/^[a-z0-9_]{1,64}$/.test(tenantId)) throw new TypeError('not an account id');
  const connection = await database.lendTenantConnection();
  const transaction = Object.assign(connection.statements, { tenantId }) as TenantTransaction<Schema>;
  let broken = false;
  try {
    if (access === 'read only') {
      connection.readAs(tenantId);
      return await work(transaction);
    }
    connection.begin(tenantId);
    const result = await work(transaction);
    await connection.commit(last?.(result) ?? null);
    return result;
  } catch (error) {
    // Whatever was begun ends here. A connection that cannot roll back is broken; the first error tells more.
    if (access === 'read write')
      broken = await connection.rollback().then(
        () => false,
        () => true,
      );
    throw error;
  } finally {
    connection.release(broken);
  }
}

export interface MigrateOptions {
  /** The owner's connection. */
  readonly connection: PoolConfig;
  /**
   * The PostgreSQL schema of the tables, made where it is missing; several applications share a database by one each.
   * Without it the owner's default, `public` as a rule.
   */
  readonly schema?: string;
  /** By name; they run in the order of their names, each once. */
  readonly migrations: Readonly<Record<string, Migration>>;
  /** Lets the service role sign in with this password. Without it, the role has no login and the owner's is used. */
  readonly servicePassword?: string;
}

/**
 * Creates the service role and the schema where they are missing and runs the migrations that have not run. Any number of processes may
 * do so at once: the first does the work, the others wait. Throws what the failing migration threw.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const pool = new Pool({
    ...options.connection,
    max: 1,
    options: `-c millrace.tenant=*${searchPath(options.schema)}`,
  });
  // A server that goes away between two statements shows at the next one; unheard, it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const owner = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    await ensureServiceRole(owner, options.servicePassword);
    if (options.schema !== undefined) await ensureSchema(owner, options.schema);
    // Named in either case: the migrator would take the tables of another application's schema for its own.
    const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(owner);
    const { error } = await new Migrator({
      db: owner,
      provider: { getMigrations: async () => ({ ...options.migrations }) },
      ...(rows[0] ? { migrationTableSchema: rows[0].schema } : {}),
    }).migrateToLatest();
    if (error) throw error;
  } finally {
    await owner.destroy();
  }
}

async function ensureServiceRole(owner: Kysely<unknown>, password: string | undefined): Promise<void> {
  await owner.transaction().execute(async (transaction) => {
    // Roles belong to the whole server, so processes of several databases may be here at once.
    await sql`select pg_advisory_xact_lock(hashtext(${serviceRole}))`.execute(transaction);
    const { rows } = await sql<{ privileged: boolean; member: boolean; may_create: boolean }>`
      select coalesce((select rolsuper or rolbypassrls from pg_roles where rolname = ${serviceRole}), false) as privileged,
             coalesce((select pg_has_role(current_user, oid, 'set') from pg_roles where rolname = ${serviceRole}), false) as member,
             (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as may_create`.execute(
      transaction,
    );
    const state = rows[0];
    if (state?.privileged) {
      throw new Error(
        `The database role ${serviceRole} is a superuser or bypasses row-level security: take that from it.`,
      );
    }
    if (!state?.member) {
      if (!state?.may_create) {
        throw new Error(
          `The user of DATABASE_URL can neither create nor take the role ${serviceRole}. As an administrator run: ` +
            `create role ${serviceRole} nologin; grant ${serviceRole} to <that user>;`,
        );
      }
      await sql`do $$ begin
        if not exists (select from pg_roles where rolname = ${sql.lit(serviceRole)}) then
          create role ${sql.ref(serviceRole)} nologin nosuperuser nobypassrls nocreatedb nocreaterole;
        end if;
      end $$`.execute(transaction);
      await sql`grant ${sql.ref(serviceRole)} to current_user`.execute(transaction);
    }
    if (password !== undefined) {
      await sql`alter role ${sql.ref(serviceRole)} login password ${sql.lit(password)}`.execute(transaction);
    }
  });
}

async function ensureSchema(owner: Kysely<unknown>, schema: string): Promise<void> {
  await owner.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext(${`schema ${schema}`}))`.execute(transaction);
    const { rows } = await sql<{ exists: boolean; may_create: boolean }>`
      select to_regnamespace(${schema}) is not null as exists,
             has_database_privilege(current_database(), 'create') as may_create`.execute(transaction);
    if (!rows[0]?.exists) {
      if (!rows[0]?.may_create) {
        throw new Error(
          `The user of DATABASE_URL may not create the schema ${schema}. As an administrator run: ` +
            `create schema ${schema} authorization <that user>;`,
        );
      }
      await sql`create schema ${sql.ref(schema)}`.execute(transaction);
    }
    await sql`grant usage on schema ${sql.ref(schema)} to ${sql.ref(serviceRole)}`.execute(transaction);
  });
}
