import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbedded } from './embedded.ts';

/** The logins of a server that several processes of one test run use, one after the other. */
export type TestLogins = Pick<EmbeddedPostgres, 'owner' | 'service'>;

const variable = 'MILLRACE_TEST_POSTGRES';

export interface TestServer extends TestLogins {
  /** For processes that are to use this server. */
  readonly environment: Readonly<Record<string, string>>;
  /** At once, with all its data. */
  stop(): void;
}

/** The server that the process that started this one gave it. */
export function givenTestServer(): TestLogins | null {
  const given = process.env[variable];
  return given === undefined ? null : (JSON.parse(given) as TestLogins);
}

/** A server for tests on a folder of its own; it ends with this process at the latest. */
export async function startTestServer(): Promise<TestServer> {
  removeLeftovers();
  const folder = mkdtempSync(join(tmpdir(), `millrace-test-postgres-${process.pid}-`));
  const started = await startEmbedded({ dataDirectory: folder, durable: false });
  const { owner, service } = started;
  const stop = () => {
    process.removeListener('exit', stop);
    void started.stop();
    // SIGQUIT: at once, without a checkpoint; nothing of it is needed again. The server's last act is to remove its lock.
    try {
      process.kill(started.processId, 'SIGQUIT');
    } catch {
      // Gone already.
    }
    const clock = new Int32Array(new SharedArrayBuffer(4));
    for (let waits = 0; waits < 200 && existsSync(join(folder, 'cluster', 'postmaster.pid')); waits++) {
      Atomics.wait(clock, 0, 0, 10);
    }
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', stop);
  return { owner, service, environment: { [variable]: JSON.stringify({ owner, service }) }, stop };
}

/** Removes the folders of test processes that were killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const processId = Number(name.match(/^millrace-test-postgres-(\d+)-/)?.[1] ?? Number.NaN);
    if (Number.isNaN(processId)) continue;
    try {
      process.kill(processId, 0);
    } catch {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    }
  }
}
