import assert from 'node:assert/strict';
import { test } from 'node:test';
import { field, fieldAt } from './fields.ts';

test('names are found case-insensitively, and nothing that only resembles one', () => {
  for (const [name, code] of [
    ['te', field.ofConnection],
    ['Host', field.host],
    ['CONTENT-LENGTH', field.contentLength],
    ['Transfer-Encoding', field.transferEncoding],
    ['x-forwarded-for', field.forwardedFor],
    ['X-Forwarded-Ssl', field.setByProxies],
    ['x-forwarded-host', field.setByProxies],
    ['x-forwarded-port', field.setByProxies],
    ['Proxy-Connection', field.ofConnection],
    ['proxy-authorization', field.ofConnection],
    // Some servers take them for the names with hyphens.
    ['Content_Length', field.ofConnection],
    ['x-forwarded_for', field.ofConnection],
    ['x.forwarded~for', field.ofConnection],
    ['xaforwardedafor', 0],
    ['h', 0],
    ['hose', 0],
    ['(ost', 0],
    ['x-forwarded-pert', 0],
    ['x-forwarded-everything', 0],
  ] as const) {
    const bytes = Buffer.from(`a${name}b`);
    assert.equal(fieldAt(bytes, 1, bytes.length - 1), code, name);
  }
});
