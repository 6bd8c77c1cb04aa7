import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { Client, Connection, Submittable } from 'pg';

/** How much of a table is held in memory, in bytes, before the server has to wait. */
const longestQueueBytes = 4 * 1024 * 1024;

/**
 * Runs `copy … to stdout` and yields what the server sends, a few megabytes at a time, each ending with a whole row.
 * The server waits while the caller works, so memory stays bounded.
 *
 * @throws the server's error; the connection can't be used if the caller stops before the end
 */
export async function* copyOut(client: Client, statement: string): AsyncGenerator<Buffer> {
  const query = client.query(new CopyOut(statement));
  try {
    for (;;) {
      const rows = await query.next();
      if (rows === null) return;
      yield rows;
    }
  } finally {
    query.abandon();
  }
}

/**
 * Runs `copy … from stdin` with these bytes and returns the number of rows.
 *
 * @throws the server's error, or that of the source; the statement has failed then
 */
export async function copyIn(client: Client, statement: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  const query = client.query(new CopyIn(statement, source));
  return query.result;
}

class CopyOut implements Submittable {
  readonly #statement: string;
  #connection: Connection | null = null;
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #ended = false;
  #error: Error | null = null;
  #wake: () => void = () => undefined;

  constructor(statement: string) {
    this.#statement = statement;
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    connection.query(this.#statement);
  }

  /** What has come since the last call, or null at the end. */
  async next(): Promise<Buffer | null> {
    while (this.#queue.length === 0 && !this.#ended) {
      this.#connection?.stream.resume();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#error !== null) throw this.#error;
    if (this.#queue.length === 0) return null;
    const rows = Buffer.concat(this.#queue);
    this.#queue = [];
    this.#queuedBytes = 0;
    return rows;
  }

  /** Ends the connection if the server has not sent everything. */
  abandon(): void {
    if (!this.#ended) this.#connection?.stream.destroy();
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }, connection: Connection): void {
    // The parser reuses its buffer.
    this.#queue.push(Buffer.from(chunk));
    this.#queuedBytes += chunk.length;
    if (this.#queuedBytes < longestQueueBytes) return;
    connection.stream.pause();
    this.#wake();
  }

  handleCommandComplete(): void {
    // What follows is that the server is ready.
  }

  handleReadyForQuery(): void {
    this.#end(null);
  }

  handleError(error: Error): void {
    this.#end(error);
  }

  #end(error: Error | null): void {
    this.#ended = true;
    this.#error = error;
    this.#wake();
  }
}

class CopyIn implements Submittable {
  readonly #statement: string;
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #result = Promise.withResolvers<number>();
  #rows = 0;
  #over = false;
  #sourceError: unknown = null;

  constructor(statement: string, source: AsyncIterable<Uint8Array>) {
    this.#statement = statement;
    this.#source = source;
  }

  get result(): Promise<number> {
    return this.#result.promise;
  }

  submit(connection: Connection): void {
    connection.query(this.#statement);
  }

  handleCopyInResponse(connection: CopyInConnection): void {
    void this.#send(connection);
  }

  async #send(connection: CopyInConnection): Promise<void> {
    try {
      for await (const bytes of this.#source) {
        if (this.#over) return;
        connection.sendCopyFromChunk(bytes);
        if (connection.stream.writableNeedDrain) {
          // A connection that ends drains no more.
          await Promise.race([once(connection.stream, 'drain'), finished(connection.stream)]);
        }
      }
      if (!this.#over) connection.endCopyFrom();
    } catch (error) {
      this.#sourceError = error;
      if (!this.#over) connection.sendCopyFail('The source failed.');
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#rows = Number(/^COPY (\d+)$/.exec(text)?.[1] ?? 0);
  }

  handleReadyForQuery(): void {
    this.#over = true;
    this.#result.resolve(this.#rows);
  }

  handleError(error: Error): void {
    this.#over = true;
    this.#result.reject(this.#sourceError ?? error);
  }
}

/** What `pg` has besides what its types declare. */
interface CopyInConnection extends Connection {
  sendCopyFromChunk(bytes: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}
