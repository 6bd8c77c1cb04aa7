/**
 * Runs the repository's tests: `npm test` all of them, `npm test -- TEXT…` the files whose path has one of the texts in
 * it, `npm test -- --changed` those that can depend on what was changed since main. They need what `npm ci` installs
 * and, for the pages, a Chromium, for shared limits a Redis server, which are installed where that is allowed. The last
 * line is `N passed, N failed`.
 */
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { changedFiles } from './tests/changed-files.ts';
import { Reach, testsReachedBy } from './tests/reach.ts';
import { runTests } from './tests/run-tests.ts';
import { keepTemporaryFilesInMemory } from './tests/temporary-files.ts';

const root = resolve(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  options: {
    changed: { type: 'boolean', default: false },
    /** How many processes run tests at once. */
    processes: { type: 'string', default: String(Math.min(availableParallelism() + 2, 8)) },
  },
  allowPositionals: true,
});

const all = globSync('{apps,packages,bench,scripts}/**/*.test.ts', {
  cwd: root,
  exclude: (name) => name === 'node_modules',
}).sort();
const named = all.filter((file) => positionals.length === 0 || positionals.some((text) => file.includes(text)));
const files = values.changed ? testsReachedBy(root, named, changedFiles(root)) : named;
if (files.length === 0) {
  console.error(
    values.changed
      ? 'No test depends on what was changed.'
      : `No test file has ${positionals.join(' or ')} in its path.`,
  );
  process.exit(values.changed ? 0 : 2);
}

if (files.some((file) => /^(?:apps\/(?:console|dashboard|portal)|packages\/portal-pages)\//.test(file))) {
  execFileSync(resolve(import.meta.dirname, 'install-browser'), { stdio: 'inherit' });
}
if (files.some((file) => /^(?:packages\/(?:counters|data-plane|policies)|apps\/gateway)\//.test(file))) {
  execFileSync(resolve(import.meta.dirname, 'install-servers'), { stdio: 'inherit' });
}

keepTemporaryFilesInMemory();
const reach = new Reach(root);
const { passed, failed, skipped } = await runTests({
  root,
  files,
  processes: Number(values.processes),
  needsDatabase: (file) => reach.of(file).has('packages/postgres/src/testing.ts'),
  write: (text) => process.stdout.write(text),
});
if (skipped > 0) console.log(`${skipped} skipped`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
