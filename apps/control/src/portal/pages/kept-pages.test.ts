import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inTheme, type KeptPage, KeptPages } from './kept-pages.ts';

const page = (text: string): KeptPage => ({
  status: 200,
  mediaType: 'text/html; charset=utf-8',
  text,
  fileName: null,
  byTheme: new Map(),
});

describe('kept pages', () => {
  test('are made once, also for requests at the same time', async () => {
    const pages = new KeptPages(100);
    let made = 0;
    const make = async () => page(String(++made));
    const found = await Promise.all([pages.find('a', make), pages.find('a', make)]);
    assert.deepEqual([found[0]?.text, found[1]?.text, (await pages.find('a', make)).text], ['1', '1', '1']);
  });

  test('give way to others, those used longest ago first', async () => {
    const pages = new KeptPages(30);
    const made: string[] = [];
    const find = (key: string) =>
      pages.find(key, async () => {
        made.push(key);
        return page('x'.repeat(9));
      });
    for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) await find(key);
    assert.deepEqual(made, ['a', 'b', 'c', 'd', 'b']);
  });

  test('are not kept where making them failed', async () => {
    const pages = new KeptPages(100);
    await assert.rejects(
      pages.find('a', () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal((await pages.find('a', async () => page('yes'))).text, 'yes');
  });

  test('have the colours that a visitor chose', () => {
    const kept = page('<!doctype html><html lang="en"></html>');
    assert.equal(String(inTheme(kept, 'dark').bytes), '<!doctype html><html data-theme="dark" lang="en"></html>');
    assert.equal(inTheme(kept, 'dark'), inTheme(kept, 'dark'));
    assert.notEqual(inTheme(kept, null).tag, inTheme(kept, 'dark').tag);
  });
});
