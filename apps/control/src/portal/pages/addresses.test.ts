import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readAddress } from './addresses.ts';

const read = (address: string) => {
  const [path = '', query = ''] = address.split('?');
  return readAddress(path, new URLSearchParams(query));
};

describe('addresses of a portal', () => {
  test('are pages, in either form', () => {
    assert.deepEqual(read(''), { format: 'html', kind: 'home' });
    assert.deepEqual(read('/'), { format: 'html', kind: 'home' });
    assert.deepEqual(read('/index.md'), { format: 'markdown', kind: 'home' });
    assert.deepEqual(read('/catalog?search=%20a%20&tag=&page=3'), {
      format: 'html',
      kind: 'catalog',
      search: 'a',
      tag: null,
      page: 3,
    });
    assert.deepEqual(read('/products/a%2Fb'), { format: 'html', kind: 'product', product: 'a/b', estimate: null });
    assert.deepEqual(read('/products/a?plan=p&usage.calls=12'), {
      format: 'html',
      kind: 'product',
      product: 'a',
      estimate: { plan: 'p', usage: { calls: '12' } },
    });
    assert.deepEqual(read('/products/a/operations/get.md'), {
      format: 'markdown',
      kind: 'operation',
      product: 'a',
      operation: 'get',
    });
    assert.deepEqual(read('/account/apps/app_1'), { format: 'html', kind: 'app', path: ['account', 'apps', 'app_1'] });
  });

  test('are files', () => {
    assert.deepEqual(read('/theme.css?v=1'), { format: 'file', kind: 'theme' });
    assert.deepEqual(read('/products/a/openapi.json'), { format: 'file', kind: 'openapi', product: 'a' });
    assert.deepEqual(read('/products/a/sitemap.xml'), { format: 'file', kind: 'product-sitemap', product: 'a' });
  });

  test('are nothing else', () => {
    for (const address of [
      '/nothing',
      '/catalog/x',
      '/products',
      '/products/a/b',
      '/products/a/operations',
      '/products/a/operations/b/c',
      '/products/a/openapi.json/x',
      '/guides/a/b',
      '//catalog',
      '/%',
      '/%E0%A4%A',
      '/account.md',
      '/__proto__',
      '/constructor',
      `/products/${'a'.repeat(301)}`,
      '/a/b/c/d/e/f/g/h/i',
    ]) {
      assert.equal(read(address), null, address);
    }
  });

  test('take only numbers as pages', () => {
    for (const page of ['0', '-1', '1.5', 'x', '1e9', '']) {
      assert.deepEqual(read(`/changes?page=${page}`), { format: 'html', kind: 'changes', product: null, page: 1 });
    }
  });
});
