import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { isRunning } from '@millrace/processes';
import { runTests } from './run-tests.ts';

describe('a run of tests', () => {
  /** Runs test files with these sources, two at a time. */
  async function run(sources: Readonly<Record<string, string>>, silentMs = 60_000) {
    const root = mkdtempSync(join(tmpdir(), 'millrace-test-runner-'));
    try {
      for (const [path, source] of Object.entries(sources)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), `import { after, suite, test } from 'node:test';\n${source}`);
      }
      let report = '';
      const totals = await runTests({
        root,
        files: Object.keys(sources),
        processes: 2,
        needsDatabase: () => false,
        write: (text) => {
          report += text;
        },
        silentMs,
      });
      return { totals, report, failures: report.slice(report.indexOf('\nFailed:\n')) };
    } finally {
      rmSync(root, { recursive: true });
    }
  }

  test('counts tests, not suites, and lists failures with their errors at the end', async () => {
    const { totals, failures } = await run({
      'apps/a/one.test.ts': `
        suite('of one', () => { test('passes', () => {}); test('fails', () => { throw new Error('one is wrong'); }); });
        test('is skipped', { skip: true }, () => {});`,
      'apps/b/two.test.ts': `test('passes', () => {});`,
    });
    assert.deepEqual(totals, { passed: 2, failed: 1, skipped: 1 });
    assert.match(failures, /✖ apps\/a\/one\.test\.ts: fails\n {2}Error: one is wrong/);
    assert.doesNotMatch(failures, /two\.test/);
  });

  test('keeps the output of a file together', async () => {
    const source = (name: string) =>
      `for (const n of [1, 2, 3]) test('${name}' + n, () => new Promise((done) => setTimeout(done, 30)));`;
    const { report } = await run({ 'apps/a/one.test.ts': source('one'), 'apps/b/two.test.ts': source('two') });
    const order = [...report.matchAll(/✔ (one|two)\d/g)].map(([, name]) => name).join(' ');
    assert.match(order, /^(?:one one one two two two|two two two one one one)$/);
  });

  test('counts a file that cannot be imported, and a hook that fails, as failures', async () => {
    const { totals, failures } = await run({
      'apps/a/one.test.ts': `throw new Error('no such thing');`,
      'apps/b/two.test.ts': `suite('of two', () => { after(() => { throw new Error('unclean'); }); test('passes', () => {}); });`,
    });
    assert.deepEqual(totals, { passed: 1, failed: 2, skipped: 0 });
    assert.match(failures, /✖ apps\/a\/one\.test\.ts\n {2}Error: no such thing/);
    assert.match(failures, /✖ apps\/b\/two\.test\.ts: of two\n {2}Error: unclean/);
  });

  test('counts errors that no code caught, whichever test is at fault', async () => {
    const { totals, failures } = await run({
      'apps/a/one.test.ts': `
        test('leaves something behind', () => { setTimeout(() => { throw new Error('late'); }, 50); });
        test('waits', () => new Promise((done) => setTimeout(done, 300)));`,
      'apps/b/two.test.ts': `
        test('throws after an await', async () => {
          await null;
          await new Promise((done) => setTimeout(done, 10));
          setTimeout(() => { throw new Error('thrown later'); }, 10);
          await new Promise((done) => setTimeout(done, 300));
        });
        test('passes', () => {});`,
      'apps/c/three.test.ts': `
        test('rejects', async () => {
          await new Promise((done) => setTimeout(done, 10));
          void Promise.reject(new Error('nobody waited'));
          await new Promise((done) => setTimeout(done, 100));
        });`,
    });
    assert.equal(totals.failed, 3);
    assert.match(failures, /✖ apps\/a\/one\.test\.ts: waits\n.*\n(?:.*\n)*? {2}.*late/);
    assert.match(failures, /✖ apps\/b\/two\.test\.ts: throws after an await\n(?:.*\n)*? {2}.*thrown later/);
    assert.match(failures, /✖ apps\/c\/three\.test\.ts: rejects\n(?:.*\n)*? {2}.*nobody waited/);
  });

  test('names the file of a process that crashes, and runs the files behind it', async () => {
    const { totals, failures } = await run({
      'apps/a/one.test.ts': `test('dies', () => { process.kill(process.pid, 'SIGKILL'); });`,
      'apps/a/two.test.ts': `test('passes', () => {});`,
      'apps/a/three.test.ts': `test('passes too', () => {});`,
    });
    assert.deepEqual(totals, { passed: 2, failed: 1, skipped: 0 });
    assert.match(failures, /✖ apps\/a\/one\.test\.ts\n {2}The process ended during “dies”: SIGKILL\./);
  });

  test('ends its processes where it is killed itself', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-test-runner-'));
    const pidFile = join(folder, 'pid');
    writeFileSync(
      join(folder, 'waits.test.ts'),
      `import { writeFileSync } from 'node:fs';
      import { test } from 'node:test';
      test('waits', () => { writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); return new Promise(() => setInterval(() => {}, 1_000)); });`,
    );
    writeFileSync(
      join(folder, 'parent.ts'),
      `import { runBatch } from ${JSON.stringify(new URL('./run-batch.ts', import.meta.url).href)};
      await runBatch(${JSON.stringify(folder)}, ['waits.test.ts'], { environment: process.env });`,
    );
    const parent = spawn(process.execPath, [join(folder, 'parent.ts')], { stdio: 'ignore' });
    try {
      const pid = await eventually('the test', () => existsSync(pidFile) && Number(readFileSync(pidFile, 'utf8')));
      parent.kill('SIGKILL');
      await eventually('the end of its process', () => !isRunning(pid));
    } finally {
      parent.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    }
  });

  test('ends a process that hangs, and names its file', async () => {
    const { totals, failures } = await run({ 'apps/a/one.test.ts': `test('hangs', () => { for (;;); });` }, 3_000);
    assert.deepEqual(totals, { passed: 0, failed: 1, skipped: 0 });
    assert.match(
      failures,
      /✖ apps\/a\/one\.test\.ts\n {2}No test ended for 3 s; the process was ended during “hangs”\./,
    );
  });

  test('runs what compares the calls of all browser tests when they have ended', async () => {
    const source = (name: string, waitMs: number) =>
      `test('${name}', () => new Promise((done) => setTimeout(done, ${waitMs})));`;
    const { report } = await run({
      'apps/a/test/uncalled-operations.test.ts': source('last', 0),
      'apps/a/test/a.test.ts': source('slow', 300),
      'apps/b/test/b.test.ts': source('quick', 0),
    });
    assert.match(report, /slow[\s\S]*last/);
  });
});
