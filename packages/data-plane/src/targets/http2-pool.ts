import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Deadlines, Timed } from '../http/deadlines.ts';
import type { Limits } from '../http/limits.ts';
import { readBuffer } from '../http/workspaces.ts';
import type { Internals } from '../node-internals/internals.ts';
import { type Connectable, servernameOf } from './connection.ts';
import { type SessionOwner, TargetSession } from './http2-session.ts';

/** What connecting to endpoints needs. */
export interface ConnectParts {
  readonly limits: Limits;
  readonly deadlines: Deadlines;
  readonly internals: Internals;
}

/** Called once, never within the call: with a session, or with what went wrong. */
type OnReady = (session: TargetSession | null, error: string) => void;

/** Why there is no session with an endpoint that chose HTTP/1.1, or answered with it. */
export const noHttp2 = 'no HTTP/2';

/** Sessions with one endpoint. Requests share them, the fullest that has room first, so that the others can end. */
export class Http2Pool implements SessionOwner {
  readonly #endpoint: Connectable;
  readonly #sessions = new Set<TargetSession>();
  #connecting: Connecting | null = null;
  #isRetired = false;

  constructor(endpoint: Connectable) {
    this.#endpoint = endpoint;
  }

  get connections(): number {
    return this.#sessions.size;
  }

  /** A session that takes another request; null if there is none. */
  take(): TargetSession | null {
    let fullest: TargetSession | null = null;
    for (const session of this.#sessions) {
      if (session.isAvailable && session.streams.size >= (fullest?.streams.size ?? 0)) fullest = session;
    }
    return fullest;
  }

  /**
   * Connects, or waits for the connection that is being made.
   *
   * @param offersHttp1 whether TLS may choose HTTP/1.1 too, so that the error is {@link noHttp2} then
   * @returns false where there are as many connections as there may be
   */
  connect(parts: ConnectParts, offersHttp1: boolean, onReady: OnReady): boolean {
    if (this.#connecting === null) {
      if (this.#sessions.size >= parts.limits.maxTargetConnections) return false;
      const done = (session: TargetSession | null) => {
        this.#connecting = null;
        if (session !== null) this.#sessions.add(session);
      };
      this.#connecting = new Connecting(this.#endpoint, this, parts, offersHttp1, done);
    }
    this.#connecting.waiting.push(onReady);
    return true;
  }

  ready(session: TargetSession): void {
    this.#connecting?.ready(session);
    if (this.#isRetired) session.retire();
  }

  closed(session: TargetSession): void {
    this.#sessions.delete(session);
    this.#connecting?.closed(session);
  }

  /** Closes what is idle now, and the others when they are. */
  retire(): void {
    this.#isRetired = true;
    for (const session of this.#sessions) session.retire();
  }
}

/** A connection that is being made, and the requests that wait for it. */
class Connecting implements Timed {
  deadlineMs: number;
  readonly waiting: OnReady[] = [];
  readonly #parts: ConnectParts;
  readonly #socket: Socket | null;
  readonly #onDone: (session: TargetSession | null) => void;
  #session: TargetSession | null = null;
  #error = 'no connection';

  constructor(
    endpoint: Connectable,
    owner: SessionOwner,
    parts: ConnectParts,
    offersHttp1: boolean,
    onDone: (session: TargetSession | null) => void,
  ) {
    const { host, port, tls, reach } = endpoint;
    const { limits, deadlines, internals } = parts;
    this.#parts = parts;
    this.#onDone = onDone;
    this.deadlineMs = deadlines.nowMs + limits.connectTimeoutMs;
    deadlines.add(this);
    const refusal = reach.refusalOf(host);
    if (refusal !== null) {
      this.#socket = null;
      this.#error = 'ADDRESS_REFUSED';
      setImmediate(() => this.#done(null));
      return;
    }
    const options = {
      host,
      port,
      noDelay: true,
      lookup: reach.lookup,
      onread: { buffer: readBuffer, callback: (length: number) => this.#session?.received(length) ?? true },
    };
    const protocols = offersHttp1 ? ['h2', 'http/1.1'] : ['h2'];
    const secured =
      tls === null
        ? null
        : { ...options, ...(tls.servername === undefined ? servernameOf(host) : {}), ...tls, ALPNProtocols: protocols };
    const socket = secured === null ? connect(options) : connectTls(secured);
    this.#socket = socket;
    const onError = (cause: NodeJS.ErrnoException) => {
      this.#error = cause.code ?? cause.message;
    };
    const onClose = () => this.#done(null);
    socket.on('error', onError);
    socket.on('close', onClose);
    socket.once(tls === null ? 'connect' : 'secureConnect', () => {
      if (tls !== null && 'alpnProtocol' in socket && socket.alpnProtocol !== 'h2') {
        this.#error = noHttp2;
        socket.destroy();
        return;
      }
      socket.off('close', onClose);
      this.#error = noHttp2;
      this.#session = new TargetSession(socket, owner, limits, deadlines, internals, tls !== null);
      internals.receiveFrom(socket, this.#session);
    });
  }

  ready(session: TargetSession): void {
    if (session === this.#session) this.#done(session);
  }

  closed(session: TargetSession): void {
    if (session === this.#session) this.#done(null);
  }

  onDeadline(): void {
    this.#socket?.destroy();
    this.#done(null);
  }

  #done(session: TargetSession | null): void {
    this.#parts.deadlines.remove(this);
    this.deadlineMs = Infinity;
    this.#onDone(session);
    for (const onReady of this.waiting.splice(0)) onReady(session, this.#error);
  }
}
