import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DotLines } from './dot-lines.ts';

/** Whether a text smuggles, whatever pieces it comes in. */
function smuggles(text: string): boolean {
  const answers = [1, 2, 3, 5, 1_000].map((size) => {
    const lines = new DotLines();
    let found = false;
    for (let at = 0; at < text.length; at += size) {
      if (lines.isSmuggling(Buffer.from(text.slice(at, at + size), 'latin1'))) found = true;
    }
    return found;
  });
  assert.equal(new Set(answers).size, 1, JSON.stringify(text));
  return answers[0] ?? false;
}

test('a line of a dot between other line ends than CR LF is found', () => {
  for (const text of ['a\n.\nb', 'a\n.\r\nb', 'a\r\n.\nbc', 'a\r.\rbc', 'a\r\n.\rbc', 'a\r.\r\nb', '.\nabc']) {
    assert.equal(smuggles(text), true, JSON.stringify(text));
  }
});

test('dots elsewhere, and a line of a dot as SMTP has it, are not', () => {
  for (const text of ['a\r\n.\r\nb', '.\r\nabc', 'a. b.\r\n..\r\n.a\r\n', 'a.\nb', 'a\n.b\n', '1.2.3.4\r\n']) {
    assert.equal(smuggles(text), false, JSON.stringify(text));
  }
});
