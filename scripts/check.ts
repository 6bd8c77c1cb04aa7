/** Checks the source without running it: `npm run check`. */
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const tool = (name: string) => join(root, 'node_modules', '.bin', name);
const checks: readonly { readonly name: string; readonly command: string; readonly arguments: readonly string[] }[] = [
  { name: 'lint and format', command: tool('biome'), arguments: ['check', '.'] },
  { name: 'types', command: tool('tsc'), arguments: ['-p', '.'] },
  { name: 'types of the console', command: tool('tsc'), arguments: ['-p', 'apps/console'] },
  { name: 'types of the dashboard', command: tool('tsc'), arguments: ['-p', 'apps/dashboard'] },
  { name: 'types of the developer portal', command: tool('tsc'), arguments: ['-p', 'apps/portal'] },
  {
    name: 'types of the console’s tests',
    command: tool('tsc'),
    arguments: ['-p', 'apps/console/tsconfig.tests.json'],
  },
  {
    name: 'types of the dashboard’s tests',
    command: tool('tsc'),
    arguments: ['-p', 'apps/dashboard/tsconfig.tests.json'],
  },
  {
    name: 'types of the portal’s script',
    command: tool('tsc'),
    arguments: ['-p', 'packages/portal-pages/browser'],
  },
  {
    name: 'types of the developer portal’s tests',
    command: tool('tsc'),
    arguments: ['-p', 'apps/portal/tsconfig.tests.json'],
  },
  { name: 'boundaries', command: process.execPath, arguments: [join(root, 'scripts/boundaries.ts')] },
  { name: 'dead code', command: tool('knip'), arguments: ['--no-progress'] },
  // scripts/complete-lock.ts fixes failures of this check.
  { name: 'package-lock.json', command: 'npm', arguments: ['ci', '--dry-run', '--offline'] },
  {
    name: 'package-lock.json as a whole',
    command: process.execPath,
    arguments: [join(root, 'scripts/complete-lock.ts'), '--check'],
  },
  {
    name: 'docs/settings.md',
    command: process.execPath,
    arguments: [join(root, 'scripts/settings-document.ts'), '--check'],
  },
  { name: 'words', command: process.execPath, arguments: [join(root, 'scripts/words.ts')] },
];

const results = await Promise.all(
  checks.map(
    (check) =>
      new Promise<{ name: string; passed: boolean; output: string }>((done) => {
        execFile(
          check.command,
          [...check.arguments],
          { cwd: root, maxBuffer: 64 * 1024 * 1024 },
          (error, stdout, stderr) => done({ name: check.name, passed: error === null, output: `${stdout}${stderr}` }),
        );
      }),
  ),
);
for (const { passed, output } of results) if (!passed) console.log(output.trimEnd());
for (const { name, passed } of results) console.log(`${passed ? '✔' : '✖'} ${name}`);
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
