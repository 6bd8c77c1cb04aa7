import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Answer, KeptAnswer, KeptAnswers } from './kept-answers.ts';

const answer = (text: string, mediaType = 'text/css'): Answer => ({ status: 200, mediaType, text, fileName: null });
const textOf = async (kept: KeptAnswer) => String(await kept.in(null).as(null));

describe('kept answers', () => {
  test('are made once, also for requests at the same time', async () => {
    const answers = new KeptAnswers(1_000);
    let made = 0;
    const make = async () => answer(String(++made));
    const found = await Promise.all([answers.find('a', make), answers.find('a', make)]);
    for (const each of [...found, await answers.find('a', make)]) assert.equal(await textOf(each), '1');
  });

  test('give way to others, those used longest ago first', async () => {
    const { sizeBytes } = await KeptAnswer.of(answer(randomBytes(500).toString('hex')));
    const answers = new KeptAnswers(3.5 * sizeBytes);
    const made: string[] = [];
    const find = (key: string) =>
      answers.find(key, async () => {
        made.push(key);
        return answer(randomBytes(500).toString('hex'));
      });
    for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) await find(key);
    assert.deepEqual(made, ['a', 'b', 'c', 'd', 'b']);
  });

  test('are not kept where making them failed', async () => {
    const answers = new KeptAnswers(1_000);
    await assert.rejects(
      answers.find('a', () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(await textOf(await answers.find('a', async () => answer('yes'))), 'yes');
  });

  test('have the colours that a visitor chose, in every form', async () => {
    const plain = '<!doctype html><html lang="en"></html>';
    const kept = await KeptAnswer.of(answer(plain, 'text/html; charset=utf-8'));
    const dark = '<!doctype html><html data-theme="dark" lang="en"></html>';
    assert.equal(String(brotliDecompressSync(await kept.in(null).as('br'))), plain);
    assert.equal(String(gunzipSync(await kept.in(null).as('gzip'))), plain);
    assert.equal(String(brotliDecompressSync(await kept.in('dark').as('br'))), dark);
    assert.equal(String(await kept.in('dark').as(null)), dark);
    assert.notEqual(kept.in('dark').tag, kept.in(null).tag);
    const style = await KeptAnswer.of(answer('a{}'));
    assert.equal(style.in('dark').tag, style.in(null).tag);
  });
});
