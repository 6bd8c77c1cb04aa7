import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startTestControl, type TestControl } from '@millrace/control/testing';

const apiKey = 'mr_test_key_of_the_stop_tests';

/** A role in a process of its own: where it answers, and its process. */
interface Role {
  readonly address: string;
  readonly child: ChildProcess;
}

describe('at SIGTERM', { concurrency: true }, () => {
  let control: TestControl;
  const folder = mkdtempSync(join(tmpdir(), 'millrace-test-stop-'));
  const children: ChildProcess[] = [];
  before(async () => {
    control = await startTestControl();
  });
  after(async () => {
    for (const child of children) child.kill('SIGKILL');
    await control.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(name: string, entry: string, words: readonly string[] = []): Promise<Role> {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', resolve(import.meta.dirname, '..', entry), ...words],
      {
        env: {
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          DATABASE_URL: control.opened.url,
          BLOB_URL: `file://${join(folder, 'blobs')}`,
          MILLRACE_DATA_DIR: join(folder, name),
          MILLRACE_ENCRYPTION_KEY: control.encryptionKey.toString('hex'),
          MILLRACE_API_KEY: apiKey,
          MILLRACE_EXTRACTION_PORT: '0',
          MILLRACE_WORKER_PORT: '0',
          MILLRACE_CONTROL_PORT: '0',
          MILLRACE_WORKERS: '1',
          MILLRACE_SEED: '0',
          MILLRACE_RATE_LIMIT_PER_MINUTE: '1000000',
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    children.push(child);
    let output = '';
    for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      output += text;
      const [, address] = /^Millrace .*?(http:\/\/127\.0\.0\.1:\d+)/m.exec(output) ?? [];
      if (address === undefined) continue;
      child.stdout.resume();
      return { address, child };
    }
    throw new Error(`${name} ended: ${output}`);
  }

  /**
   * Calls without a pause over connections that are kept alive, as a load balancer does, stops the process in their
   * midst, and waits for its end. A caller leaves when a response ends its connection.
   */
  async function stopUnderLoad({ address, child }: Role, path: string, headers: Record<string, string> = {}) {
    const statuses = new Set<number | undefined>();
    let answered = 0;
    const enough = Promise.withResolvers<void>();
    const call = async (): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (;;) {
        const calling = request(address + path, { agent, headers });
        calling.end();
        const [response] = (await once(calling, 'response')) as [IncomingMessage];
        await response.resume().toArray();
        statuses.add(response.statusCode);
        if (++answered === 100) enough.resolve();
        if (response.headers.connection === 'close') return;
      }
    };
    const calls = Promise.all(Array.from({ length: 8 }, call));
    await Promise.race([enough.promise, calls]);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await calls;
    const [code] = await ended;
    return { code, statuses: [...statuses] };
  }

  test('the extraction API answers every call that it has taken', async () => {
    const role = await start('extraction', 'apps/extraction/src/main.ts', ['--role=api']);
    const stopped = await stopUnderLoad(role, '/api/external/v1/jobs/job_missing', { 'x-api-key': apiKey });
    assert.deepEqual(stopped, { code: 0, statuses: [404] });
  });

  test('API management answers every call that it has taken', async () => {
    const role = await start('control', 'apps/control/src/main.ts');
    const stopped = await stopUnderLoad(role, '/api/environments');
    assert.deepEqual(stopped, { code: 0, statuses: [401] });
  });

  test('a worker ends well', async () => {
    const { child } = await start('worker', 'apps/extraction/src/main.ts', ['--role=worker']);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  });
});
