import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fold, mayBeginDigit } from './fold.ts';

const latin1 = (text: string) => Buffer.from(text).toString('latin1');
const folded = (text: string) => fold(latin1(text))?.text ?? null;

describe('folding', () => {
  it('recognizes the digits of every script, and their first bytes', () => {
    let row: string[] = [];
    let rows = 0;
    for (let code = 0x80; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code);
      if (/\p{Nd}/u.test(character)) {
        row.push(character);
        assert.ok(mayBeginDigit(Buffer.from(character)[0]!), character);
      }
      if (row.length < 10) continue;
      assert.equal(folded(row.join('')), '0123456789', row.join(''));
      row = [];
      rows++;
    }
    assert.equal(row.length, 0);
    assert.ok(rows > 60);
  });

  it('leaves text without anything to fold alone', () => {
    for (const text of ['', 'plain 4111', 'größe', '你好', '½ ² ① ⑩', '😀']) assert.equal(folded(text), null, text);
  });

  it('maps each character to its original position', () => {
    const text = latin1('é４\u200b1–');
    const { text: skeleton, starts, ends } = fold(text)!;
    assert.equal(skeleton, `${latin1('é')}41-`);
    const written = Array.from(skeleton, (_, index) => Buffer.from(text.slice(starts[index], ends[index]), 'latin1'));
    assert.deepEqual(
      written.slice(2).map((bytes) => bytes.toString()),
      ['４', '1', '–'],
    );
  });

  it('leaves invalid UTF-8 bytes unchanged', () => {
    for (const text of ['4\xa01', '\xef\xbc', '\xff\xfe', '\xc0\x80', '\xe2\x80', '\xf5\x80\x80\x80']) {
      assert.equal(fold(text), null);
    }
  });
});
