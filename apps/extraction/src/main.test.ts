import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { eventually } from '@millrace/eventually';
import { isRunning } from '@millrace/processes';
import {
  descendantsOf,
  makeDataFolder,
  removeDataFolder,
  type ServiceProcess,
  startProcess,
  testApiKey,
  testEnvironment,
} from './testing.ts';

describe('start and stop', () => {
  let dataFolder: string;
  let service: ServiceProcess;
  const admin = async (...words: string[]): Promise<string> => {
    const command = [join(import.meta.dirname, 'admin', 'main.ts'), ...words];
    const { stdout } = await promisify(execFile)(process.execPath, command, { env: testEnvironment(dataFolder) });
    return stdout;
  };
  const statusWith = async (apiKey: string): Promise<number> =>
    (await fetch(`${service.address}/api/external/v1/health`, { headers: { 'x-api-key': apiKey } })).status;

  before(async () => {
    dataFolder = await makeDataFolder();
    // The first start of all shows a key of its own making.
    service = await startProcess(dataFolder, { settings: { MILLRACE_API_KEY: '' } });
  });
  after(async () => {
    await service.end('SIGKILL');
    await removeDataFolder(dataFolder);
  });

  test('the first start shows the sign-in, a key that works and a call to paste', async () => {
    const [, apiKey = ''] = /API key: (\S+)/.exec(service.output()) ?? [];
    assert.match(service.output(), /Administrator: admin@millrace\.local {3}password: \S{12,}/);
    assert.match(service.output(), new RegExp(`curl -H "X-API-Key: ${apiKey}" -F document=@\\S+ .*${service.address}`));
    assert.equal(await statusWith(apiKey), 200);
  });

  test('it serves its health and its metrics', async () => {
    assert.deepEqual(await (await fetch(`${service.address}/healthz`)).json(), { ok: true });
    assert.deepEqual(await (await fetch(`${service.address}/readyz`)).json(), {
      ready: true,
      checks: { running: true, database: true, storage: true },
    });
    const metrics = await (await fetch(`${service.address}/metrics`)).text();
    assert.match(metrics, /^millrace_jobs\{state="queued"\} 0$/m);
    assert.match(metrics, /^millrace_http_request_duration_seconds_count\{.*route="\/readyz",status="200"\} 1$/m);
  });

  test('a second process on the same data says who uses it, and a second one on the same port names the port', async () => {
    const otherFolder = await makeDataFolder();
    const port = new URL(service.address).port;
    const [second, onPort] = await Promise.all([
      startProcess(dataFolder),
      startProcess(otherFolder, { settings: { MILLRACE_EXTRACTION_PORT: port } }),
    ]);
    assert.match(second.output(), new RegExp(`in use by the process ${service.processId}`));
    assert.match(onPort.output(), new RegExp(`Port ${port} of 127\\.0\\.0\\.1 is in use`));
    assert.equal(await onPort.end('SIGKILL'), 1);
    await removeDataFolder(otherFolder);
  });

  test('the management commands work beside the service: a key made works at once, and no longer once revoked', async () => {
    const created = JSON.parse(await admin('keys', 'create', '--name', 'Test', '--json'));
    assert.equal(await statusWith(created.key), 200);
    await admin('keys', 'revoke', created.id);
    assert.equal(await statusWith(created.key), 401);
    assert(!(await admin('keys', 'list')).includes(created.key));
  });

  test('Ctrl-C stops everything, and the commands work without the service', async () => {
    const processes = await descendantsOf(service.processId);
    assert(processes.length > 0);
    assert.equal(await service.end('SIGINT'), 0);
    assert.deepEqual(processes.filter(isRunning), []);
    assert.match(await admin('accounts', 'list'), /Default/);
  });

  test('a later start shows no secret, and a kill -9 leaves nothing running and nothing broken', async () => {
    service = await startProcess(dataFolder);
    assert.match(service.output(), /To create an API key: npm run admin -- keys create/);
    assert.doesNotMatch(service.output(), /password|mr_live_/);
    assert.equal(await statusWith(testApiKey), 401);
    const processes = await descendantsOf(service.processId);
    assert.equal(await service.end('SIGKILL'), null);
    await eventually('all processes to end', () => !processes.some(isRunning));
    assert.match(await admin('accounts', 'list'), /Default/);
  });

  test('a start with wrong settings names every one of them', async () => {
    const failed = await startProcess(dataFolder, {
      settings: { MILLRACE_EXTRACTION_PORT: 'x', MILLRACE_MAX_PAGES: '0', MILLRACE_WORKRES: '2' },
    });
    assert.match(failed.output(), /MILLRACE_EXTRACTION_PORT must be/);
    assert.match(failed.output(), /MILLRACE_MAX_PAGES must be/);
    assert.equal(await failed.end('SIGKILL'), 1);
  });

  test('a start with another encryption key than before is refused', async () => {
    const failed = await startProcess(dataFolder, { settings: { MILLRACE_ENCRYPTION_KEY: '0f'.repeat(32) } });
    assert.match(failed.output(), /MILLRACE_ENCRYPTION_KEY.* is not the one/);
    assert.equal(await failed.end('SIGKILL'), 1);
  });
});
