import { connect as connectPlain, isIP, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ServerAddress } from './address.ts';
import { encodeCommand, RedisError, type Reply, ReplyReader } from './protocol.ts';
import type { Script } from './scripts.ts';

/** Why a command was not answered. */
export class RedisUnavailable extends Error {
  override name = 'RedisUnavailable';
  /** The server's error, where it answered with one and did nothing. */
  readonly refusal: string | null;

  constructor(
    message: string,
    { refusal = null, ...options }: ErrorOptions & { readonly refusal?: string | null } = {},
  ) {
    super(message, options);
    this.refusal = refusal;
  }
}

/** A slot of a cluster is on its way to another server, and only some of a script's keys are there: ask key by key. */
export function isMovingSlot(error: Error): boolean {
  return error instanceof RedisUnavailable && error.refusal !== null && error.refusal.startsWith('TRYAGAIN');
}

export type Done = (error: Error | null, reply: Reply) => void;

/**
 * Where scripts run: on one server, or on those of a cluster. Keys are in parts; those of one part are always on the same
 * server, and a script takes keys of one part.
 */
export interface RedisServers {
  readonly parts: number;
  /** The part of keys that are counted together under this name. */
  partOf(group: string): number;
  /** What a key of a part has in its name so that it stays there. */
  tagOf(part: number): string;
  /** Whether scripts can be sent to the server of a part. */
  isReady(part: number): boolean;
  /** Changes whenever the server of a part may have lost counts: it was started, or took over from another. */
  runOf(part: number): string;
  /**
   * Runs a script over some keys. Send it by {@link flush}.
   *
   * @param done called later, once: with an error where the script was not run, or may or may not have been
   */
  run(script: Script, part: number, keyCount: number, encodedKeysAndArguments: string, done: Done): void;
  /** Sends what was given since the last time. */
  flush(): void;
  /** Fails what was not answered yet. */
  close(): void;
}

/** How servers are reached, besides their address. */
export interface RedisLogin {
  /** Null without TLS. */
  readonly tls: TlsTrust | null;
  readonly username: string | null;
  readonly password: string | null;
}

/** Whom to believe that it is the server. */
export interface TlsTrust {
  /** PEM; those of Node where it is not given. */
  readonly certificateAuthority: string | undefined;
  /** Name in the servers' certificates; by default the host of each. */
  readonly serverName: string | undefined;
}

/** Opens a socket to a server; `secureConnect` or `connect` says when it is there. */
export function openSocket({ path, host, port }: ServerAddress, tls: TlsTrust | null, onread: OnReadOpts): Socket {
  const where = path === null ? { host, port } : { path };
  if (tls === null) return connectPlain({ ...where, onread });
  const { certificateAuthority: ca, serverName: name = isIP(host) ? undefined : host } = tls;
  // Without a name, the certificate is checked for the address.
  return connectTls({ ...where, servername: name ?? '', ...(ca && { ca }), onread } as object);
}

/** The command that signs in; null where the server asks for nothing. */
export function authentication({ username, password }: RedisLogin): string[] | null {
  if (password === null) return null;
  return ['AUTH', ...(username === null ? [] : [latin1(username)]), latin1(password)];
}

/** UTF-8 as characters of one byte each. */
function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/**
 * Asks a server one question on a connection of its own.
 *
 * @throws RedisUnavailable if it doesn't answer in time, or with an error
 */
export function askOnce(
  server: ServerAddress,
  login: RedisLogin,
  question: readonly (string | number)[],
  timeoutMs: number,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const signIn = authentication(login);
    const replies: Reply[] = [];
    const buffer = Buffer.allocUnsafeSlow(16_384);
    const reader = new ReplyReader((reply) => {
      replies.push(reply);
      if (reply instanceof RedisError) fail(reply);
      else if (replies.length === (signIn === null ? 1 : 2)) end(() => resolve(reply));
    });
    const socket = openSocket(server, login.tls, {
      buffer,
      callback: (length) => {
        try {
          reader.read(buffer.subarray(0, length));
        } catch (error) {
          fail(error as Error);
        }
        return true;
      },
    });
    const end = (settle: () => void) => {
      clearTimeout(overdue);
      socket.destroy();
      settle();
    };
    const fail = (error: Error) =>
      end(() => reject(new RedisUnavailable(`Redis is unavailable: ${error.message}`, { cause: error })));
    const overdue = setTimeout(() => fail(new Error(`no response within ${timeoutMs} ms`)), timeoutMs);
    socket.once(login.tls === null ? 'connect' : 'secureConnect', () => {
      socket.write((signIn === null ? '' : encodeCommand(signIn)) + encodeCommand(question), 'latin1');
    });
    socket.on('error', fail);
    socket.once('close', () => fail(new Error('the server closed the connection')));
  });
}

/** The same for the same server. */
export function nameOf({ path, host, port }: ServerAddress): string {
  return path ?? `${host}:${port}`;
}
