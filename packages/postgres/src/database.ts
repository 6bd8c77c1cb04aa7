import { Socket } from 'node:net';
import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { Pool, type PoolConfig } from 'pg';
import { runPending } from './migrating.ts';
import { openReplica, type Place, placeStatement, type ReplicaEvent, type ReplicaReads } from './replica.ts';
import { runGroup, runNamed } from './statement-group.ts';
import { type LastStatement, openTenantConnections, type TenantConnection } from './tenant-connections.ts';
import { scopedDialect, transactionScope } from './transaction-scope.ts';

/**
 * The role that the services work as: neither owner of a table nor superuser, so that row-level security applies to it.
 */
export const serviceRole = 'millrace_service';

/**
 * An open database. The types separate its two uses: a store takes a {@link TenantTransaction} and sees one account's
 * rows; work across accounts (authentication, claiming from a queue, metrics, clean-up) takes `system`.
 */
export interface Database<Schema> {
  /** Statements across all accounts, each on its own connection or in `system.transaction()`. */
  readonly system: Kysely<Schema>;
  /** Lends a connection to {@link tenantTransaction}, which alone sets whose rows it sees. */
  lendTenantConnection(): Promise<TenantConnection<Schema>>;
  /** Runs work of {@link tenantTransaction} on the replica; null where the primary has to answer. */
  readReplica<Result>(
    tenantId: string,
    work: (statements: Kysely<Schema>) => Promise<Result>,
  ): Promise<{ readonly result: Result } | null>;
  /** Of reads that a replica may answer; null without a replica. */
  replicaReads(): ReplicaReads | null;
  /**
   * Runs a statement across all accounts that the server plans once per connection, not at each call. For the few that
   * every call runs; the text behind a name never changes.
   */
  prepared<Row extends object>(
    statement: PreparedStatement<Row>,
    parameters: readonly unknown[],
  ): Promise<readonly Row[]>;
  /** The connections now, for metrics. */
  connections(): Readonly<Record<'system' | 'tenant', PoolState> & Partial<Record<'replica', PoolState>>>;
  /** Closes all connections, after the running statements. */
  close(): Promise<void>;
}

/** A pool of connections. */
export interface PoolState {
  readonly used: number;
  readonly idle: number;
  /** Work that waits for one. */
  readonly waiting: number;
}

/** A statement with rows of this type: its name, and its text with `$1` and so on for its parameters. */
export interface PreparedStatement<Row extends object> {
  readonly name: string;
  readonly text: string;
  readonly row?: Row;
}

export { describeReplica, type ReplicaEvent } from './replica.ts';
export type { LastStatement } from './tenant-connections.ts';

declare const tenantScoped: unique symbol;

/** A transaction that only sees the rows of one account. Only {@link tenantTransaction} creates one. */
export type TenantTransaction<Schema> = Kysely<Schema> & {
  readonly [tenantScoped]: true;
  /** The account's id, for the explicit filter that every query of a store carries. */
  readonly tenantId: string;
};

export interface DatabaseOptions {
  /** Where and as whom to connect: the service's login, or an owner's that may use the service role. */
  readonly connection: PoolConfig;
  /** Whether the connection leads to a pooler in transaction mode, where a session lasts for one transaction only. */
  readonly isPooled?: boolean;
  /** A streaming replica that may answer reads, directly or by a pooler in transaction mode; by default none. */
  readonly replica?: PoolConfig | undefined;
  /** Called with what becomes of the replica. */
  readonly onReplica?: (event: ReplicaEvent) => void;
  /** The PostgreSQL schema of unqualified names; by default that of the login, usually `public`. */
  readonly schema?: string;
  /** Connections for tenant transactions. */
  readonly tenantConnections: number;
  /** Connections for statements across accounts. */
  readonly systemConnections: number;
  /** Called when a connection broke while idle; the next statement opens a new one. */
  readonly onConnectionError?: (error: Error) => void;
}

/** How long a connection to a replica may take: the primary can answer instead. */
const replicaTimeoutMs = 2_000;
const ofEveryPool = {
  application_name: 'millrace',
  keepAlive: true,
  connectionTimeoutMillis: 10_000,
  idleTimeoutMillis: 30_000,
  stream: () => new GatheringSocket(),
} as const;
const timeouts = { statement_timeout: '60s', idle_in_transaction_session_timeout: '60s' } as const;

/** Opens connections lazily: an unreachable server shows at the first statement, not here. */
export function openDatabase<Schema>(options: DatabaseOptions): Database<Schema> {
  let closing = false;
  const { isPooled = false, schema } = options;
  checkSchema(schema);
  const ownScope = transactionScope({
    role: serviceRole,
    ...(schema === undefined ? {} : { search_path: schema }),
    ...timeouts,
  });
  const scope = isPooled ? ownScope : null;
  const listenTo = (pool: Pool): Pool => {
    pool.on('error', (error) => {
      if (!closing) options.onConnectionError?.(error);
    });
    // If a connection breaks while it is in use, the next statement on it fails.
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool;
  };
  const open = (session: string, connections: number, pipeline = false): Pool => {
    const pool = new Pool({
      ...ofEveryPool,
      ...options.connection,
      max: connections,
      pipeline: pipeline && !isPooled,
      // A pooler has no use for them: its sessions are others'.
      ...(isPooled
        ? {}
        : {
            options: `-c role=${serviceRole} ${session} ${Object.entries(timeouts)
              .map(([name, value]) => `-c ${name}=${value}`)
              .join(' ')}${searchPath(schema)}`,
          }),
    });
    return listenTo(pool);
  };
  const systemPool = open('-c millrace.tenant=*', options.systemConnections);
  const system = new Kysely<Schema>({
    dialect: scope === null ? new PostgresDialect({ pool: systemPool }) : scopedDialect(systemPool, scope),
  });
  const tenantPool = open('-c millrace.tenant= -c default_transaction_read_only=on', options.tenantConnections, true);
  const tenants = openTenantConnections<Schema>(tenantPool, scope);
  const prepared = async <Row extends object>(statement: PreparedStatement<Row>, parameters: readonly unknown[]) => {
    const client = await systemPool.connect();
    let broken = true;
    try {
      const { rows } =
        scope === null
          ? await runNamed<Row>(client, statement, parameters)
          : await runGroup<Row>(client, [scope.write('*')], { name: null, text: statement.text, values: parameters });
      broken = false;
      return rows;
    } finally {
      client.release(broken);
    }
  };
  const replicaPool =
    options.replica === undefined
      ? null
      : listenTo(
          new Pool({
            ...ofEveryPool,
            ...options.replica,
            max: options.tenantConnections,
            connectionTimeoutMillis: replicaTimeoutMs,
          }),
        );
  const replica =
    replicaPool === null
      ? null
      : openReplica<Schema>({
          pool: replicaPool,
          scope: ownScope,
          primaryPlace: async () => (await prepared<Place>(placeStatement, []))[0]!,
          onEvent: options.onReplica ?? (() => undefined),
        });
  return {
    system,
    lendTenantConnection: () => tenants.lend(),
    readReplica: async (tenantId, work) => (await replica?.read(tenantId, work)) ?? null,
    replicaReads: () => replica?.reads() ?? null,
    prepared,
    connections: () => ({
      system: stateOf(systemPool),
      tenant: stateOf(tenantPool),
      ...(replicaPool === null ? {} : { replica: stateOf(replicaPool) }),
    }),
    close: async () => {
      closing = true;
      await Promise.all([system.destroy(), tenants.close(), replica?.close()]);
      // Kysely closes a pool that it took a connection from.
      if (!systemPool.ending) await systemPool.end();
    },
  };
}

function stateOf({ totalCount, idleCount, waitingCount }: Pool): PoolState {
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

/** The part of a connection's options that makes a schema the only one in which unqualified names are looked up. */
function searchPath(schema: string | undefined): string {
  checkSchema(schema);
  return schema === undefined ? '' : ` -c search_path=${schema}`;
}

/** Options are split at white space, and an unquoted schema name is folded to lower case. */
function checkSchema(schema: string | undefined): void {
  if (schema !== undefined && !/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw new TypeError('not the name of a schema');
}

const longestAnswerMs = 2_000;

/** Whether the server responds within two seconds: for readiness checks. */
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
   * `read only`: the work only reads. It is then not a transaction, so its statements cost one round trip each and
   * nothing else: each sees what is committed at that moment. A statement that writes fails.
   */
  readonly access?: 'read write' | 'read only';
  /**
   * Of work that only reads: the server plans each statement once per connection, not at each call. For a few statements
   * that are called often and take longer to plan than to run; each text remains in the server's memory.
   */
  readonly planned?: boolean;
  /**
   * Of work that only reads: whether a replica answers it, if there is one that has everything that was committed before.
   * For what takes the server long, such as lists and sums. The work may run again on the primary.
   */
  readonly onReplica?: boolean;
  /** The transaction's last statement, sent together with the commit, from the result of the work. */
  readonly last?: (result: Result) => LastStatement | null;
}

/**
 * Runs `work` in a transaction that sees one account's rows, commits and returns its result; rolls back if it throws.
 * The begin is sent together with the work's first statement.
 */
export async function tenantTransaction<Schema, Result>(
  database: Database<Schema>,
  tenantId: string,
  work: (transaction: TenantTransaction<Schema>) => Promise<Result>,
  { access = 'read write', planned = false, onReplica = false, last }: TransactionOptions<Result> = {},
): Promise<Result> {
  if (!/^[a-z0-9_]{1,64}$/.test(tenantId)) throw new TypeError('not an account id');
  const scoped = (statements: Kysely<Schema>) => Object.assign(statements, { tenantId }) as TenantTransaction<Schema>;
  if (access === 'read only' && onReplica) {
    const answered = await database.readReplica(tenantId, (statements) => work(scoped(statements)));
    if (answered !== null) return answered.result;
  }
  const connection = await database.lendTenantConnection();
  const transaction = scoped(connection.statements);
  let broken = false;
  try {
    if (access === 'read only') {
      connection.readAs(tenantId, planned);
      return await work(transaction);
    }
    connection.begin(tenantId);
    const result = await work(transaction);
    await connection.commit(last?.(result) ?? null);
    return result;
  } catch (error) {
    // Whatever was started ends here. A connection that can't roll back is broken; the first error is more useful.
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
   * The PostgreSQL schema of the tables, created if it is missing; several applications can share a database with one
   * schema each. By default the owner's, usually `public`.
   */
  readonly schema?: string;
  /** By name; they run in the order of their names, each once. */
  readonly migrations: Readonly<Record<string, Migration>>;
  /** Lets the service role sign in with this password. By default, the role has no login and the owner's is used. */
  readonly servicePassword?: string;
  /** Called with what an operator should know, as a sentence. */
  readonly onWarning?: (warning: string) => void;
}

/**
 * Creates the service role and the schema if they are missing and runs pending migrations. Any number of processes may
 * do so concurrently: the first does the work, the others wait. Services may work on the tables meanwhile.
 *
 * @throws what {@link runPending} throws
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const pool = new Pool({
    ...options.connection,
    max: 1,
    options: `-c millrace.tenant=*${searchPath(options.schema)}`,
  });
  // A server that disappears between two statements shows at the next one; an unhandled event would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const owner = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    await ensureServiceRole(owner, options.servicePassword);
    if (options.schema !== undefined) await ensureSchema(owner, options.schema);
    // Always explicit: the migrator would mistake the tables of another application's schema for its own.
    const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(owner);
    await runPending({
      owner,
      schema: rows[0]?.schema ?? 'public',
      migrations: options.migrations,
      onWarning: options.onWarning ?? (() => {}),
    });
  } finally {
    await owner.destroy();
  }
}

async function ensureServiceRole(owner: Kysely<unknown>, password: string | undefined): Promise<void> {
  await owner.transaction().execute(async (transaction) => {
    // Roles belong to the whole server, so processes of several databases may be here concurrently.
    await sql`select pg_advisory_xact_lock(hashtext(${serviceRole}))`.execute(transaction);
    // Before PostgreSQL 16 every member may become the role, and there is no such privilege.
    const { rows } = await sql<{ privileged: boolean; member: boolean; may_create: boolean }>`
      select coalesce((select rolsuper or rolbypassrls from pg_roles where rolname = ${serviceRole}), false) as privileged,
             coalesce((select pg_has_role(current_user, oid,
                 case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end)
               from pg_roles where rolname = ${serviceRole}), false) as member,
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
          `The user of DATABASE_URL can neither create nor use the role ${serviceRole}. As an administrator run: ` +
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
