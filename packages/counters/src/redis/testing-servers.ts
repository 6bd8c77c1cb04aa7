import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@millrace/eventually';
import { redisBinary } from '../testing.ts';
import type { Reply } from './protocol.ts';
import { askOnce } from './servers.ts';

/** A Redis server, or a sentinel, of a test's own, on a port of loopback. */
export interface TestServer {
  readonly port: number;
  /** @throws RedisUnavailable if it doesn't answer, or with an error */
  command(...question: readonly (string | number)[]): Promise<Reply>;
  /** As a crash does. */
  kill(): Promise<void>;
  /** Suspends it: it is there, and does not answer. */
  pause(): void;
  resume(): void;
}

/** Servers that end, with all their data, when the test does. */
export interface TestServers extends AsyncDisposable {
  start(...settings: readonly string[]): Promise<TestServer>;
  /** @param configuration lines of its configuration file */
  startSentinel(configuration: readonly string[]): Promise<TestServer>;
}

export function openTestServers(): TestServers {
  const directory = mkdtempSync(join(tmpdir(), 'millrace-redis-servers-'));
  /** With their ends, noted at the start: one may end at any time. */
  const running = new Map<ChildProcess, Promise<unknown>>();
  const killAll = () => {
    for (const server of running.keys()) server.kill('SIGKILL');
  };
  process.once('exit', killAll);

  /** Null where it ended before it answered, as it does when a port of its own has just been taken. */
  const launch = async (port: number, serverArguments: readonly string[]): Promise<TestServer | null> => {
    const server = spawn(redisBinary, [...serverArguments], { stdio: 'ignore', cwd: directory });
    const ended = once(server, 'exit');
    running.set(server, ended);
    const login = { tls: null, username: null, password: null };
    const command = (...question: readonly (string | number)[]) =>
      askOnce({ path: null, host: '127.0.0.1', port }, login, question, 5_000);
    const isReady = await eventually('the server', async () => {
      if (server.exitCode !== null) return { value: false };
      const information = await command('INFO', 'server').catch(() => null);
      // What answers may be a server of another test.
      return String(information).includes(`process_id:${server.pid}\r`) && { value: true };
    });
    if (!isReady.value) return null;
    return {
      port,
      command,
      kill: async () => {
        running.delete(server);
        server.kill('SIGKILL');
        await ended;
      },
      pause: () => server.kill('SIGSTOP'),
      resume: () => server.kill('SIGCONT'),
    };
  };

  /** @param argumentsFor a port */
  const launchOnFreePort = async (argumentsFor: (port: number) => readonly string[]): Promise<TestServer> => {
    for (let attempt = 0; attempt < 5; attempt++) {
      const port = await freePort();
      const server = await launch(port, argumentsFor(port));
      if (server !== null) return server;
    }
    throw new Error('No Redis server started, on five ports.');
  };

  return {
    start: (...settings) =>
      launchOnFreePort((port) => {
        const folder = mkdtempSync(join(directory, 'server-'));
        const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
        const replication = ['--repl-diskless-sync-delay', '0', '--save', ''];
        return [...place, ...replication, ...settings];
      }),
    startSentinel: (configuration) =>
      launchOnFreePort((port) => {
        const file = join(mkdtempSync(join(directory, 'sentinel-')), 'sentinel.conf');
        writeFileSync(file, ['bind 127.0.0.1', `port ${port}`, ...configuration].join('\n'));
        return [file, '--sentinel'];
      }),
    [Symbol.asyncDispose]: async () => {
      process.removeListener('exit', killAll);
      killAll();
      await Promise.all(running.values());
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A cluster's servers talk to each other on a second port, this far from the first. */
export const clusterPortDistance = 10_000;

/** A port of loopback that nothing listens on, nor on the one that a cluster's server has beside it. */
export async function freePort(): Promise<number> {
  for (;;) {
    // Both below the ports that the system itself gives away, from 32,768 on, to connections as well.
    const port = 10_000 + Math.floor(Math.random() * 12_000);
    if ((await isFree(port)) && (await isFree(port + clusterPortDistance))) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  const isBound = await new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (isBound) await new Promise((resolve) => probe.close(resolve));
  return isBound;
}
