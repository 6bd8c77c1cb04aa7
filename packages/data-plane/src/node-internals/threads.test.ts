import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

test('V8’s threads are less urgent than the main one', () => {
  const script = `
    import { readdirSync, readFileSync } from 'node:fs';
    import { getPriority } from 'node:os';
    const { yieldToMainThread } = await import(${JSON.stringify(new URL('./threads.ts', import.meta.url).href)});
    const before = getPriority(process.pid);
    const found = yieldToMainThread();
    const threads = readdirSync('/proc/self/task').map((thread) => ({
      name: readFileSync('/proc/self/task/' + thread + '/comm', 'utf8').trim(),
      isMain: Number(thread) === process.pid,
      niceness: getPriority(Number(thread)) - before,
    }));
    console.log(JSON.stringify({ found, threads }));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  const { found, threads }: { found: number; threads: { name: string; isMain: boolean; niceness: number }[] } =
    JSON.parse(output);
  const workers = threads.filter(({ name }) => name === 'V8Worker');
  // Another version of Node may call them otherwise: then nothing would be changed, and nobody would notice.
  assert.ok(workers.length > 0, JSON.stringify(threads));
  assert.equal(found, workers.length);
  assert.ok(
    workers.every(({ niceness }) => niceness > 0),
    JSON.stringify(threads),
  );
  assert.equal(threads.find(({ isMain }) => isMain)?.niceness, 0);
});
