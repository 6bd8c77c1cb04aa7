import type { Deadlines } from '../http/deadlines.ts';
import type { Limits } from '../http/limits.ts';
import type { Internals } from '../node-internals/internals.ts';
import { type Connectable, type ConnectionOwner, TargetConnection } from './connection.ts';

/** Maximum idle connections per endpoint. */
const mostIdle = 512;

type OnReady = (connection: TargetConnection, error: string | null) => void;

/** A connection that is being established. */
export interface Connecting {
  /** Who waits for it; null: nobody does. */
  onReady: OnReady | null;
}

/** Connections to one endpoint: idle ones are reused, most recently used first. */
export class ConnectionPool implements ConnectionOwner {
  readonly #endpoint: Connectable;
  readonly #idle: TargetConnection[] = [];
  readonly #all = new Set<TargetConnection>();
  /** Being established for nobody. */
  readonly #unclaimed: Connecting[] = [];
  #isRetired = false;
  maxHeadBytes = 0;
  idleMs = 0;
  keepIdleMs = 0;

  constructor(endpoint: Connectable) {
    this.#endpoint = endpoint;
  }

  get connections(): number {
    return this.#all.size;
  }

  /** An idle connection; null if there is none. */
  take(): TargetConnection | null {
    let connection = this.#idle.pop();
    // One that has been given up is among them until its socket has closed, later in the same turn.
    while (connection?.isClosed) connection = this.#idle.pop();
    return connection ?? null;
  }

  /**
   * Creates a connection, or takes over one that nobody waits for.
   *
   * @param onReady called once, never within the call, with what went wrong where there is no connection
   * @returns null where there are as many as there may be
   */
  connect(limits: Limits, deadlines: Deadlines, internals: Internals, onReady: OnReady): Connecting | null {
    const unclaimed = this.#unclaimed.pop();
    if (unclaimed !== undefined) {
      unclaimed.onReady = onReady;
      return unclaimed;
    }
    if (this.#all.size >= limits.maxTargetConnections) return null;
    this.maxHeadBytes = limits.maxAnswerHeadBytes;
    this.idleMs = limits.targetIdleMs;
    this.keepIdleMs = limits.keepIdleMs;
    const connecting: Connecting = { onReady };
    const onEnd: OnReady = (connection, error) => {
      if (connecting.onReady !== null) connecting.onReady(connection, error);
      else this.#keep(connecting, connection, error);
    };
    this.#all.add(new TargetConnection(this.#endpoint, this, deadlines, limits.connectTimeoutMs, internals, onEnd));
    return connecting;
  }

  /**
   * Nobody waits for the connection. It is left to the next request: callers who start requests and give them up
   * would otherwise make the gateway connect for each.
   */
  leave(connecting: Connecting): void {
    connecting.onReady = null;
    this.#unclaimed.push(connecting);
  }

  #keep(connecting: Connecting, connection: TargetConnection, error: string | null): void {
    this.#unclaimed.splice(this.#unclaimed.indexOf(connecting), 1);
    if (error === null) connection.rest();
  }

  idle(connection: TargetConnection): void {
    if (this.#isRetired || this.#idle.length >= mostIdle) connection.destroy();
    else this.#idle.push(connection);
  }

  closed(connection: TargetConnection): void {
    this.#all.delete(connection);
    const index = this.#idle.indexOf(connection);
    if (index >= 0) this.#idle.splice(index, 1);
  }

  /** Closes idle connections, and keeps none from now on. */
  retire(): void {
    this.#isRetired = true;
    for (const connection of this.#idle.splice(0)) connection.destroy();
  }
}
