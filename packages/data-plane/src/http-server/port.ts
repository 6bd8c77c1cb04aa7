import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** The address for callers. */
export interface PortOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Whether other gateways of this machine and user may have it too, if they all say so. */
  readonly sharesPort: boolean;
}

/**
 * Number of accept queues. The event loop takes one connection of each per turn, and a turn is as long as
 * it takes to serve all that were taken: with one queue, the last of 64 simultaneous connections waits for 64 turns.
 */
const queuesOfPort = process.platform === 'linux' ? 16 : 1;
const backlog = 1_024;
/** How long incoming connections are accepted during a close. */
const acceptMs = 200;

/** Accepts callers. Their connections stay open for pending responses after they have ended their side. */
export class Port {
  readonly #accept: (socket: Socket) => void;
  readonly #pauseOnConnect: boolean;
  readonly #queues: Server[] = [];
  #claim: Server | null = null;

  /** With `pauseOnConnect`, nothing is read from a socket until it is resumed. */
  constructor(accept: (socket: Socket) => void, pauseOnConnect: boolean) {
    this.#accept = accept;
    this.#pauseOnConnect = pauseOnConnect;
  }

  /**
   * Accepts callers, and returns the port.
   *
   * @throws Error of `listen`; with the code `EADDRINUSE` also where a gateway has the port that does not share it
   */
  async open({ host, port, sharesPort }: PortOptions): Promise<number> {
    try {
      if (queuesOfPort === 1) return await this.#openQueue({ host, port, reusePort: sharesPort });
      // Several queues share a port, so the system no longer reports whether another program has it.
      if (sharesPort) await checkUnclaimed(host, port);
      else if (port !== 0) {
        await this.#claimFor(host, port);
        await checkFree(host, port);
      }
      const opened = await this.#openQueue({ host, port, reusePort: true });
      if (!sharesPort && port === 0) await this.#claimFor(host, opened);
      while (this.#queues.length < queuesOfPort) await this.#openQueue({ host, port: opened, reusePort: true });
      return opened;
    } catch (error) {
      // Accepted connections may stay for long.
      void this.#end();
      throw error;
    }
  }

  /**
   * Takes no more connections, and resolves when the last one is closed. Those that the system has let in already are
   * accepted first: it would reset them, with the requests that they have brought. Of a port that others share the system
   * goes on letting callers in until the very end: who comes in the last moment is reset, unless it moves them to the others
   * (`net.ipv4.tcp_migrate_req` of Linux).
   */
  async close(): Promise<void> {
    let isAccepting = true;
    for (const queue of this.#queues) {
      queue.on('connection', () => {
        isAccepting = true;
      });
    }
    const endMs = performance.now() + acceptMs;
    await setImmediate();
    // From one immediate to the next the system is asked for connections once; it gives one of each queue at a time.
    while (isAccepting && performance.now() < endMs) {
      isAccepting = false;
      await setImmediate();
    }
    await this.#end();
  }

  async #end(): Promise<void> {
    const servers = this.#claim === null ? this.#queues : [...this.#queues, this.#claim];
    await Promise.all(servers.map(closed));
  }

  async #openQueue(where: ListenOptions): Promise<number> {
    const queue = createServer({ allowHalfOpen: true, pauseOnConnect: this.#pauseOnConnect }, this.#accept);
    await listening(queue, { ...where, backlog });
    this.#queues.push(queue);
    // A server on a port reports its address as an object.
    return (queue.address() as AddressInfo).port;
  }

  /** Claims the port against other gateways, if none of them has. */
  async #claimFor(host: string, port: number): Promise<void> {
    const claim = createServer(refuse);
    await listening(claim, { path: claimOf(host, port) });
    this.#claim = claim;
  }
}

/** Why the port can't be shared, with what to do; null if the error has another cause. */
export function sharingFault(error: unknown, port: number): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOTSUP' || code === 'ENOPROTOOPT') {
    return 'This system can’t share a port between programs. Set MILLRACE_GATEWAY_SHARE_PORT to 0 and give each node its own port, with a load balancer in front.';
  }
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use by a program that doesn’t share it. Stop it, or start it with MILLRACE_GATEWAY_SHARE_PORT=1 as the same user.`;
  }
  return null;
}

/** Such a name of Linux is seen where the port is seen, and ends with the program. The system cuts what is too long of it. */
function claimOf(host: string, port: number): string {
  return `\0millrace-gateway ${port} ${host}`;
}

/** Whether no program listens there, not even one that would share it. */
async function checkFree(host: string, port: number): Promise<void> {
  const alone = createServer(refuse);
  await listening(alone, { host, port });
  await closed(alone);
}

async function checkUnclaimed(host: string, port: number): Promise<void> {
  const socket = connect({ path: claimOf(host, port) });
  const isClaimed = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  if (isClaimed) {
    throw Object.assign(new Error(`listen EADDRINUSE: address already in use ${host}:${port}`), { code: 'EADDRINUSE' });
  }
}

function refuse(socket: Socket): void {
  socket.destroy();
}

async function listening(server: Server, where: ListenOptions): Promise<void> {
  server.listen(where);
  await once(server, 'listening');
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
