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
  const running = new Set<ChildProcess>();
  const killAll = () => {
    for (const server of running) server.kill('SIGKILL');
  };
  process.once('exit', killAll);

  const launch = async (port: number, serverArguments: readonly string[]): Promise<TestServer> => {
    const server = spawn(redisBinary, [...serverArguments], { stdio: 'ignore', cwd: directory });
    running.add(server);
    const login = { tls: null, username: null, password: null };
    const command = (...question: readonly (string | number)[]) =>
      askOnce({ path: null, host: '127.0.0.1', port }, login, question, 5_000);
    await eventually('the server', () =>
      command('PING').then(
        () => true,
        () => false,
      ),
    );
    return {
      port,
      command,
      kill: async () => {
        running.delete(server);
        const ended = once(server, 'exit');
        server.kill('SIGKILL');
        await ended;
      },
      pause: () => server.kill('SIGSTOP'),
      resume: () => server.kill('SIGCONT'),
    };
  };

  return {
    start: async (...settings) => {
      const port = await freePort();
      const folder = mkdtempSync(join(directory, 'server-'));
      const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
      const replication = ['--repl-diskless-sync-delay', '0', '--save', ''];
      return launch(port, [...place, ...replication, ...settings]);
    },
    startSentinel: async (configuration) => {
      const port = await freePort();
      const file = join(mkdtempSync(join(directory, 'sentinel-')), 'sentinel.conf');
      writeFileSync(file, ['bind 127.0.0.1', `port ${port}`, ...configuration].join('\n'));
      return launch(port, [file, '--sentinel']);
    },
    [Symbol.asyncDispose]: async () => {
      process.removeListener('exit', killAll);
      const ended = [...running].map((server) => once(server, 'exit'));
      killAll();
      await Promise.all(ended);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A port of loopback that nothing listens on, low enough for a cluster's second port beside it. */
export async function freePort(): Promise<number> {
  for (;;) {
    // Below the ports that the system itself gives away, to connections as well.
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}
