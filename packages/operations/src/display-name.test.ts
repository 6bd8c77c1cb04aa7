import assert from 'node:assert/strict';
import { test } from 'node:test';
import { displayName } from './display-name.ts';

test('a display name is visible and does not change the direction of text', () => {
  const problemsOf = (name: string) =>
    displayName()
      .safeParse(name)
      .error?.issues.map(({ message }) => message) ?? [];
  for (const invisible of ['\u200b', '\u200b \u200d\u2060', '\u3164', '\u00ad', '\u2800', '\ufe0f', '\u{e0041}']) {
    assert.deepEqual(problemsOf(invisible), ['Use at least one visible character.'], JSON.stringify(invisible));
  }
  for (const turning of ['invoice\u202efdp.exe', '\u2067Shop', 'a\u202ab\u202c']) {
    assert.deepEqual(problemsOf(turning), ['Remove characters that change the text direction, such as U+202E.']);
  }
  assert.deepEqual(problemsOf('a\u0007b'), ['Remove control characters.']);
  assert.equal(problemsOf(' ').length, 1);
  assert.equal(problemsOf('x'.repeat(101)).length, 1);
  const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';
  for (const name of [
    'Shop',
    'Żółć & Söhne',
    '株式会社',
    'می\u200cخواهم',
    'שלום\u200f',
    family,
    '❤\ufe0f',
    'e\u0301',
  ]) {
    assert.equal(displayName().parse(` ${name} `), name);
  }
});
