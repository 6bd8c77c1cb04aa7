/** Checks the source without running it: `npm run check`. */
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const tool = (name: string) => join(root, 'node_modules', '.bin', name);
/** One checker each, since projects are checked at once: every further one infers most types again. */
const types = (name: string, project: string) => ({
  name,
  command: tool('tsc'),
  arguments: ['-p', project, '--checkers', '1'],
});
const checks: readonly { readonly name: string; readonly command: string; readonly arguments: readonly string[] }[] = [
  { name: 'lint and format', command: tool('biome'), arguments: ['check', '.'] },
  types('types', '.'),
  types('types of the console', 'apps/console'),
  types('types of the dashboard', 'apps/dashboard'),
  types('types of the developer portal', 'apps/portal'),
  types('types of the console’s tests', 'apps/console/tsconfig.tests.json'),
  types('types of the dashboard’s tests', 'apps/dashboard/tsconfig.tests.json'),
  types('types of the portal’s script', 'packages/portal-pages/browser'),
  types('types of the developer portal’s tests', 'apps/portal/tsconfig.tests.json'),
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
