import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { type Boundaries, findProblems, isTestFile } from './boundaries.ts';

const nothingAllowed: Boundaries = { workspaces: {}, tests: {}, domains: {}, domainTests: {}, data: {} };

/** Two workspaces: an app that may import a package. */
const house = {
  'packages/mill/package.json': JSON.stringify({ name: '@millrace/mill' }),
  'packages/mill/src/mill.ts': 'export const grain = 1;',
  'apps/river/package.json': JSON.stringify({
    name: '@millrace/river',
    dependencies: { '@millrace/mill': '0.1.0', zod: '4.0.0' },
    devDependencies: { 'axe-core': '4.0.0' },
  }),
  'apps/river/src/main.ts': "import { grain } from '@millrace/mill/grain';\nimport * as z from 'zod';",
};
const houseRules: Boundaries = {
  ...nothingAllowed,
  workspaces: { 'packages/mill': [], 'apps/river': ['packages/mill'] },
};

const problemsOf = (files: Readonly<Record<string, string>>, rules: Partial<Boundaries> = {}) =>
  findProblems(new Map(Object.entries({ ...house, ...files })), { ...houseRules, ...rules });

describe('boundaries', () => {
  test('reports nothing where every import is declared, allowed and in no circle', () => {
    assert.deepEqual(problemsOf({}), []);
  });

  test('reports a package that is not declared, however it is imported', () => {
    for (const text of [
      "import 'yaml';",
      "import type { Document } from 'yaml';",
      "export { parse } from 'yaml';",
      "export * from 'yaml/util';",
      "const yaml = await import('yaml');",
      "const path = import.meta.resolve('yaml');",
      "const yaml = createRequire(import.meta.url)('yaml');",
    ]) {
      assert.deepEqual(
        problemsOf({ 'apps/river/src/flow.ts': text }),
        ['undeclared: apps/river/src/flow.ts imports yaml, which the dependencies of apps/river lack.'],
        text,
      );
    }
  });

  test('takes no comment or text for an import', () => {
    const text = "// import 'yaml';\nconst text = `\nimport 'yaml';\n`;";
    assert.deepEqual(problemsOf({ 'apps/river/src/flow.ts': text }), []);
  });

  test('lets only tests import a development dependency', () => {
    const text = "import 'axe-core';";
    assert.deepEqual(problemsOf({ 'apps/river/src/flow.test.ts': text }), []);
    assert.deepEqual(problemsOf({ 'apps/river/src/flow.ts': text }), [
      'undeclared: apps/river/src/flow.ts imports axe-core, which the dependencies of apps/river lack.',
    ]);
  });

  test('reports a workspace that is declared and never imported, or imported by tests alone', () => {
    assert.deepEqual(problemsOf({ 'apps/river/src/main.ts': '' }), [
      'unused: apps/river declares @millrace/mill and never imports it.',
      'edge: apps/river -> packages/mill is allowed and never imported. Remove it.',
    ]);
    const [unused] = problemsOf({
      'apps/river/src/main.ts': '',
      'apps/river/src/main.test.ts': "import '@millrace/mill';",
    });
    assert.equal(unused, 'unused: only tests of apps/river import @millrace/mill. Move it to devDependencies.');
  });

  test('reports an import of another workspace by its path', () => {
    const [problem] = problemsOf({ 'apps/river/src/flow.ts': "import '../../../packages/mill/src/mill.ts';" });
    assert.equal(
      problem,
      'path: apps/river/src/flow.ts imports ../../../packages/mill/src/mill.ts. Import the package by name.',
    );
  });

  test('reports product code that imports a test file', () => {
    assert.deepEqual(problemsOf({ 'apps/river/src/flow.ts': "import './testing.ts';" }), [
      'test: apps/river/src/flow.ts imports the test file ./testing.ts.',
    ]);
  });

  test('reports an edge that is not allowed, and one that is allowed for tests alone', () => {
    const mill = JSON.stringify({ name: '@millrace/mill', devDependencies: { '@millrace/river': '0.1.0' } });
    const files = { 'packages/mill/package.json': mill, 'packages/mill/src/mill.test.ts': "import '@millrace/river';" };
    assert.deepEqual(problemsOf(files), [
      'edge: tests of packages/mill -> apps/river is not allowed (packages/mill/src/mill.test.ts).',
    ]);
    const tests = { 'packages/mill': ['apps/river'] };
    assert.deepEqual(problemsOf(files, { tests }), []);
    assert.deepEqual(problemsOf({}, { tests }), [
      'edge: tests of packages/mill -> apps/river is allowed and never imported. Remove it.',
    ]);
  });

  test('allows one export of a workspace where the list names it', () => {
    const allowing = (name: string) => ({ workspaces: { 'packages/mill': [], 'apps/river': [name] } });
    assert.deepEqual(problemsOf({}, allowing('packages/mill/grain')), []);
    assert.deepEqual(problemsOf({}, allowing('packages/mill/flour')), [
      'edge: apps/river -> packages/mill/flour is allowed and never imported. Remove it.',
      'edge: apps/river -> packages/mill/grain is not allowed (apps/river/src/main.ts).',
    ]);
  });

  test('reports a list that allows workspaces to import each other', () => {
    const workspaces = { 'apps/river': ['packages/mill'], 'packages/mill': [] };
    assert.deepEqual(problemsOf({}, { workspaces }), ['order: packages/mill has to stand above apps/river.']);
  });

  test('reports an edge between domains that is not allowed, and leaves the files beside them free', () => {
    const files = {
      'apps/river/src/source/spring.ts': "import '../mouth/delta.ts';",
      'apps/river/src/mouth/delta.ts': '',
      'apps/river/src/map.ts': "import './source/spring.ts';",
    };
    const domains = { 'apps/river/src': { source: [], mouth: ['source'] } };
    assert.deepEqual(problemsOf(files, { domains }), [
      'edge in apps/river/src: mouth -> source is allowed and never imported. Remove it.',
      'edge in apps/river/src: source -> mouth is not allowed (apps/river/src/source/spring.ts).',
    ]);
  });

  test('reports a circle between folders, at any depth', () => {
    for (const folder of ['apps/river/src', 'apps/river/src/water']) {
      const files = {
        [`${folder}/source/spring.ts`]: "import type { Delta } from '../mouth/delta.ts';",
        [`${folder}/mouth/delta.ts`]: "import '../source/rain.ts';",
      };
      assert.deepEqual(problemsOf(files), [
        `circle: ${folder} has mouth, source\n` +
          `  ${folder}/mouth/delta.ts -> ${folder}/source/rain.ts\n` +
          `  ${folder}/source/spring.ts -> ${folder}/mouth/delta.ts`,
      ]);
    }
  });

  test('reports a circle between folders through a file beside them', () => {
    const [problem] = problemsOf({
      'apps/river/src/map.ts': "import './source/spring.ts';",
      'apps/river/src/source/spring.ts': "import '../map.ts';",
    });
    assert.match(problem ?? '', /^circle: apps\/river\/src has map\.ts, source\n/);
  });

  test('lets others import the data of a folder that its code is built around', () => {
    const files = {
      'apps/river/src/fish/trout/definition.ts': '',
      'apps/river/src/fish/trout/rules.ts': "import '../../source/spring.ts';\nimport './definition.ts';",
      'apps/river/src/source/spring.ts': "import '../fish/trout/definition.ts';",
    };
    const data = { 'apps/river/src/fish': /^[^/]+\/definition\.ts$/ };
    assert.match(problemsOf(files).join(), /^circle: apps\/river\/src has fish, source\n/);
    assert.deepEqual(problemsOf(files, { data }), []);
    const [problem] = problemsOf(
      { ...files, 'apps/river/src/fish/trout/definition.ts': "import '../../source/spring.ts';" },
      { data },
    );
    assert.match(problem ?? '', /^circle: apps\/river\/src has fish \(data\), source\n/);
  });

  test('lets files of one folder import each other, files beside folders start and carry them, and tests import any', () => {
    const files = {
      'apps/river/src/settings.ts': '',
      'apps/river/src/service.ts': "import './source/spring.ts';",
      'apps/river/src/source/spring.ts': "import './rain.ts';\nimport '../settings.ts';",
      'apps/river/src/source/rain.ts': "import './spring.ts';",
      'apps/river/src/source/spring.test.ts': "import '../service.ts';",
    };
    assert.deepEqual(problemsOf(files), []);
  });
});

test('a test file is known by its name or its folder', () => {
  const files = ['src/a.test.ts', 'src/testing.ts', 'src/testing-server.ts', 'src/dashboard-testing.ts', 'test/a.ts'];
  for (const file of files) assert.equal(isTestFile(`apps/river/${file}`), true, file);
  for (const file of ['src/main.ts', 'src/tests.ts', 'src/contest.ts']) {
    assert.equal(isTestFile(`apps/river/${file}`), false, file);
  }
});

test('docs/architecture.md names every workspace, and only paths that exist', () => {
  const root = resolve(import.meta.dirname, '..');
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const named = [...text.matchAll(/`((?:apps|packages|scripts|docs)\/[\w./-]+)`/g)].map(([, path]) => path!);
  for (const path of named) assert.equal(existsSync(join(root, path)), true, path);
  for (const manifest of globSync('{apps,packages}/*/package.json', { cwd: root })) {
    const workspace = manifest.replace('/package.json', '');
    assert.ok(named.includes(workspace), `${workspace} is missing`);
  }
});
