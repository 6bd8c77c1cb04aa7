/**
 * Runs every test of the repository in one process: `npm test`, or `npm test -- TEXT…` for the files whose path
 * contains one of the texts. It needs what `npm ci` installs, Chromium for the browser tests and a Redis server for
 * shared limits; both are installed if possible. The last line is `N passed, N failed`.
 */
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const root = resolve(import.meta.dirname, '..');
const wanted = process.argv.slice(2);
const files = globSync('{apps,packages,bench,scripts}/**/*.test.ts', {
  cwd: root,
  exclude: (name) => name === 'node_modules',
})
  .filter((file) => wanted.length === 0 || wanted.some((text) => file.includes(text)))
  .sort()
  .map((file) => resolve(root, file));

if (files.length === 0) {
  console.error(`No test file has ${wanted.join(' or ')} in its path.`);
  process.exit(2);
}

if (files.some((file) => file.includes('/apps/console/') || file.includes('/apps/dashboard/'))) {
  execFileSync(resolve(import.meta.dirname, 'install-browser'), { stdio: 'inherit' });
}
if (files.some((file) => /\/(?:packages\/(?:counters|data-plane|policies)|apps\/gateway)\//.test(file))) {
  execFileSync(resolve(import.meta.dirname, 'install-servers'), { stdio: 'inherit' });
}

let passed = 0;
let failed = 0;
let skipped = 0;
const tests = run({ files, isolation: 'none' });
tests.on('test:summary', ({ counts }) => {
  passed = counts.passed;
  skipped = counts.skipped + counts.todo;
  failed = counts.tests - passed - skipped;
});
const report = tests.compose(new spec());
for await (const text of report) process.stdout.write(text);

if (skipped > 0) console.log(`${skipped} skipped`);
console.log(`${passed} passed, ${failed} failed`);
// Exit immediately: a connection that a failed test left open would keep the process running.
process.exit(failed > 0 || passed === 0 ? 1 : 0);
