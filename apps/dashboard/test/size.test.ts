import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { buildDashboard } from '../build.ts';

const folder = join(import.meta.dirname, '../dist');
const limitBytes = 250_000;

/** Of a built module, what Vite's manifest says. */
interface BuiltModule {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
}

describe('the first load of the dashboard', () => {
  let manifest: Readonly<Record<string, BuiltModule>>;
  before(async () => {
    await buildDashboard();
    manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
  });

  /** Files of scripts that some modules need before they run: their own and those of all that they import. */
  function scriptsOf(names: readonly string[], found = new Set<string>()): ReadonlySet<string> {
    for (const name of names) {
      const { file, imports = [] } = manifest[name]!;
      if (found.has(file)) continue;
      found.add(file);
      scriptsOf(imports, found);
    }
    return found;
  }

  function compressedBytes(files: ReadonlySet<string>): number {
    return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0);
  }

  const messages = '../../packages/ui/src/messages.tsx';
  const firstLoads = {
    'signed in': ['src/frame/shell.tsx', 'src/screens/home/home.tsx', messages],
    'signed out': ['src/screens/access/sign-in.tsx', messages],
  };
  for (const [who, modules] of Object.entries(firstLoads)) {
    test(`is below 250 KB of compressed script for who is ${who}`, (context) => {
      const bytes = compressedBytes(scriptsOf(['index.html', ...modules]));
      context.diagnostic(`${bytes} bytes`);
      assert.ok(bytes < limitBytes, `${bytes} bytes`);
    });
  }

  test('takes no other screen with it', () => {
    const screens = Object.entries(manifest).filter(([name]) => name.startsWith('src/screens/'));
    assert.ok(screens.length >= 10);
    const first = scriptsOf(['index.html']);
    assert.deepEqual(
      screens.filter(([, { file }]) => first.has(file)).map(([name]) => name),
      [],
    );
  });
});
