import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RevisionContent } from './content.ts';
import { canonicalJson, contentHash } from './hash.ts';

describe('canonical JSON', () => {
  it('sorts keys by code unit at every depth and leaves spaces and undefined out', () => {
    assert.equal(
      canonicalJson({ b: [{ z: 1, a: undefined, A: 'x' }], a: null, 10: true, 9: -0, '€': 1e21 }),
      '{"10":true,"9":0,"a":null,"b":[{"A":"x","z":1}],"€":1e+21}',
    );
  });

  it('refuses what JSON cannot hold', () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    for (const value of [cycle, Number.NaN, new Date(), new Map(), () => 1, 1n, undefined]) {
      assert.throws(() => canonicalJson(value), TypeError);
    }
    const twice = { a: 1 };
    assert.equal(canonicalJson([twice, twice]), '[{"a":1},{"a":1}]');
  });
});

describe('content hash', () => {
  const content = RevisionContent.parse({
    proxy: { name: 'a', displayName: 'A', description: '', basePath: '/v1', protocol: 'rest', authScheme: 'none' },
    routes: [],
    policies: [],
    specification: null,
  });

  it('is the same for the same content, whatever the order of its keys', () => {
    const { proxy, ...rest } = content;
    const reordered = { ...rest, proxy: Object.fromEntries(Object.entries(proxy).reverse()) } as RevisionContent;
    assert.equal(contentHash(reordered), contentHash(content));
    assert.equal(contentHash(content), '1215b21378a86cf3ebfb69df4e2ecfed6c6cd03af8fa84351008f2ba24f41ecb');
  });

  it('differs where anything differs', () => {
    const hashes = [
      content,
      { ...content, specification: {} },
      { ...content, proxy: { ...content.proxy, description: ' ' } },
    ].map(contentHash);
    assert.equal(new Set(hashes).size, 3);
  });
});
