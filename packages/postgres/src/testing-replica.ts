import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type EmbeddedPostgres, startEmbedded } from './embedded.ts';

/** A primary and its streaming replica, both embedded servers of a test's own. */
export interface TestReplication extends AsyncDisposable {
  readonly primary: EmbeddedPostgres;
  readonly replica: EmbeddedPostgres;
  /** Lets the replica fall behind: it goes on to receive the primary's log, and replays nothing of it. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends every connection to the replica. */
  disconnect(): Promise<void>;
  /** Makes the replica a primary of its own, with a history of its own from here on. */
  promote(): Promise<void>;
}

export async function startTestReplication(): Promise<TestReplication> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'millrace-replication-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const [primaryFolder, replicaFolder] = [join(folder, 'primary'), join(folder, 'replica')];
  const primary = await startEmbedded({ dataDirectory: primaryFolder, replicates: true });
  stack.defer(() => primary.stop());
  await copyCluster(primary, primaryFolder, replicaFolder);
  const replica = await startEmbedded({ dataDirectory: replicaFolder, durable: false, replicates: true });
  stack.defer(() => replica.stop());
  const administer = async (statement: string) => {
    const client = new Client({ ...replica.owner });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  const kept = stack.move();
  return {
    primary,
    replica,
    pause: () => administer('select pg_wal_replay_pause()'),
    resume: () => administer('select pg_wal_replay_resume()'),
    disconnect: () =>
      administer("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'millrace_service'"),
    promote: () => administer('select pg_promote()'),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** A base backup by the server's functions, with what makes it a replica: https://www.postgresql.org/docs/current/continuous-archiving.html */
async function copyCluster({ owner }: EmbeddedPostgres, from: string, to: string): Promise<void> {
  const client = new Client({ ...owner });
  await client.connect();
  try {
    await client.query("select pg_backup_start('replica', true)");
    execFileSync('cp', ['-a', from, to]);
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
    const cluster = join(to, 'cluster');
    rmSync(join(cluster, 'postmaster.pid'), { force: true });
    writeFileSync(join(cluster, 'backup_label'), rows[0].labelfile);
    writeFileSync(join(cluster, 'standby.signal'), '');
    const login = `host=${owner.host} port=${owner.port} user=${owner.user} password=${owner.password}`;
    appendFileSync(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${login}'\nhot_standby = on\n`);
  } finally {
    await client.end();
  }
}
