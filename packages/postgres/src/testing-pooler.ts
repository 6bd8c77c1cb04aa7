import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@millrace/eventually';
import { Client } from 'pg';
import type { ServerLogin } from './embedded.ts';
import type { TestLogins } from './testing-server.ts';

const binary = process.env.MILLRACE_PGBOUNCER || 'pgbouncer';

/** Why tests with a PgBouncer are skipped, or false; for the option `skip`. */
export const withoutPooler: string | false = spawnSync(binary, ['--version']).error
  ? 'no pgbouncer here: install it, or name one in MILLRACE_PGBOUNCER'
  : false;

/** It refuses to run as root. */
const unprivileged = 65_534;

export interface TestPooler {
  /** A login to the same database by the pooler. */
  readonly by: (login: ServerLogin) => ServerLogin;
  stop(): void;
}

/**
 * A PgBouncer in transaction mode before a server, with few connections for many clients; it ends with this process at
 * the latest.
 *
 * @param serverConnections of each database and user
 */
export async function startTestPooler({ owner, service }: TestLogins, serverConnections = 3): Promise<TestPooler> {
  const directory = mkdtempSync(join(tmpdir(), 'millrace-pooler-'));
  const port = await freePort();
  const users = join(directory, 'users.txt');
  const configuration = join(directory, 'pgbouncer.ini');
  writeFileSync(users, [owner, service].map(({ user, password }) => `"${user}" "${password}"\n`).join(''));
  writeFileSync(
    configuration,
    `[databases]
* = host=${owner.host} port=${owner.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${serverConnections}
max_client_conn = 1000
`,
  );
  const asRoot = process.getuid?.() === 0;
  if (asRoot) for (const path of [directory, users, configuration]) chownSync(path, unprivileged, unprivileged);
  chmodSync(directory, 0o755);
  // As the server's own, it has to get through closed folders.
  const capabilities = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'];
  const privileges = asRoot
    ? [`--reuid=${unprivileged}`, `--regid=${unprivileged}`, '--clear-groups', ...capabilities]
    : [];
  const server = spawn('setpriv', [...privileges, '--pdeathsig=SIGKILL', '--', binary, '-q', configuration], {
    stdio: 'ignore',
  });
  const stop = () => {
    process.removeListener('exit', stop);
    server.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  };
  process.once('exit', stop);
  server.unref();
  const by = (login: ServerLogin) => ({ ...login, host: '127.0.0.1', port });
  await eventually('the pooler', async () => {
    const client = new Client({ ...by(owner), connectionTimeoutMillis: 1_000 });
    client.on('error', () => undefined);
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  });
  return { by, stop };
}

/** A port of loopback that nothing listens on. */
async function freePort(): Promise<number> {
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
