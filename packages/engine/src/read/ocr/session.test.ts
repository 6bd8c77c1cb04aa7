import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

test('ONNX Runtime keeps no telemetry to send', async (context) => {
  const home = await mkdtemp(join(tmpdir(), 'home-'));
  context.after(() => rm(home, { recursive: true, force: true }));
  const loading = `const { loadPpOcr } = await import(${JSON.stringify(import.meta.resolve('./ppocr.ts'))});
    await (await loadPpOcr()).close();`;
  await promisify(execFile)(process.execPath, ['--eval', loading], { env: { PATH: process.env.PATH, HOME: home } });
  assert.deepEqual(await readdir(home), [], 'its telemetry waits for a network in a database in the home folder');
});
