import { type Connection, type PoolClient, Query, type QueryResult, type QueryResultRow } from 'pg';

/**
 * A statement that the server knows by name, and plans once per connection; the text behind a name never changes. With an
 * empty name, it is sent each time.
 */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
  readonly parameters: readonly (string | Buffer | null)[];
}

/** A statement as Kysely compiles it. */
interface Statement {
  /** By which the server knows it from now on, and plans it once per connection; null: it is planned at each call. */
  readonly name: string | null;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Sends statements as one group, which the server answers together: one write and one read on either side. The first
 * one that fails ends the group; what the group did outside of a transaction is then undone. Resolves with the result
 * of the last statement.
 *
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 *
 * @param last null: the last of `named`
 */
export function runGroup<Row extends QueryResultRow>(
  client: PoolClient,
  named: readonly NamedStatement[],
  last: Statement | null,
): Promise<QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    client.query(
      new Group<Row>(named, last, (error, result) => {
        if (error) reject(error);
        else resolve(result);
      }),
    );
  });
}

/** Runs a statement that the server knows by name; the name determines the type of its rows. */
export function runNamed<Row extends QueryResultRow>(
  client: PoolClient,
  { name, text }: Pick<NamedStatement, 'name' | 'text'>,
  values: readonly unknown[],
): Promise<QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    const query = new PgQuery(text, values, (error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
    // Passed with the text, the name would make the library copy both by their property descriptors.
    query.name = name;
    client.query(query);
  });
}

const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** Whether a command of this name reports how many rows it changed. */
export function isChanging(command: string): boolean {
  return changing.has(command);
}

type Done<Row extends QueryResultRow> = (error: Error | null | undefined, result: QueryResult<Row>) => void;

/** `pg`'s query as its client calls it, which is missing from its types. */
const PgQuery = Query as unknown as new (
  text: string,
  values: readonly unknown[],
  callback: Done<never>,
) => {
  queryMode: 'extended' | undefined;
  name: string | undefined;
  submit(connection: Connection): Error | null;
  hasBeenParsed(connection: Connection): boolean;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
};

/** What the library knows of the server's named statements; missing from its types. */
interface ParsedStatements {
  readonly parsedStatements: Record<string, string>;
}

/** The names that the server certainly knows, by connection. */
const knownNames = new WeakMap<Connection, Set<string>>();

class Group<Row extends QueryResultRow> extends PgQuery {
  readonly #named: readonly NamedStatement[];
  readonly #endsNamed: boolean;
  /** How many statements have to complete before the one with the result. */
  #before: number;

  constructor(named: readonly NamedStatement[], last: Statement | null, done: Done<Row>) {
    super(last?.text ?? '', last?.values ?? [], done);
    if (last?.name) this.name = last.name;
    // A statement without values would be sent by the simple protocol, which a group has no place for.
    if (named.length > 0) this.queryMode = 'extended';
    this.#named = named;
    this.#endsNamed = last === null;
    this.#before = named.length - (last === null ? 1 : 0);
  }

  override submit(connection: Connection): Error | null {
    if (this.#named.length === 0 && this.name === undefined) return super.submit(connection);
    const { stream } = connection;
    stream.cork();
    try {
      for (const statement of this.#named) send(connection, statement);
      // The server may know it anyway, from a group that failed.
      if (this.name !== undefined && !this.hasBeenParsed(connection)) {
        connection.close({ type: 'S', name: this.name }, false);
      }
      if (!this.#endsNamed) return super.submit(connection);
      connection.sync();
      return null;
    } finally {
      stream.uncork();
    }
  }

  override handleDataRow(message: unknown): void {
    if (this.#before === 0) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#before === 0) super.handleCommandComplete(message, connection);
    else this.#before--;
  }

  override handleReadyForQuery(connection: Connection): void {
    const known = namesKnownTo(connection);
    for (const { name } of this.#named) if (name !== '') known.add(name);
    super.handleReadyForQuery(connection);
  }

  override handleError(error: Error, connection: Connection): void {
    // Which of them the server knows now depends on where it failed.
    const known = namesKnownTo(connection);
    for (const { name } of this.#named) known.delete(name);
    // The library takes the answer to any statement of the group for that to the last one.
    if (this.name !== undefined) delete (connection as Connection & ParsedStatements).parsedStatements[this.name];
    super.handleError(error, connection);
  }
}

function namesKnownTo(connection: Connection): Set<string> {
  let known = knownNames.get(connection);
  if (known === undefined) {
    known = new Set();
    knownNames.set(connection, known);
  }
  return known;
}

function send(connection: Connection, { name, text, parameters }: NamedStatement): void {
  if (!namesKnownTo(connection).has(name)) {
    // It may be known anyway: from a group that failed after it, or from one in progress.
    if (name !== '') connection.close({ type: 'S', name }, false);
    connection.parse({ name, text, types: [] }, false);
  }
  connection.bind({ statement: name, values: [...parameters] }, false);
  connection.execute(null, false);
}
