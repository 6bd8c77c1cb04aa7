import type { Deadlines } from '../http/deadlines.ts';
import type { Limits } from '../http/limits.ts';
import type { Internals } from '../node-internals/internals.ts';
import { type Connectable, type ConnectionOwner, TargetConnection } from './connection.ts';

/** Maximum idle connections per endpoint. */
const mostIdle = 512;

/** Connections to one endpoint: idle ones are reused, most recently used first. */
export class ConnectionPool implements ConnectionOwner {
  readonly #endpoint: Connectable;
  readonly #idle: TargetConnection[] = [];
  readonly #all = new Set<TargetConnection>();
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
    return this.#idle.pop() ?? null;
  }

  /**
   * Creates a connection.
   *
   * @param onReady called once, never within the call, with what went wrong where there is no connection
   * @returns false where there are as many as there may be
   */
  connect(
    limits: Limits,
    deadlines: Deadlines,
    internals: Internals,
    onReady: (connection: TargetConnection, error: string | null) => void,
  ): boolean {
    if (this.#all.size >= limits.maxTargetConnections) return false;
    this.maxHeadBytes = limits.maxAnswerHeadBytes;
    this.idleMs = limits.targetIdleMs;
    this.keepIdleMs = limits.keepIdleMs;
    this.#all.add(new TargetConnection(this.#endpoint, this, deadlines, limits.connectTimeoutMs, internals, onReady));
    return true;
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
