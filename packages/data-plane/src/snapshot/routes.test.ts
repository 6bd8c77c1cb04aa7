import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BasePaths, methodIndex, RouteTable } from './routes.ts';

describe('base paths', () => {
  const among = (...known: string[]) => {
    const basePaths = new BasePaths(known.length);
    for (const basePath of known) basePaths.set({ basePath });
    return (path: string) => basePaths.find(path)?.basePath ?? null;
  };

  test('match the longest prefix of a path, segment by segment', () => {
    const find = among('/v1', '/v1/orders', '/v1/orders/open/lines', '/v2/orders');
    for (const [path, expected] of [
      ['/v1', '/v1'],
      ['/v1/', '/v1'],
      ['/v1/order', '/v1'],
      ['/v1/ordersx', '/v1'],
      ['/v1/orders', '/v1/orders'],
      ['/v1/orders/open', '/v1/orders'],
      ['/v1/orders/open/lines/7/parts', '/v1/orders/open/lines'],
      ['/v2/orders/7', '/v2/orders'],
      ['/v2', null],
      ['/v', null],
      ['/', null],
      [`/v1${'x'.repeat(8_000)}`, null],
      [`/v1/${'x'.repeat(8_000)}`, '/v1'],
    ] as const) {
      assert.equal(find(path), expected, path);
    }
    assert.equal(among()('/v1'), null);
  });

  test('are not missed because of segment parameters', () => {
    const find = among('/v1', '/v1/orders', '/v1/orders/open');
    for (const [path, expected] of [
      ['/v1/orders;a=1/7', null],
      ['/v1/orders%3Ba/7', null],
      ['/v1;a/orders/7', null],
      [`/v1/orders;${'a'.repeat(100)}/open/7`, null],
      ['/v1/orders/open;a', null],
      ['/v1;a', null],
      ['/v1/other;a/7', '/v1'],
      ['/v1/or%20ders/7', '/v1'],
      ['/v1/orders/7;a', '/v1/orders'],
      ['/v1/orders/open/7;a=%3B', '/v1/orders/open'],
    ] as const) {
      assert.equal(find(path), expected, path);
    }
  });

  test('are found among ten thousand, each with its latest value', () => {
    const basePaths = new BasePaths<{ basePath: string; index: number }>(10);
    const known = Array.from({ length: 10_000 }, (_, index) => `/v${index % 3}/api-${index}`);
    for (const [index, basePath] of known.entries()) basePaths.set({ basePath, index: -index });
    for (const [index, basePath] of known.entries()) basePaths.set({ basePath, index });
    for (const [index, basePath] of known.entries()) {
      assert.equal(basePaths.get(basePath)?.index, index);
      assert.equal(basePaths.find(`${basePath}/items`)?.index, index);
      assert.equal(basePaths.find(`${basePath}x/items`), null);
    }
    assert.equal(basePaths.get('/v0'), null);
  });
});

describe('routes', () => {
  const among = (...patterns: string[]) => {
    const table = new RouteTable(patterns.map((pathPattern) => ({ method: 'GET', pathPattern })));
    return (path: string) => table.find(`/v1${path}`, 3, methodIndex('GET'))?.pathPattern ?? null;
  };

  test('prefer a literal segment to a parameter, and that to a wildcard', () => {
    const find = among('/', '/orders', '/orders/{id}', '/orders/open', '/orders/open/*', '/{kind}/{id}/lines', '/*');
    for (const [path, expected] of [
      ['', '/'],
      ['/', '/'],
      ['/orders', '/orders'],
      ['/orders/', '/orders'],
      ['/orders/7', '/orders/{id}'],
      ['/orders/open', '/orders/open'],
      ['/orders/open/7', '/orders/open/*'],
      ['/orders/7/lines', '/{kind}/{id}/lines'],
      ['/order', '/*'],
      ['/ordersx', '/*'],
      ['/orders/7/other', '/*'],
    ] as const) {
      assert.equal(find(path), expected, path);
    }
  });

  for (const count of [2, 8, 9, 40]) {
    test(`are found by any of ${count} literals, whatever their parameters`, () => {
      const literals = Array.from({ length: count }, (_, index) => `/thing-${index}`);
      const find = among(...literals, '/caf%c3%a9', '/{other}');
      for (const literal of literals) {
        for (const path of [literal, `${literal};a=1`, `${literal};`, `${literal}%3Ba;b`, `${literal};%3B`]) {
          assert.equal(find(path), literal, path);
        }
        assert.equal(find(`${literal}x`), '/{other}');
        assert.equal(find(`${literal}%2B`), '/{other}');
      }
      assert.equal(find('/caf%C3%A9;a'), '/caf%c3%a9');
    });
  }
});
