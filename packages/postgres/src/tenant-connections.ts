import type { Writable } from 'node:stream';
import { Kysely, PostgresDialect } from 'kysely';
import type { Pool, PoolClient } from 'pg';

/** A connection while one piece of work has it: for statements of its own, and for those that Kysely builds. */
export interface TenantConnection<Schema> {
  readonly statements: Kysely<Schema>;
  /** Sends statements without parameters, in one message, together with what follows in this turn of the event loop. */
  begin(text: string): Promise<void>;
  /**
   * Sends a last statement and the commit in one message.
   *
   * @throws what the statement failed with; Error where the server rolled back since a statement before had failed
   */
  commit(last: LastStatement | null): Promise<void>;
  rollback(): Promise<void>;
  /** Lets the connection's statements read the rows of a tenant until it is another's, and write nothing. */
  readAs(tenantId: string): Promise<void>;
  /** @param broken takes the connection out of the pool */
  release(broken?: boolean): void;
}

/** A statement with its parameters, known to the server by a name of its own. */
export interface LastStatement {
  readonly name: string;
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** The tenant a connection reads as, and its Kysely, which is made once. */
interface Known<Schema> {
  readonly statements: Kysely<Schema>;
  tenantId: string | null;
}

/**
 * Lends connections of a pool whose sessions are read only and see no tenant until they are told to: work that writes
 * opens a transaction that says so.
 */
export function openTenantConnections<Schema>(pool: Pool): {
  lend(): Promise<TenantConnection<Schema>>;
  close(): Promise<void>;
} {
  const known = new WeakMap<PoolClient, Known<Schema>>();
  return {
    lend: async () => {
      const client = await pool.connect();
      let own = known.get(client);
      if (own === undefined) {
        own = { statements: statementsOn<Schema>(client), tenantId: null };
        known.set(client, own);
      }
      return lent(client, own);
    },
    close: () => pool.end(),
  };
}

function lent<Schema>(client: PoolClient, own: Known<Schema>): TenantConnection<Schema> {
  return {
    statements: own.statements,
    begin: async (text) => {
      gather(client);
      await client.query(text);
    },
    commit: async (last) => {
      gather(client);
      const ended = last && client.query({ name: last.name, text: last.text, values: [...last.parameters] });
      const [committed, failed] = await Promise.allSettled([client.query('commit'), ended]);
      if (failed.status === 'rejected') throw failed.reason;
      if (committed.status === 'rejected') throw committed.reason;
      // PostgreSQL answers the commit of a transaction in which a statement failed with a rollback, without an error.
      if (committed.value.command === 'ROLLBACK') {
        throw new Error('the transaction was rolled back: a statement in it had failed');
      }
    },
    rollback: async () => {
      await client.query('rollback');
    },
    readAs: async (tenantId) => {
      if (own.tenantId === tenantId) return;
      own.tenantId = null;
      await client.query(`set millrace.tenant = '${tenantId}'`);
      own.tenantId = tenantId;
    },
    release: (broken = false) => client.release(broken),
  };
}

/** Kysely on one connection that is lent already: it takes it, and gives it back, without the pool's doing. */
function statementsOn<Schema>(client: PoolClient): Kysely<Schema> {
  const borrowed = {
    query: client.query.bind(client),
    release: () => undefined,
  };
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: { connect: async () => borrowed, end: async () => undefined } as never }),
  });
}

/** Lets what is sent in this turn of the event loop leave in one write, which costs less than each in its own. */
function gather(client: PoolClient): void {
  const { stream } = (client as PoolClient & { readonly connection: { readonly stream: Writable } }).connection;
  stream.cork();
  setImmediate(() => stream.uncork());
}
