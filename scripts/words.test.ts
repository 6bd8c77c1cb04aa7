import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findBanned, longSubjects, readBans } from './words.ts';

const glossary = `# Glossary

| Term | Meaning |
|---|---|
| bread | Baked dough |

## Banned words

| Banned | Write instead | Files |
|---|---|---|
| loaf, baked goods | bread | |
| \`crumb\` | piece | docs/*.md, src/** |
`;

describe('banned words', () => {
  const bans = readBans(glossary);

  test('are the rows of the glossary under "Banned words"', () => {
    assert.deepEqual(bans, [
      { phrases: ['loaf', 'baked goods'], instead: 'bread', files: [] },
      { phrases: ['crumb'], instead: 'piece', files: ['docs/*.md', 'src/**'] },
    ]);
    assert.deepEqual(readBans('# Glossary\n'), []);
  });

  test('are found with their line, in either case, in order', () => {
    assert.deepEqual(findBanned('a.ts', 'const a = 1;\n// Baked goods: a loaf\n', bans), [
      { line: 2, phrase: 'loaf', instead: 'bread' },
      { line: 2, phrase: 'baked goods', instead: 'bread' },
    ]);
  });

  test('are found across a line break, with or without a comment sign', () => {
    for (const text of ['some baked\ngoods', '/**\n * some baked\n * goods', '  // baked\n  // goods']) {
      assert.deepEqual(
        findBanned('a.md', text, bans).map(({ phrase }) => phrase),
        ['baked goods'],
        text,
      );
    }
  });

  test('are whole words: not parts of words or identifiers', () => {
    assert.deepEqual(findBanned('a.ts', 'loafer, meatloaf, loaf_count, $loaf, bakedGoods', bans), []);
  });

  test('are limited to the files of their row', () => {
    assert.equal(findBanned('docs/a.md', 'a crumb', bans).length, 1);
    assert.equal(findBanned('src/deep/a.ts', 'a crumb', bans).length, 1);
    assert.equal(findBanned('README.md', 'a crumb', bans).length, 0);
  });
});

test('a commit subject may have 72 characters, without its hash', () => {
  const log = `1234567 ${'ä'.repeat(72)}\n89abcde ${'a'.repeat(73)}`;
  assert.deepEqual(longSubjects(log, 72), [`89abcde ${'a'.repeat(73)}`]);
  assert.deepEqual(longSubjects('', 72), []);
});
