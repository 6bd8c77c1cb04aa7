import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { ServerAddress } from './address.ts';
import { encodeArgument, encodeCommand, RedisError, type Reply, ReplyReader } from './protocol.ts';
import { type Script, scripts } from './scripts.ts';
import { authentication, type Done, nameOf, openSocket, type RedisLogin, RedisUnavailable } from './servers.ts';

export interface RedisConnectionOptions {
  /** Asked before every attempt to connect. */
  readonly locate: () => ServerAddress | Promise<ServerAddress>;
  readonly login: RedisLogin;
  readonly database: number;
  /** `any`: what is there; `primary`: never a server that is a replica; `cluster member`: one of several with the data. */
  readonly role: 'any' | 'primary' | 'cluster member';
  /** For how long a command may wait for its answer. */
  readonly timeoutMs: number;
  /** Called when commands can be sent, with what the server reports about itself. */
  readonly onReady: (server: RedisServer) => void;
  /** Called when commands can no longer be sent, or still can't; once per outage. */
  readonly onLost: (reason: Error) => void;
}

/** What a server says about itself when a connection is made. */
export interface RedisServer {
  /**
   * Changes whenever the server may have lost data: with every start, and when it takes over from another; if that is
   * unknown, with every connection.
   */
  readonly runId: string;
  /** Lines of its `INFO`. */
  readonly info: ReadonlyMap<string, string>;
  /** Made by the first who connected to this data: another one, once the data was lost. Null of a cluster's member. */
  readonly dataId: string | null;
  /** For how long the other nodes may still be restoring what was lost; 0 of a cluster's member. */
  readonly restoringMs: number;
}

interface Command {
  readonly text: string;
  readonly done: Done;
  readonly deadlineMs: number;
}

/** How long a connection may take until it is ready for commands. */
const connectTimeoutMs = 1_000;
const firstBackoffMs = 20;
const maxBackoffMs = 1_000;
const checkEveryMs = 50;
const keepAliveMs = 10_000;
const readBufferBytes = 65_536;
/** Longer than it takes every node to connect again, see {@link maxBackoffMs}. */
const restoreMs = 2_000;
/** Identifies the data of the server, and returns for how long it has been new. */
const identifyData = `if redis.call('SET', KEYS[1], ARGV[1], 'NX') then redis.call('SET', KEYS[2], '', 'PX', ARGV[2]) end
return redis.call('GET', KEYS[1]) .. ' ' .. math.max(0, redis.call('PTTL', KEYS[2]))`;
const dataKeys = ['millrace:counters:data', 'millrace:counters:restoring'] as const;
const asking = encodeCommand(['ASKING']);

/**
 * One connection to a Redis server, re-established if it breaks, to wherever the server is then. Commands are pipelined: all commands up to {@link
 * flush} are sent in one write, and their replies are taken in order. A command that was sent is never sent again,
 * since it may have been executed; an unsent one waits for the connection while the first attempt to connect is in
 * progress, and fails immediately while there is none.
 */
export class RedisConnection {
  readonly #options: RedisConnectionOptions;
  readonly #readBuffer = Buffer.allocUnsafeSlow(readBufferBytes);
  #socket: Socket | null = null;
  #connectedTo = '';
  #runId = '';
  #state: 'connecting' | 'ready' | 'lost' | 'closed' = 'connecting';
  #backoffMs = 0;
  #reconnect: NodeJS.Timeout | null = null;
  readonly #check: NodeJS.Timeout;
  /** Sent, in the order in which they are answered. */
  #sent: Command[] = [];
  /** How many of {@link #sent} are answered: they go when enough have come together. */
  #answered = 0;
  #unsent: Command[] = [];

  constructor(options: RedisConnectionOptions) {
    this.#options = options;
    this.#check = setInterval(() => this.#checkDeadlines(), checkEveryMs);
    this.#connect();
  }

  get ready(): boolean {
    return this.#state === 'ready';
  }

  /** Of the server that was reached last, see {@link RedisServer.runId}. */
  get runId(): string {
    return this.#runId;
  }

  /** {@link nameOf} the server that was reached last. */
  get connectedTo(): string {
    return this.#connectedTo;
  }

  /**
   * Runs a script over some keys. Send it by {@link flush}.
   *
   * @param done called later, once: with an error where the script was not run, or may or may not have been
   * @param isAsking whether a server that is receiving the keys' slot runs it as if the slot were its own
   */
  run(script: Script, keyCount: number, encodedKeysAndArguments: string, done: Done, isAsking = false): void {
    const parts = 3 + keyCount + keyCount * script.argumentsPerKey;
    const rest = encodeArgument(keyCount) + encodedKeysAndArguments;
    const text = `*${parts}\r\n$7\r\nEVALSHA\r\n$40\r\n${script.sha}\r\n${rest}`;
    if (isAsking) this.#add(asking, () => {});
    this.#add(text, (error, reply) => {
      // Not executed, then: the server forgot the script, as one does that took over from another.
      if (reply instanceof RedisError && reply.message.startsWith('NOSCRIPT')) {
        if (isAsking) this.#add(asking, () => {});
        this.#add(`*${parts}\r\n$4\r\nEVAL\r\n${encodeArgument(script.text)}${rest}`, (error, reply) =>
          this.#finish(done, error, reply),
        );
        this.flush();
      } else {
        this.#finish(done, error, reply);
      }
    });
  }

  /** Sends what was given since the last time. */
  flush(): void {
    if (this.#state !== 'ready' || this.#unsent.length === 0) return;
    let text = '';
    for (const command of this.#unsent) {
      text += command.text;
      this.#sent.push(command);
    }
    this.#unsent = [];
    this.#socket?.write(text, 'latin1');
  }

  /** Connects again, to wherever the server is now. */
  reconnect(reason: string): void {
    this.#socket?.destroy(new Error(reason));
  }

  /** Fails what was not answered yet. */
  close(): void {
    this.#state = 'closed';
    clearInterval(this.#check);
    if (this.#reconnect) clearTimeout(this.#reconnect);
    this.#socket?.destroy();
    const error = new RedisUnavailable('The connection to Redis is closed.');
    const sent = this.#sent.slice(this.#answered);
    this.#sent = [];
    this.#answered = 0;
    for (const command of sent) command.done(error, null);
    this.#failUnsent(error);
  }

  #finish(done: Done, error: Error | null, reply: Reply): void {
    if (!(reply instanceof RedisError)) {
      done(error, reply);
      return;
    }
    done(new RedisUnavailable(`Redis returned an error: ${reply.message}`, { refusal: reply.message }), null);
    // No primary any more: the address may lead to the one that took over.
    if (reply.message.startsWith('READONLY')) this.#socket?.destroy(reply);
  }

  #add(text: string, done: Done): void {
    if (this.#state === 'lost' || this.#state === 'closed') {
      queueMicrotask(() => done(new RedisUnavailable('Redis is unreachable.'), null));
      return;
    }
    this.#unsent.push({ text, done, deadlineMs: performance.now() + this.#options.timeoutMs });
  }

  #connect(): void {
    const located = this.#options.locate();
    if (!(located instanceof Promise)) this.#connectTo(located);
    else {
      located.then(
        (server) => this.#state !== 'closed' && this.#connectTo(server),
        (error: Error) => this.#onClose(error),
      );
    }
  }

  #connectTo(server: ServerAddress): void {
    const reader = new ReplyReader((reply) => this.#onReply(reply));
    const { login } = this.#options;
    const socket = openSocket(server, login.tls, {
      buffer: this.#readBuffer,
      callback: (length) => {
        try {
          reader.read(this.#readBuffer.subarray(0, length));
        } catch (error) {
          socket.destroy(error as Error);
        }
        return true;
      },
    });
    this.#socket = socket;
    this.#connectedTo = nameOf(server);
    const overdue = setTimeout(
      () => socket.destroy(new Error(`no response within ${connectTimeoutMs} ms`)),
      connectTimeoutMs,
    );
    let reason: Error | null = null;
    socket.once(login.tls === null ? 'connect' : 'secureConnect', () => {
      socket.setNoDelay(true);
      // So that a connection that leads nowhere is found before a request needs it.
      socket.setKeepAlive(true, keepAliveMs);
      this.#introduce((error, server) => {
        clearTimeout(overdue);
        if (error) {
          socket.destroy(error);
        } else if (server) {
          this.#state = 'ready';
          this.#backoffMs = 0;
          this.#runId = server.runId;
          this.#options.onReady(server);
          this.flush();
        }
      });
    });
    socket.on('error', (error) => {
      reason = error;
    });
    socket.once('close', () => {
      clearTimeout(overdue);
      this.#onClose(reason ?? new Error('the server closed the connection'));
    });
  }

  /** Signs in, and leaves the scripts with the server. */
  #introduce(done: (error: Error | null, server: RedisServer | null) => void): void {
    const { login, database, role } = this.#options;
    const commands: (string | number)[][] = [];
    const signIn = authentication(login);
    if (signIn !== null) commands.push(signIn);
    if (database !== 0) commands.push(['SELECT', database]);
    for (const script of scripts) commands.push(['SCRIPT', 'LOAD', script.text]);
    // Before anything is written: a replica that still is one refuses that with another error.
    if (role === 'primary') commands.push(['ROLE']);
    const hasDataId = role !== 'cluster member';
    if (hasDataId) commands.push(['EVAL', identifyData, dataKeys.length, ...dataKeys, randomUUID(), restoreMs]);
    commands.push(['INFO']);
    const replies: Reply[] = [];
    const command: Command = {
      text: '',
      deadlineMs: Number.POSITIVE_INFINITY,
      done: (error, reply) => {
        replies.push(reply);
        if (error || replies.length < commands.length) return;
        const isReplica = replies.some((known) => Array.isArray(known) && known[0] !== 'master');
        // Not every user may ask for INFO.
        const failed = replies.slice(0, -1).find((known) => known instanceof RedisError);
        if (isReplica) done(new Error('the server is not the primary'), null);
        else if (failed) done(failed, null);
        else done(null, describe(replies.at(-1)!, hasDataId ? replies.at(-2)! : null));
      },
    };
    this.#sent.push(...commands.map(() => command));
    this.#socket?.write(commands.map(encodeCommand).join(''), 'latin1');
  }

  #onReply(reply: Reply): void {
    const command = this.#sent[this.#answered];
    if (!command) throw new Error('Redis sent an unexpected reply.');
    this.#answered += 1;
    if (this.#answered === this.#sent.length) {
      this.#sent.length = 0;
      this.#answered = 0;
    } else if (this.#answered === 1_024) {
      this.#sent.splice(0, this.#answered);
      this.#answered = 0;
    }
    command.done(null, reply);
  }

  #onClose(reason: Error): void {
    if (this.#state === 'closed') return;
    const wasReady = this.#state === 'ready';
    const wasLost = this.#state === 'lost';
    // After a connection that worked, the next is tried at once, and what was not sent waits for it.
    if (wasReady) this.#state = 'connecting';
    const sent = this.#sent.slice(this.#answered);
    this.#sent = [];
    this.#answered = 0;
    const error = new RedisUnavailable(`Redis is unavailable: ${reason.message}`, { cause: reason });
    for (const command of sent) command.done(error, null);
    if (!wasReady) this.#lose(error, wasLost);
    // Nodes that lost the same server do not all come back at once.
    const delayMs = wasReady ? 0 : this.#backoffMs * (0.5 + Math.random() / 2);
    this.#backoffMs = Math.min(Math.max(this.#backoffMs * 2, firstBackoffMs), maxBackoffMs);
    this.#reconnect = setTimeout(() => this.#connect(), delayMs);
  }

  #lose(error: Error, wasLost: boolean): void {
    this.#state = 'lost';
    this.#failUnsent(error);
    if (!wasLost) this.#options.onLost(error);
  }

  #failUnsent(error: Error): void {
    const commands = this.#unsent;
    this.#unsent = [];
    for (const command of commands) command.done(error, null);
  }

  #checkDeadlines(): void {
    // Replies that arrived while this process was busy are read before the time-out is checked.
    if (this.#overdue()) setImmediate(() => this.#overdue() && this.#giveUp());
  }

  #overdue(): boolean {
    // While a connection is made, what was sent is its introduction.
    const oldest = this.#state === 'ready' ? this.#sent[this.#answered] : this.#unsent[0];
    return oldest !== undefined && oldest.deadlineMs < performance.now();
  }

  #giveUp(): void {
    const error = new RedisUnavailable(`no response within ${this.#options.timeoutMs} ms`);
    // What was sent may have been executed and be answered still: this connection is of no use any more.
    if (this.#state === 'ready') this.#socket?.destroy(error);
    else this.#lose(error, this.#state === 'lost');
  }
}

function describe(info: Reply, data: Reply): RedisServer {
  const lines = new Map<string, string>();
  for (const line of typeof info === 'string' ? info.split('\r\n') : []) {
    const colon = line.indexOf(':');
    if (colon > 0) lines.set(line.slice(0, colon), line.slice(colon + 1));
  }
  // The second is made again when a replica takes over: what that had not received is lost, even if the server did not end.
  const runId = `${lines.get('run_id') ?? randomUUID()} ${lines.get('master_replid') ?? ''}`;
  const [id = null, restoringMs = '0'] = typeof data === 'string' ? data.split(' ') : [];
  return { runId, info: lines, dataId: id, restoringMs: Number(restoringMs) };
}
