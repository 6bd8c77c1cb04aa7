import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult, TransactionSettings } from 'kysely';
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { isChanging, type NamedStatement, runGroup } from './statement-group.ts';

/**
 * What a session would be set to, for connections by a pooler in transaction mode: there, each transaction may be in
 * another session, so each sets it for itself, with its first statement. Nothing is named either, since the next
 * transaction would not find the name.
 */
export interface TransactionScope {
  /** The first statement of a transaction that sees the rows of a tenant, or with `*` all. */
  write(tenantId: string): NamedStatement;
  /** The same of one that can't write. */
  read(tenantId: string): NamedStatement;
}

/** @param settings by name, besides the tenant; constants of this package, never text from outside */
export function transactionScope(settings: Readonly<Record<string, string>>): TransactionScope {
  const set = (name: string, value: string) => `set_config('${name}', ${value}, true)`;
  const common = Object.entries(settings).map(([name, value]) => set(name, `'${value}'`));
  const write = `select ${[...common, set('millrace.tenant', '$1')].join(', ')}`;
  const read = `${write}, ${set('transaction_read_only', "'on'")}`;
  return {
    write: (tenantId) => unnamed(write, [tenantId]),
    read: (tenantId) => unnamed(read, [tenantId]),
  };
}

/** A statement that the server forgets with the next one. */
export function unnamed(text: string, parameters: NamedStatement['parameters'] = []): NamedStatement {
  return { name: '', text, parameters };
}

/** Statements across tenants: each sets its scope, and is sent in one piece with it; a transaction sets it once. */
export function scopedDialect(pool: Pool, scope: TransactionScope): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createDriver: () => scopedDriver(pool, scope),
  };
}

function scopedDriver(pool: Pool, scope: TransactionScope): Driver {
  return {
    init: async () => undefined,
    acquireConnection: async () => new ScopedConnection(await pool.connect(), scope),
    beginTransaction: async (connection, settings) => (connection as ScopedConnection).begin(settings),
    commitTransaction: async (connection) => (connection as ScopedConnection).end('commit'),
    rollbackTransaction: async (connection) => (connection as ScopedConnection).end('rollback'),
    releaseConnection: async (connection) => (connection as ScopedConnection).release(),
    destroy: () => pool.end(),
  };
}

class ScopedConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  readonly #scope: readonly NamedStatement[];
  #isInTransaction = false;
  /** What makes the next statement the first of a transaction. */
  #beginning: readonly NamedStatement[] = [];
  #isBroken = false;

  constructor(client: PoolClient, scope: TransactionScope) {
    this.#client = client;
    this.#scope = [scope.write('*')];
  }

  begin({ isolationLevel, accessMode }: TransactionSettings): void {
    const level = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`;
    const begin = unnamed(`begin${level}${accessMode === undefined ? '' : ` ${accessMode}`}`);
    this.#isInTransaction = true;
    this.#beginning = [begin, ...this.#scope];
  }

  async end(command: 'commit' | 'rollback'): Promise<void> {
    this.#isInTransaction = false;
    if (this.#takeBeginning().length > 0) return;
    try {
      await runGroup(this.#client, [unnamed(command)], null);
    } catch (error) {
      this.#isBroken = true;
      throw error;
    }
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const before = this.#isInTransaction ? this.#takeBeginning() : this.#scope;
    const { command, rowCount, rows } = await runGroup<Row & object>(this.#client, before, {
      name: null,
      text: sql,
      values: parameters,
    });
    return { rows, ...(isChanging(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) };
  }

  streamQuery(): never {
    throw new Error('rows are not streamed');
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }

  #takeBeginning(): readonly NamedStatement[] {
    const beginning = this.#beginning;
    this.#beginning = [];
    return beginning;
  }
}
