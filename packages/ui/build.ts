import { existsSync, globSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Pages to build. */
export interface Pages {
  /** What to call them while they are built. */
  readonly name: string;
  /** Holds their `vite.config.ts`, and the build as `dist`. */
  readonly folder: string;
  /** Sources outside the app that its types and forms depend on: globs from the root of the repository. */
  readonly contracts: readonly string[];
}

/** Builds pages into `dist`, where a source is newer than the last build. */
export async function buildPages({ name, folder, contracts }: Pages): Promise<void> {
  const built = ['dist/index.html', 'dist/.vite/manifest.json'].map((name) => join(folder, name)).find(existsSync);
  const builtAt = built === undefined ? 0 : statSync(built).mtimeMs;
  const own = relative(root, folder);
  const sources = [
    `${own}/{index.html,vite.config.ts,package.json}`,
    `${own}/{src,islands,public}/**/*`,
    ...contracts,
    'packages/{ui,operations}/src/**/*.{ts,tsx,css}',
    'package-lock.json',
  ];
  const changed = globSync(sources, { cwd: root }).some((path) => statSync(join(root, path)).mtimeMs > builtAt);
  if (!changed) return;
  console.error(`Building the ${name}…`);
  // Only loaded when needed: most starts find the pages built.
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
