import { existsSync, globSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = import.meta.dirname;
const root = resolve(folder, '../..');

/** What the console is built of: its own sources, and the contracts that its types and forms follow. */
const sources = [
  'apps/console/{index.html,vite.config.ts,package.json}',
  'apps/console/{src,public}/**/*',
  'apps/control/src/contracts.ts',
  'apps/control/src/frame/*.ts',
  'apps/control/src/resources/**/contract.ts',
  'packages/interface/src/**/*',
  'packages/{configuration,histograms,policies,revision,operations}/src/**/*.ts',
  'package-lock.json',
];

/** Builds the operators' console into `apps/console/dist`, where a source is newer than the last build. */
export async function buildConsole(): Promise<void> {
  const built = join(folder, 'dist/index.html');
  const builtAt = existsSync(built) ? statSync(built).mtimeMs : 0;
  const changed = globSync(sources, { cwd: root }).some((path) => statSync(join(root, path)).mtimeMs > builtAt);
  if (!changed) return;
  console.error('Building the console…');
  // Loaded where it is needed alone: most starts find the console built.
  const { build } = await import('vite');
  // Aside, and put in its place when it is whole: a server that starts meanwhile finds the one from before, or this one.
  const aside = mkdtempSync(join(folder, 'dist-'));
  try {
    await build({
      root: folder,
      configFile: join(folder, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: join(aside, 'new') },
    });
    if (existsSync(join(folder, 'dist'))) renameSync(join(folder, 'dist'), join(aside, 'old'));
    renameSync(join(aside, 'new'), join(folder, 'dist'));
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}
