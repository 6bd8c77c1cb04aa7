import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { buildPortal } from '../build.ts';

const folder = join(import.meta.dirname, '../dist');

/** Of a built module, what Vite's manifest says. */
interface BuiltModule {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

describe('what pages of the portal load', () => {
  let manifest: Readonly<Record<string, BuiltModule>>;
  before(async () => {
    await buildPortal();
    manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
  });

  /** Files that some modules need before they run: their own and those of all that they import. */
  function filesOf(names: readonly string[], found = new Set<string>()): ReadonlySet<string> {
    for (const name of names) {
      const { file, css = [], imports = [] } = manifest[name]!;
      if (found.has(file)) continue;
      for (const each of [file, ...css]) found.add(each);
      filesOf(imports, found);
    }
    return found;
  }

  function compressedBytes(files: ReadonlySet<string>): number {
    return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0);
  }

  const loads = {
    'a public page': { modules: ['islands/try/main.ts'], limitBytes: 20_000 },
    registration: { modules: ['src/main.tsx', 'src/screens/access/register.tsx'], limitBytes: 350_000 },
    'the account': {
      modules: ['src/main.tsx', 'src/frame/account.tsx', 'src/screens/overview/overview.tsx'],
      limitBytes: 380_000,
    },
  };
  for (const [what, { modules, limitBytes }] of Object.entries(loads)) {
    test(`is small for ${what}`, (context) => {
      const bytes = compressedBytes(filesOf(modules));
      context.diagnostic(`${bytes} bytes`);
      assert.ok(bytes < limitBytes, `${bytes} bytes`);
    });
  }
});
