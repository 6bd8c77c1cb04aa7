import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '..');
const folder = 'packages/engine/src/types';

/** `bill_of_lading` for the folder `bill-of-lading`; `fields` holds what several types have. */
const names = readdirSync(join(root, folder), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'fields')
  .map((entry) => entry.name.replaceAll('-', '_'));

/** Where product code may name a type outside of its folder, and why. */
const allowed: readonly (readonly [path: RegExp, reason: string])[] = [
  [/^packages\/document-model\/src\/document\.ts$/, 'lists the names for browsers, which have no engine'],
  [/^packages\/engine\/src\/types\/(?:registry|rules)\.ts$/, 'list the folders'],
  [/^packages\/engine\/src\/types\/(?:fields\/.+|definition)\.ts$/, 'a field or a group is called as a type'],
  [/^packages\/engine\/src\/embedded\//, 'formats of e-invoices say which of two types a document is'],
  [/^packages\/engine\/src\/read\/ocr\/tesseract-page\.ts$/, 'a word that shows which way up a page is'],
  [/^packages\/extraction-contract\/src\/|contract\.ts$|\/notifications\.ts$/, 'examples of the references'],
  [/^apps\/extraction\/src\/resources\/provider\/handlers\.ts$/, 'asks a provider about a document to try it'],
  [/^apps\/extraction\/src\/announcement\.ts$/, 'names a sample document'],
  [/^apps\/extraction\/src\/database\/migrations\//, 'changes what was stored once'],
];

/** The lines of a file, apart from comments, that name a type: as a text, or as the key of an object if it has a `_`. */
function namingLines(path: string): string[] {
  const alternatives = names.join('|');
  const naming = new RegExp(
    `(['"\`])(?:${alternatives})\\1|(?<![\\w.'-])(?:${names.filter((name) => name.includes('_')).join('|')}):`,
  );
  return readFileSync(join(root, path), 'utf8')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\/\*)?\*.*|\/\/ .*/, '').trim())
    .filter((line) => naming.test(line))
    .map((line) => `${path}: ${line}`);
}

test('product code names no document type outside of the folder of the type', () => {
  const files = globSync(
    '{packages/{client,document-model,engine,extraction-contract,providers},apps/{dashboard,extraction}}/src/**/*.{ts,tsx}',
    { cwd: root },
  ).filter((path) => !/\.test\.tsx?$|testing/.test(path));
  const outside = files.filter(
    (path) => !names.some((name) => path.startsWith(`${folder}/${name.replaceAll('_', '-')}/`)),
  );
  const lines = outside.flatMap(namingLines);
  assert.deepEqual(
    lines.filter((line) => !allowed.some(([path]) => path.test(line.split(': ', 1)[0]!))),
    [],
  );
  for (const [path, reason] of allowed)
    assert.ok(
      lines.some((line) => path.test(line.split(': ', 1)[0]!)),
      `nothing needs the exception for what ${reason} (${path})`,
    );
});
