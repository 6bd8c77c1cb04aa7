import { createHash } from 'node:crypto';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { isChanging, type NamedStatement, runGroup } from './statement-group.ts';
import { type TransactionScope, unnamed } from './transaction-scope.ts';

/** A connection during one piece of work: for its own statements, and for those that Kysely builds. */
export interface TenantConnection<Schema> {
  readonly statements: Kysely<Schema>;
  /** Makes the next statement the first of a transaction that writes rows of a tenant; both are sent together. */
  begin(tenantId: string): void;
  /** The same of a transaction that only reads, which ends by {@link rollback}. */
  beginReading(tenantId: string): void;
  /**
   * Runs a last statement and commits, sent together; does nothing if there was no statement.
   *
   * @throws the statement's error; Error if the server rolled back because an earlier statement had failed
   */
  commit(last: LastStatement | null): Promise<void>;
  /** Rolls back what was started. */
  rollback(): Promise<void>;
  /**
   * Lets the connection's statements read the rows of a tenant, and write nothing.
   *
   * @param planned the server plans each statement once, not at each call
   */
  readAs(tenantId: string, planned?: boolean): void;
  /** @param broken takes the connection out of the pool */
  release(broken?: boolean): void;
}

/** A statement with its parameters, known to the server by its own name. */
export type LastStatement = NamedStatement;

/**
 * Lends connections of a pool whose sessions are read-only and see no tenant until one is set: work that writes opens
 * an explicit read-write transaction.
 *
 * @param scope of connections whose sessions can't be set, since a pooler gives each transaction another; null: they can
 */
export function openTenantConnections<Schema>(
  pool: Pool,
  scope: TransactionScope | null = null,
): {
  lend(): Promise<TenantConnection<Schema>>;
  close(): Promise<void>;
} {
  const sessions = new WeakMap<PoolClient, Session<Schema>>();
  return {
    lend: async () => {
      const client = await pool.connect();
      let session = sessions.get(client);
      if (session === undefined) {
        session = new Session(client, scope);
        sessions.set(client, session);
      }
      return lent(client, session);
    },
    close: () => pool.end(),
  };
}

function lent<Schema>(client: PoolClient, session: Session<Schema>): TenantConnection<Schema> {
  return {
    statements: session.statements,
    begin: (tenantId) => session.begin(tenantId),
    beginReading: (tenantId) => session.beginReading(tenantId),
    commit: (last) => session.commit(last),
    rollback: () => session.rollback(),
    readAs: (tenantId, planned = false) => session.readAs(tenantId, planned),
    release: (broken = false) => client.release(broken),
  };
}

const begin: NamedStatement = { name: 'begin', text: 'begin read write', parameters: [] };
const beginReading: NamedStatement = { name: 'begin reading', text: 'begin read only', parameters: [] };
const commit: NamedStatement = { name: 'commit', text: 'commit', parameters: [] };
const rollback: NamedStatement = { name: 'rollback', text: 'rollback', parameters: [] };
const writeAs = (tenantId: string): NamedStatement => ({
  name: 'write as tenant',
  text: `select set_config('millrace.tenant', $1, true)`,
  parameters: [tenantId],
});
const readAs = (tenantId: string): NamedStatement => ({
  name: 'read as tenant',
  text: `select set_config('millrace.tenant', $1, false)`,
  parameters: [tenantId],
});
const nothing: readonly NamedStatement[] = [];

interface Reader {
  readonly tenantId: string;
  readonly before: readonly NamedStatement[];
}

/** One connection's session, and its Kysely, created once. */
class Session<Schema> implements DatabaseConnection {
  readonly statements: Kysely<Schema>;
  readonly #client: PoolClient;
  readonly #scope: TransactionScope | null;
  /** What makes the next statement the first of a transaction. */
  #beginning = nothing;
  /** The tenant that the next statement reads as, which it sets itself until one of them has succeeded. */
  #reader: Reader | null = null;
  /** Whom statements outside of a transaction certainly read as. */
  #tenantId: string | null = null;
  #isPlanned = false;

  constructor(client: PoolClient, scope: TransactionScope | null) {
    this.#client = client;
    this.#scope = scope;
    this.statements = new Kysely<Schema>({ dialect: dialectOf(this) });
  }

  begin(tenantId: string): void {
    this.#isPlanned = false;
    this.#beginning =
      this.#scope === null ? [begin, writeAs(tenantId)] : [unnamed(begin.text), this.#scope.write(tenantId)];
    this.#reader = null;
  }

  beginReading(tenantId: string): void {
    this.#isPlanned = false;
    this.#beginning =
      this.#scope === null
        ? [beginReading, writeAs(tenantId)]
        : [unnamed(beginReading.text), this.#scope.read(tenantId)];
    this.#reader = null;
  }

  readAs(tenantId: string, planned: boolean): void {
    this.#isPlanned = planned && this.#scope === null;
    this.#beginning = nothing;
    this.#reader = null;
    if (this.#scope !== null) {
      this.#reader = { tenantId, before: [this.#scope.read(tenantId)] };
      return;
    }
    if (this.#tenantId === tenantId) return;
    this.#tenantId = null;
    this.#reader = { tenantId, before: [readAs(tenantId)] };
  }

  async commit(last: LastStatement | null): Promise<void> {
    const beginning = this.#takeBeginning();
    if (last === null && beginning !== nothing) return;
    const named = last === null ? [commit] : [last, commit];
    const ends = this.#scope === null ? named : named.map(({ text, parameters }) => unnamed(text, parameters));
    const { command } = await runGroup(this.#client, [...beginning, ...ends], null);
    // PostgreSQL answers the commit of a transaction with a failed statement with a rollback, without an error.
    if (command === 'ROLLBACK') throw new Error('the transaction was rolled back: a statement in it had failed');
  }

  async rollback(): Promise<void> {
    if (this.#takeBeginning() === nothing)
      await runGroup(this.#client, [this.#scope === null ? rollback : unnamed(rollback.text)], null);
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const reader = this.#reader;
    const before = reader?.before ?? this.#takeBeginning();
    try {
      const { command, rowCount, rows } = await runGroup<Row & object>(this.#client, before, {
        name: this.#isPlanned ? nameOf(sql) : null,
        text: sql,
        values: parameters,
      });
      if (this.#scope === null && reader !== null && reader === this.#reader) {
        this.#tenantId = reader.tenantId;
        this.#reader = null;
      }
      return { rows, ...(isChanging(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) };
    } catch (error) {
      // Created here, so that its stack shows whose statement it was, and not who read the response.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  streamQuery(): never {
    throw new Error('rows are not streamed');
  }

  #takeBeginning(): readonly NamedStatement[] {
    const beginning = this.#beginning;
    this.#beginning = nothing;
    return beginning;
  }
}

const names = new Map<string, string>();

/** A name of its own for each text of a statement, at most 63 bytes as the server compares them. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `planned ${createHash('sha256').update(text).digest('base64url')}`;
    names.set(text, name);
  }
  return name;
}

/** Kysely on one connection that is already lent. */
function dialectOf(connection: DatabaseConnection): Dialect {
  const begunAlready = async () => {
    throw new Error('a transaction is already open');
  };
  return {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createDriver: () => ({
      init: async () => undefined,
      acquireConnection: async () => connection,
      beginTransaction: begunAlready,
      commitTransaction: begunAlready,
      rollbackTransaction: begunAlready,
      releaseConnection: async () => undefined,
      destroy: async () => undefined,
    }),
  };
}
