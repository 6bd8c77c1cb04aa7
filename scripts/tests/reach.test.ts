import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { changedFiles } from './changed-files.ts';
import { testsReachedBy } from './reach.ts';

const files = {
  'apps/shop/package.json': '{ "name": "@house/shop" }',
  'apps/shop/src/cart.test.ts': "import { total } from './cart.ts';",
  'apps/shop/src/cart.ts': "import { add } from '@house/sums/add';",
  'apps/shop/src/start.test.ts': "spawn(join(import.meta.dirname, 'main.ts'));",
  'apps/shop/src/main.ts': "const { cart } = await import('./cart.ts');",
  'apps/shop/src/alone.test.ts': "import assert from 'node:assert/strict';",
  'apps/shop/test/pages.test.ts': "import { build } from '../build.ts';",
  'apps/shop/build.ts':
    "build({ folder: import.meta.dirname, contracts: ['packages/{sums,other}/src/*.contract.ts'] });",
  'apps/shop/pages/home.tsx': "import '@house/sums/style';",
  'packages/sums/package.json':
    '{ "name": "@house/sums", "exports": { "./add": "./src/add.ts", "./style": "./a.css" } }',
  'packages/sums/src/add.ts': 'export const add = 1;',
  'packages/sums/src/add.contract.ts': 'export const contract = 1;',
  'packages/sums/a.css': '',
  'packages/sums/src/samples.test.ts': "readFileSync(join(import.meta.dirname, '../../../samples', 'one.pdf'));",
  'samples/one.pdf': '',
  'docs/settings.md': '',
  'docs/shop.png': '',
  'docs/shop.md': '',
  'README.md': '',
  'apps/shop/README.md': '',
  'packages/readers/src/picture.test.ts':
    "page.screenshot({ path: join(import.meta.dirname, '../../../docs', name) });",
  'packages/readers/src/sample.test.ts': "readFileSync(join(import.meta.dirname, '../../../samples', 'README.md'));",
  'packages/readers/src/links.test.ts': "globSync('*.md', { cwd: join(import.meta.dirname, '../../../docs') });",
  'packages/readers/src/words.test.ts': "readFileSync(new URL('../../../docs/shop.md', import.meta.url), 'utf8');",
  'scripts/settings.ts': "resolve(import.meta.dirname, '..', 'docs', 'settings.md');",
  'scripts/settings.test.ts': "import './settings.ts';",
};
const tests = Object.keys(files).filter((path) => path.endsWith('.test.ts'));

describe('the tests that a change can reach', () => {
  const root = mkdtempSync(join(tmpdir(), 'millrace-test-reach-'));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  after(() => rmSync(root, { recursive: true }));
  const reachedBy = (...changed: string[]) => [...testsReachedBy(root, tests, changed)].sort();

  test('are those that import it, by path or by the name of its package, at any distance', () => {
    assert.deepEqual(reachedBy('packages/sums/src/add.ts'), [
      'apps/shop/src/cart.test.ts',
      'apps/shop/src/start.test.ts',
      'apps/shop/test/pages.test.ts',
      // It asks for its own place, and so may read anything of its package.
      'packages/sums/src/samples.test.ts',
    ]);
    assert.deepEqual(reachedBy('apps/shop/src/alone.test.ts'), ['apps/shop/src/alone.test.ts']);
  });

  test('include those of a program that is started by its path', () => {
    assert.ok(reachedBy('apps/shop/src/main.ts').includes('apps/shop/src/start.test.ts'));
  });

  test('include those of pages that are built from a folder or from globs', () => {
    for (const path of ['apps/shop/pages/home.tsx', 'packages/sums/src/add.contract.ts', 'packages/sums/a.css']) {
      assert.ok(reachedBy(path).includes('apps/shop/test/pages.test.ts'), path);
      assert.ok(!reachedBy(path).includes('apps/shop/src/alone.test.ts'), path);
    }
  });

  test('include those that read it as a document or a sample', () => {
    assert.deepEqual(reachedBy('samples/one.pdf'), [
      'packages/readers/src/sample.test.ts',
      'packages/sums/src/samples.test.ts',
    ]);
    const lists = 'packages/readers/src/links.test.ts';
    assert.deepEqual(reachedBy('docs/settings.md'), [lists, 'scripts/settings.test.ts']);
    assert.deepEqual(reachedBy('docs/shop.md'), [lists, 'packages/readers/src/words.test.ts']);
    assert.deepEqual(reachedBy('docs/shop.png'), [lists], 'not those that only take the picture');
  });

  test('are none for what only people read', () => {
    for (const path of ['README.md', 'apps/shop/README.md']) assert.deepEqual(reachedBy(path), [], path);
  });

  test('are all where the dependencies or the test runner changed', () => {
    for (const path of ['package-lock.json', 'packages/sums/package.json', 'scripts/tests/queue.ts']) {
      assert.deepEqual(reachedBy(path), [...tests].sort(), path);
    }
  });

  test('include those of the workspace that a file was removed from', () => {
    assert.ok(reachedBy('packages/sums/src/gone.ts').includes('apps/shop/src/cart.test.ts'));
    assert.ok(!reachedBy('packages/sums/src/gone.ts').includes('apps/shop/src/alone.test.ts'));
  });

  test('are none where nothing depends on it', () => assert.deepEqual(reachedBy('decisions/0001-one.md'), []));

  test('follow what git knows: commits since main, what is not committed, and new files', () => {
    const git = (...gitArguments: string[]) =>
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...gitArguments], {
        cwd: root,
      });
    git('init', '--quiet', '--initial-branch=main');
    git('add', '.');
    git('commit', '--quiet', '--message=Begin');
    git('switch', '--quiet', '--create=work');
    write('apps/shop/src/cart.ts', 'export const total = 2;');
    git('commit', '--quiet', '--all', '--message=Change');
    write('docs/settings.md', '# Settings');
    write('apps/shop/src/new file.ts', '');
    assert.deepEqual([...changedFiles(root)].sort(), [
      'apps/shop/src/cart.ts',
      'apps/shop/src/new file.ts',
      'docs/settings.md',
    ]);
  });
});
